#include "io/gzip.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>
#include <zlib.h>

#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// One inflate stream, ended on every way out.
class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 15 + 16;  // zlib's way to say: largest window, gzip header and CRC
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      throw Error(ErrorKind::memory, "not enough memory to unpack gzip");
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Takes from `in` and writes to [out, out + room) what it can; returns zlib's status.
  int step(std::string_view& in, char* out, std::size_t room, std::size_t& written) {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();  // zlib counts in 32 bits
    const std::size_t offered = std::min(in.size(), kMost), space = std::min(room, kMost);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(offered);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(space);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(offered - stream_.avail_in);
    written = space - stream_.avail_out;
    return status;
  }

  void next_member() { inflateReset(&stream_); }
  const char* reason() const { return stream_.msg != nullptr ? stream_.msg : "invalid data"; }

 private:
  z_stream stream_{};
};

void check_limits(std::uint64_t unpacked, std::uint64_t packed, const std::string& source,
                  const UnpackLimits& limits) {
  if (unpacked <= limits.free_bytes) return;
  const bool too_large = unpacked > limits.most_bytes;
  if (!too_large && unpacked / limits.most_ratio <= packed) return;
  const auto count = [](std::uint64_t n) { return format_count(static_cast<long long>(n)); };
  throw Error(
      ErrorKind::data,
      fmt::format("{}: its {} gzip bytes unpack to more than {}; refused as a decompression bomb. "
                  "If the table is genuine, unpack it first (gunzip) and read the plain file",
                  source, count(packed),
                  too_large ? count(limits.most_bytes) + " bytes"
                            : count(limits.most_ratio) + " times as many"));
}

class GunzipBytes final : public ByteSource {
 public:
  GunzipBytes(std::unique_ptr<ByteSource> packed, const std::string& source,
              const UnpackLimits& limits)
      : packed_(std::move(packed)), source_(source), limits_(limits), buffer_(kBuffer, '\0') {}

  std::size_t read(char* out, std::size_t room) override {
    while (!finished_) {
      std::size_t written = 0;
      const int status = inflater_.step(in_, out, room, written);
      unpacked_ += written;
      check_limits(unpacked_, std::max(packed_->size().value_or(0), come_), source_, limits_);
      if (status == Z_STREAM_END) {
        next_member();
      } else if (status == Z_MEM_ERROR) {
        throw Error(ErrorKind::memory, fmt::format("{}: not enough memory to unpack it", source_));
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        fail(fmt::format("the gzip data is damaged near byte {} ({})", come_ - in_.size(),
                         inflater_.reason()));
      } else if (in_.empty() && written == 0 && !refill()) {
        fail("the gzip data is truncated");
      }
      if (written > 0) return written;
    }
    return 0;
  }

 private:
  static constexpr std::size_t kBuffer = 1 << 16;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::data, fmt::format("{}: {}", source_, what));
  }

  // Reads on behind the bytes not yet taken; false at the end.
  bool refill() {
    const std::size_t kept = in_.size();
    std::copy(in_.begin(), in_.end(), buffer_.begin());
    const std::size_t got = packed_->read(buffer_.data() + kept, buffer_.size() - kept);
    come_ += got;
    in_ = std::string_view(buffer_).substr(0, kept + got);
    return got > 0;
  }

  void next_member() {
    while (in_.size() < kGzipMagic.size() && refill()) {
    }
    finished_ = in_.empty();
    if (finished_) return;
    if (!is_gzip(in_)) {
      std::uint64_t bytes = 0;
      do {
        bytes += std::exchange(in_, {}).size();
      } while (refill());
      fail(fmt::format("{} bytes after the end of the gzip data are not gzip", bytes));
    }
    inflater_.next_member();
  }

  std::unique_ptr<ByteSource> packed_;
  std::string source_;
  UnpackLimits limits_;
  Inflater inflater_;
  std::string buffer_;
  std::string_view in_;     // of the buffer: what has come and is not unpacked
  std::uint64_t come_ = 0;  // packed bytes, all in all
  std::uint64_t unpacked_ = 0;
  bool finished_ = false;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with(kGzipMagic); }

std::unique_ptr<ByteSource> gunzip_bytes(std::unique_ptr<ByteSource> packed,
                                         const std::string& source, const UnpackLimits& limits) {
  return std::make_unique<GunzipBytes>(std::move(packed), source, limits);
}

}  // namespace pegnn
