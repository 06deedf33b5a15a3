#pragma once
// Unpacking gzip bytes, with a guard against files that unpack to far more than a table would.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/byte_source.h"

namespace pegnn {

// A file is refused as a decompression bomb when it unpacks to more than `most_bytes`, or to more
// than `free_bytes` and more than `most_ratio` times its own size. Tables of numbers pack 3 to 20
// times smaller, the most regular ones (a coarse grid) some 100 times; deflate ends at about 1030.
struct UnpackLimits {
  std::uint64_t free_bytes = std::uint64_t{256} << 20;
  std::uint64_t most_ratio = 250;
  std::uint64_t most_bytes = std::uint64_t{64} << 30;
};

inline constexpr std::string_view kGzipMagic = "\x1f\x8b";

// True when `bytes` start with gzip's magic number.
bool is_gzip(std::string_view bytes);

// The unpacked content of all members of a gzip file, joined, bit by bit. Reading is an Error{data}
// naming `source` when the bytes are truncated, damaged, followed by something else, or unpack past
// `limits`; where the size of `packed` is not known beforehand, what has come of it counts.
std::unique_ptr<ByteSource> gunzip_bytes(std::unique_ptr<ByteSource> packed,
                                         const std::string& source,
                                         const UnpackLimits& limits = {});

}  // namespace pegnn
