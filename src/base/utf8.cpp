#include "base/utf8.h"

namespace pegnn {
namespace {

bool is_continuation(unsigned char c) { return (c & 0xC0U) == 0x80U; }

}  // namespace

// The ranges of the second byte are those of table 3-7 of the Unicode standard.
std::size_t utf8_length(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const unsigned char first = at(0), second = at(1);
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return is_continuation(second) ? 2 : 0;
  if (first < 0xF0) {
    const unsigned char low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return second >= low && second <= high && is_continuation(at(2)) ? 3 : 0;
  }
  if (first < 0xF5) {
    const unsigned char low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high && is_continuation(at(2)) && is_continuation(at(3)) ? 4
                                                                                               : 0;
  }
  return 0;
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string excerpt(std::string_view text, std::size_t characters) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!is_continuation(byte) && characters-- == 0) break;
    result += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  return result;
}

}  // namespace pegnn
