#pragma once
// An image of RGB pixels and its bytes as a PNG file.

#include <cstdint>
#include <string>
#include <vector>

namespace pegnn {

// Eight bits for each of red, green and blue, row by row from the top.
struct Image {
  std::int64_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // 3 * width * height

  Image() = default;
  // All white; both sides at least 1.
  Image(std::int64_t columns, std::int64_t rows);
};

// The file (PNG, third edition, W3C 2025): truecolour, not interlaced. The same image gives the
// same pixels on every machine, not the same bytes: these are the compressor's.
std::string png_bytes(const Image& image);

}  // namespace pegnn
