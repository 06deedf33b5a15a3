#include "report/canvas.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "report/pixels.h"

namespace pegnn {
namespace {

constexpr Rgb kBlack{0, 0, 0};

TEST(Canvas, IsWhiteUntilDrawnOn) {
  const Canvas canvas(7, 5);
  EXPECT_EQ(count_pixels(canvas.image(), "#ffffff"), 35);
}

TEST(Canvas, ShadesPixelsByHowMuchOfThemIsCovered) {
  Canvas canvas(4, 3);
  canvas.fill({1, 1, 2.5, 2}, kBlack);
  EXPECT_EQ(pixel_text(canvas.image(), 1, 1), "#000000");
  EXPECT_EQ(pixel_text(canvas.image(), 2, 1), "#808080");
  EXPECT_EQ(count_pixels(canvas.image(), "#ffffff"), 10);
}

TEST(Canvas, DrawsAFrameAroundItsBox) {
  Canvas canvas(5, 5);
  canvas.frame({1, 1, 4, 4}, 1, kBlack);
  EXPECT_EQ(count_pixels(canvas.image(), "#000000"), 16);
  EXPECT_EQ(count_pixels(canvas.image(), "#ffffff"), 9);
}

TEST(Canvas, FillsHalfASquareByATriangleWhicheverWayRound) {
  for (const bool turned : {false, true}) {
    Canvas canvas(20, 20);
    const Pixel a{0, 0}, b{20, 0}, c{0, 20};
    canvas.triangle(a, turned ? c : b, turned ? b : c, kBlack);
    double dark = 0;
    for (std::size_t i = 0; i < canvas.image().rgb.size(); i += 3) {
      dark += 1 - canvas.image().rgb[i] / 255.0;
    }
    EXPECT_NEAR(dark, 200, 2);  // 64 samples a pixel
  }
}

TEST(Canvas, DrawsCrossingStrokesOnce) {
  const Stroke level{{2, 5}, {18, 5}, 0.7}, upright{{10, 1}, {10, 9}, 0.7};
  Canvas alone(20, 10), crossed(20, 10);
  alone.strokes(std::array{level}, kBlack);
  crossed.strokes(std::array{level, upright, level}, kBlack);
  for (std::int64_t x : {3, 6, 15}) {
    EXPECT_EQ(pixel_text(alone.image(), x, 5), pixel_text(crossed.image(), x, 5)) << x;
  }
}

TEST(Canvas, LeavesOutWhatLiesBeyondIt) {
  Canvas canvas(6, 6);
  const double far = 1e300, nan = std::numeric_limits<double>::quiet_NaN();
  canvas.fill({-far, -far, far, 1}, kBlack);
  canvas.fill({nan, nan, nan, nan}, kBlack);
  canvas.strokes(std::array{Stroke{{-50, -50}, {-40, -40}, 1}}, kBlack);
  canvas.triangle({30, 30}, {40, 30}, {35, 40}, kBlack);
  canvas.blend(-1, 2, kBlack);
  canvas.blend(2, 6, kBlack);
  EXPECT_EQ(count_pixels(canvas.image(), "#000000"), 6);
  EXPECT_EQ(count_pixels(canvas.image(), "#ffffff"), 30);
}

}  // namespace
}  // namespace pegnn
