#include "io/encoding.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <iconv.h>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

class DecodedBytes final : public ByteSource {
 public:
  DecodedBytes(std::unique_ptr<ByteSource> bytes, const std::string& encoding, std::string source)
      : bytes_(std::move(bytes)),
        encoding_(encoding),
        source_(std::move(source)),
        converter_(::iconv_open("UTF-8", encoding.c_str())) {
    // Of `latin1//IGNORE` the second half would drop what cannot be read, without a word.
    const bool plain = encoding.find_first_not_of(' ') != std::string::npos &&
                       encoding.find('/') == std::string::npos;
    if (converter_ != kNone && plain) return;
    if (converter_ != kNone) ::iconv_close(converter_);
    throw Error(ErrorKind::usage,
                fmt::format("<option:encoding>: '{}' is not known here; there are utf-8, latin1, "
                            "windows-1252, utf-16 and those of `iconv -l`",
                            encoding));
  }
  DecodedBytes(const DecodedBytes&) = delete;
  DecodedBytes& operator=(const DecodedBytes&) = delete;
  ~DecodedBytes() override { ::iconv_close(converter_); }

  std::size_t read(char* out, std::size_t room) override {
    while (at_ == ready_) {
      if (!convert_some()) return 0;
    }
    const std::size_t count = std::min(room, ready_ - at_);
    std::copy_n(text_ + at_, count, out);
    at_ += count;
    return count;
  }

 private:
  static inline const iconv_t kNone = reinterpret_cast<iconv_t>(-1);
  static constexpr std::size_t kPiece = 1 << 15;
  static constexpr std::size_t kRoom = 4 * kPiece;  // what does not fit waits for the next call

  // Text from the next bytes, which may end inside a character; false at the end of all.
  bool convert_some() {
    const std::size_t length = kept_ + read_fully(*bytes_, raw_ + kept_, kPiece - kept_);
    const bool last = length < kPiece;
    if (length == 0) return flush();
    char* from = raw_;
    char* to = text_;
    std::size_t left = length, room = kRoom;
    const bool done = ::iconv(converter_, &from, &left, &to, &room) != static_cast<std::size_t>(-1);
    const bool full = !done && errno == E2BIG && room < kRoom;
    const bool cut = !done && errno == EINVAL && !last;  // more bytes complete the character
    converted_ += length - left;
    if (!done && !full && !cut) {
      throw Error(
          ErrorKind::data,
          fmt::format("{}: byte {} (0x{:02X}) is not {}; <option:encoding> names another", source_,
                      converted_ + 1, static_cast<unsigned char>(*from), encoding_));
    }
    std::copy_n(from, left, raw_);
    kept_ = left;
    at_ = 0;
    ready_ = kRoom - room;
    return true;
  }

  // Some encodings hold a character back until they know that no accent follows.
  bool flush() {
    if (flushed_) return false;
    flushed_ = true;
    char* to = text_;
    std::size_t room = kRoom;
    ::iconv(converter_, nullptr, nullptr, &to, &room);
    at_ = 0;
    ready_ = kRoom - room;
    return ready_ > 0;
  }

  std::unique_ptr<ByteSource> bytes_;
  std::string encoding_, source_;
  iconv_t converter_;
  std::uint64_t converted_ = 0;
  std::size_t kept_ = 0;  // bytes of a character whose end is still to come, or that wait
  bool flushed_ = false;
  std::size_t at_ = 0, ready_ = 0;
  char raw_[kPiece];
  char text_[kRoom];
};

}  // namespace

std::unique_ptr<ByteSource> decoded(std::unique_ptr<ByteSource> bytes, const std::string& encoding,
                                    const std::string& source) {
  return std::make_unique<DecodedBytes>(std::move(bytes), encoding, source);
}

}  // namespace pegnn
