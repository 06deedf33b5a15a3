#include "baseline/ubjson.h"

#include <algorithm>

namespace pegnn {
namespace {

constexpr int kDeepest = 16;           // values within values; a model of trees has 8
constexpr std::size_t kWidest = 64;    // members of an object; a tree has 16
constexpr std::size_t kLongest = 256;  // bytes of a text; the longest name has 19

class Cursor {
 public:
  explicit Cursor(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::size_t position() const { return at_; }
  bool ended() const { return at_ == bytes_.size(); }

  char peek() const {
    if (ended()) throw UbjsonFault("it ends too early");
    return static_cast<char>(bytes_[at_]);
  }
  char take() {
    const char c = peek();
    ++at_;
    return c;
  }
  void expect(char wanted) {
    if (take() != wanted) throw UbjsonFault("it is not built as it should be");
  }
  std::span<const std::uint8_t> take(std::size_t count) {
    if (count > bytes_.size() - at_) throw UbjsonFault("it ends too early");
    at_ += count;
    return bytes_.subspan(at_ - count, count);
  }

  // Lengths are always written as 'L', in eight bytes. An item takes `each` bytes or more.
  std::size_t length(std::size_t each) {
    expect('L');
    const std::int64_t count = UbjsonNumbers<std::int64_t>(take(8))[0];
    if (count < 0 || static_cast<std::uint64_t>(count) > (bytes_.size() - at_) / each) {
      throw UbjsonFault("it ends too early");
    }
    return static_cast<std::size_t>(count);
  }

  std::string_view text() {
    const std::size_t size = length(1);
    if (size > kLongest) throw UbjsonFault("a text in it is too long");
    const std::span<const std::uint8_t> letters = take(size);
    return {reinterpret_cast<const char*>(letters.data()), letters.size()};
  }

  void skip_value(int depth) {
    if (depth > kDeepest) throw UbjsonFault("it is nested too deeply");
    switch (const char marker = take()) {
      case '{':
        while (peek() != '}') {
          text();
          skip_value(depth + 1);
        }
        expect('}');
        break;
      case '[':
        skip_list(depth);
        break;
      case 'S':
        text();
        break;
      default:
        take(width(marker));
    }
  }

  static std::size_t width(char type) {
    switch (type) {
      case 'i':
      case 'U':
        return 1;
      case 'I':
        return 2;
      case 'l':
      case 'd':
        return 4;
      case 'L':
        return 8;
      default:
        throw UbjsonFault("it holds a value of an unknown type");
    }
  }

 private:
  void skip_list(int depth) {
    if (peek() == '$') {
      take();
      const std::size_t each = width(take());
      expect('#');
      take(length(each) * each);
      return;
    }
    expect('#');
    const std::size_t count = length(2);  // a marker and a byte at least
    for (std::size_t i = 0; i < count; ++i) skip_value(depth + 1);
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

UbjsonValue::UbjsonValue(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
  Cursor cursor(bytes);
  cursor.skip_value(1);
  if (!cursor.ended()) throw UbjsonFault("bytes follow after its end");
}

UbjsonValue::Members UbjsonValue::members() const {
  Cursor cursor(bytes_);
  cursor.expect('{');
  Members found;
  while (cursor.peek() != '}') {
    const std::string_view name = cursor.text();
    const bool twice = std::any_of(found.begin(), found.end(),
                                   [&](const auto& member) { return member.first == name; });
    if (twice || found.size() == kWidest) throw UbjsonFault("it has a name twice or too many");
    const std::size_t begin = cursor.position();
    cursor.skip_value(1);
    UbjsonValue value;
    value.bytes_ = bytes_.subspan(begin, cursor.position() - begin);
    found.emplace_back(name, value);
  }
  return found;
}

std::vector<UbjsonValue> UbjsonValue::items() const {
  Cursor cursor(bytes_);
  cursor.expect('[');
  cursor.expect('#');
  std::vector<UbjsonValue> found(cursor.length(2), UbjsonValue());
  for (UbjsonValue& value : found) {
    const std::size_t begin = cursor.position();
    cursor.skip_value(1);
    value.bytes_ = bytes_.subspan(begin, cursor.position() - begin);
  }
  return found;
}

std::string_view UbjsonValue::text() const {
  Cursor cursor(bytes_);
  cursor.expect('S');
  return cursor.text();
}

std::int64_t UbjsonValue::integer() const {
  Cursor cursor(bytes_);
  const char marker = cursor.take();
  const std::span<const std::uint8_t> digits = cursor.take(Cursor::width(marker));
  switch (marker) {
    case 'i':
      return UbjsonNumbers<std::int8_t>(digits)[0];
    case 'U':
      return UbjsonNumbers<std::uint8_t>(digits)[0];
    case 'I':
      return UbjsonNumbers<std::int16_t>(digits)[0];
    case 'l':
      return UbjsonNumbers<std::int32_t>(digits)[0];
    case 'L':
      return UbjsonNumbers<std::int64_t>(digits)[0];
    default:
      throw UbjsonFault("a number in it is not whole");
  }
}

std::span<const std::uint8_t> UbjsonValue::packed(char type) const {
  Cursor cursor(bytes_);
  cursor.expect('[');
  cursor.expect('$');
  cursor.expect(type);
  cursor.expect('#');
  const std::size_t each = Cursor::width(type);
  return cursor.take(cursor.length(each) * each);
}

}  // namespace pegnn
