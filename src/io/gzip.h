#pragma once
// Unpacking gzip bytes, with a guard against files that unpack to far more than a table would.

#include <cstdint>
#include <string>
#include <string_view>

namespace pegnn {

// A file is refused as a decompression bomb when it unpacks to more than `most_bytes`, or to more
// than `free_bytes` and more than `most_ratio` times its own size. Tables of numbers pack 3 to 20
// times smaller, the most regular ones (a coarse grid) some 100 times; deflate ends at about 1030.
struct UnpackLimits {
  std::uint64_t free_bytes = std::uint64_t{256} << 20;
  std::uint64_t most_ratio = 250;
  std::uint64_t most_bytes = std::uint64_t{64} << 30;
};

// True when `bytes` start with gzip's magic number.
bool is_gzip(std::string_view bytes);

// The unpacked content of all members of a gzip file, joined. Error{data} naming `source` when the
// bytes are truncated, damaged, followed by something else, or unpack past `limits`.
std::string gunzip(std::string_view bytes, const std::string& source,
                   const UnpackLimits& limits = {});

}  // namespace pegnn
