#include "io/gzip.h"

#include <algorithm>
#include <limits>

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

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

std::string gunzip(std::string_view bytes, const std::string& source, const UnpackLimits& limits) {
  const std::uint64_t packed = bytes.size();
  Inflater inflater;
  std::string out;
  std::size_t filled = 0;
  std::string_view in = bytes;
  for (;;) {
    if (filled == out.size()) out.resize(std::max<std::size_t>({1 << 16, packed, filled * 2}));
    std::size_t written = 0;
    const int status = inflater.step(in, out.data() + filled, out.size() - filled, written);
    filled += written;
    check_limits(filled, packed, source, limits);
    if (status == Z_STREAM_END) {
      if (in.empty()) break;
      if (!is_gzip(in)) {
        throw Error(ErrorKind::data,
                    fmt::format("{}: {} bytes after the end of the gzip data are not gzip", source,
                                in.size()));
      }
      inflater.next_member();
    } else if (status == Z_MEM_ERROR) {
      throw Error(ErrorKind::memory, fmt::format("{}: not enough memory to unpack it", source));
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: the gzip data is damaged near byte {} ({})", source,
                              bytes.size() - in.size(), inflater.reason()));
    } else if (in.empty() && filled < out.size()) {
      // Room is left, nothing is left to read, and the end mark has not come.
      throw Error(ErrorKind::data, fmt::format("{}: the gzip data is truncated", source));
    }
  }
  out.resize(filled);
  return out;
}

}  // namespace pegnn
