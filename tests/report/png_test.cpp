#include "report/png.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "report/pixels.h"

namespace pegnn {
namespace {

Image made(std::int64_t width, std::int64_t height, auto&& colour) {
  Image image(width, height);
  for (std::size_t i = 0; i < image.rgb.size(); ++i) {
    image.rgb[i] = static_cast<std::uint8_t>(colour(i));
  }
  return image;
}

TEST(Png, ComesBackAsItWas) {
  const auto noise = [](std::size_t i) { return i * 2654435761U >> 13; };
  const auto slope = [](std::size_t i) { return i / 7 + i % 3 * 40; };
  for (const Image& image : {made(1, 1, noise), made(5, 1, noise), made(1, 9, slope),
                             made(64, 48, noise), made(130, 90, slope), Image(40, 30)}) {
    const Image back = read_png(png_bytes(image));
    EXPECT_EQ(back.width, image.width);
    EXPECT_EQ(back.height, image.height);
    EXPECT_EQ(back.rgb, image.rgb);
  }
}

TEST(Png, PacksEvenAreasAndGradients) {
  EXPECT_LT(png_bytes(Image(1000, 1000)).size(), 10'000U);
  EXPECT_LT(png_bytes(made(1000, 300, [](std::size_t i) { return i / 3 % 1000 / 4; })).size(),
            20'000U);
}

}  // namespace
}  // namespace pegnn
