#pragma once
// Reads back the pictures we write: an own, strict reader of the PNG files that report/png.h makes.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <zlib.h>

#include "report/png.h"

namespace pegnn {

inline std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

// Truecolour of eight bits, not interlaced; an empty image and a failed test for anything else.
inline Image read_png(const std::string& file) {
  Image image;
  const std::string_view bytes = file;
  if (bytes.substr(0, 8) != std::string_view("\x89PNG\r\n\x1a\n", 8)) {
    ADD_FAILURE() << "not a PNG file";
    return image;
  }
  std::string packed, names;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = big_endian(bytes, at);
    const std::string_view name = bytes.substr(at + 4, 4), data = bytes.substr(at + 8, length);
    const std::string_view summed = bytes.substr(at + 4, length + 4);
    EXPECT_EQ(
        big_endian(bytes, at + 8 + length),
        crc32(0, reinterpret_cast<const Bytef*>(summed.data()), static_cast<uInt>(summed.size())))
        << name;
    names += name;
    if (name == "IDAT") packed += data;
    if (name == "IHDR") {
      EXPECT_EQ(data.substr(8), std::string_view("\x08\x02\0\0\0", 5));
      image = Image(big_endian(data, 0), big_endian(data, 4));
    }
    at += 12 + length;
  }
  EXPECT_EQ(names, "IHDRsRGBIDATIEND");
  const std::size_t row = 3 * static_cast<std::size_t>(image.width);
  std::string plain((row + 1) * static_cast<std::size_t>(image.height), '\0');
  uLongf size = static_cast<uLongf>(plain.size());
  EXPECT_EQ(
      uncompress(reinterpret_cast<Bytef*>(plain.data()), &size,
                 reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size())),
      Z_OK);
  EXPECT_EQ(size, plain.size());
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) {
    const int filter = plain[y * (row + 1)];
    for (std::size_t i = 0; i < row; ++i) {
      const auto before = [&](bool left, bool above) {
        if ((left && i < 3) || (above && y == 0)) return 0;
        return static_cast<int>(image.rgb[(y - (above ? 1 : 0)) * row + i - (left ? 3U : 0U)]);
      };
      const int a = before(true, false), b = before(false, true), c = before(true, true);
      const int pa = std::abs(b - c), pb = std::abs(a - c), pc = std::abs(a + b - 2 * c);
      const int paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      const int guesses[] = {0, a, b, (a + b) / 2, paeth};
      const int guess = filter >= 0 && filter < 5 ? guesses[filter] : 0;
      image.rgb[y * row + i] = static_cast<std::uint8_t>(
          static_cast<unsigned char>(plain[y * (row + 1) + 1 + i]) + guess);
    }
  }
  return image;
}

// "#rrggbb" of a pixel.
inline std::string pixel_text(const Image& image, std::int64_t column, std::int64_t row) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "#";
  for (std::size_t c = 0; c < 3; ++c) {
    const unsigned value = image.rgb[3 * static_cast<std::size_t>(row * image.width + column) + c];
    text += kDigits[value / 16];
    text += kDigits[value % 16];
  }
  return text;
}

// Pixels of exactly this colour.
inline std::int64_t count_pixels(const Image& image, const std::string& colour) {
  std::int64_t count = 0;
  for (std::int64_t y = 0; y < image.height; ++y) {
    for (std::int64_t x = 0; x < image.width; ++x) count += pixel_text(image, x, y) == colour;
  }
  return count;
}

}  // namespace pegnn
