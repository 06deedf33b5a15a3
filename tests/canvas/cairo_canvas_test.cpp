#include "io/canvas.h"

#include <gtest/gtest.h>

#include "gdal/fixture.h"

namespace pegnn {
namespace {

constexpr Rgb kBlack{0, 0, 0}, kRed{1, 0, 0};

class CanvasTest : public test::GdalTest {
 protected:
  void SetUp() override {
    GdalTest::SetUp();
    if (canvas(1, 1) == nullptr) GTEST_SKIP() << "this build has no Pango";
  }
  static std::unique_ptr<Canvas> canvas(std::int64_t width, std::int64_t height) {
    std::string why_not;
    return create_canvas(width, height, why_not);
  }
  // One band of the picture as GDAL reads it, row by row.
  std::vector<double> band(Canvas& canvas, std::int64_t width, std::int64_t height,
                           int band) const {
    const std::string png = file("picture.png", canvas.png(width, height));
    file("picture.pgw", "1\n0\n0\n-1\n0.5\n-0.5\n");  // pixels are places
    const auto source = module().open_raster({.place = png, .band = band});
    EXPECT_EQ(source->grid().width, width);
    EXPECT_EQ(source->grid().height, height);
    std::vector<Point> points;
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        points.push_back({static_cast<double>(x) + 0.5, -static_cast<double>(y) - 0.5});
      }
    }
    std::vector<double> values(points.size());
    source->sample(points, values);
    return values;
  }
};

TEST_F(CanvasTest, IsWhiteUntilDrawnOn) {
  const auto made = canvas(4, 3);
  EXPECT_EQ(band(*made, 4, 3, 2), std::vector<double>(12, 255));
}

TEST_F(CanvasTest, ShadesPixelsByHowMuchOfThemIsCovered) {
  const auto made = canvas(4, 3);
  made->fill({1, 1, 2.5, 2}, kBlack);
  const std::vector<double> seen = band(*made, 4, 3, 1);
  EXPECT_EQ(seen[5], 0);
  EXPECT_NEAR(seen[6], 128, 2);
  EXPECT_EQ(seen[7], 255);
  EXPECT_EQ(seen[1], 255);
}

TEST_F(CanvasTest, FillsHalfASquareByATriangleWhicheverWayRound) {
  for (const bool turned : {false, true}) {
    const auto made = canvas(20, 20);
    const Pixel a{0, 0}, b{20, 0}, c{0, 20};
    made->triangle(a, turned ? c : b, turned ? b : c, kBlack);
    double dark = 0;
    for (const double value : band(*made, 20, 20, 1)) dark += 1 - value / 255;
    EXPECT_NEAR(dark, 200, 2);
  }
}

TEST_F(CanvasTest, PutsPixelsWhereTheyBelongAndLeavesOutThoseBeyond) {
  const auto made = canvas(3, 3);
  const std::vector<std::uint32_t> colours{0x102030, 0x405060, 0x708090, 0xa0b0c0};
  made->pixels(2, 1, 2, colours);
  EXPECT_EQ(band(*made, 3, 3, 1),
            (std::vector<double>{255, 255, 255, 255, 255, 0x10, 255, 255, 0x70}));
  EXPECT_EQ(band(*made, 3, 3, 3),
            (std::vector<double>{255, 255, 255, 255, 255, 0x30, 255, 255, 0x90}));
}

TEST_F(CanvasTest, WritesTheUpperLeftPart) {
  const auto made = canvas(9, 9);
  made->fill({0, 0, 2, 1}, kRed);
  EXPECT_EQ(band(*made, 3, 2, 2), (std::vector<double>{0, 0, 255, 255, 255, 255}));
}

TEST_F(CanvasTest, WritesTextOnItsBaseLineAtEitherEnd) {
  for (const Anchor anchor : {Anchor::start, Anchor::middle, Anchor::end}) {
    const auto made = canvas(200, 40);
    made->text({100, 30}, "HHH", {20}, kBlack, anchor);
    const double width = made->text_width("HHH", {20});
    const double left = anchor == Anchor::start    ? 100
                        : anchor == Anchor::middle ? 100 - width / 2
                                                   : 100 - width;
    const std::vector<double> seen = band(*made, 200, 40, 1);
    double dark = 0, outside = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const auto x = static_cast<double>(i % 200), y = static_cast<double>(i / 200);
      dark += 1 - seen[i] / 255;
      if (y >= 30 || y < 12 || x < left - 1 || x > left + width + 1) outside += 1 - seen[i] / 255;
    }
    EXPECT_GT(dark, 100);
    EXPECT_EQ(outside, 0);
  }
}

TEST_F(CanvasTest, PutsTextThatRunsToTheLeftWhereOthersGo) {
  const auto made = canvas(400, 40);
  made->text({20, 30}, "ارتفاع", {20}, kBlack, Anchor::start, 350);
  const std::vector<double> seen = band(*made, 400, 40, 1);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_TRUE(i % 400 < 150 || seen[i] == 255) << i;
  }
}

TEST_F(CanvasTest, MeasuresTextAndCutsWhatIsTooLong) {
  const auto made = canvas(10, 10);
  EXPECT_EQ(made->text_width("", {20}), 0);
  EXPECT_GT(made->text_width("mm", {20}), made->text_width("m", {20}));
  EXPECT_GT(made->text_width("m", {40}), made->text_width("m", {20}));
  EXPECT_GT(made->text_width("elevation", {20, true}), made->text_width("elevation", {20}));
  const double whole = made->text_width("elevation", {20});
  EXPECT_EQ(made->text_width("elevation", {20}, whole + 1), whole);
  EXPECT_LE(made->text_width("elevation", {20}, whole / 2), whole / 2);
  EXPECT_GT(made->text_width("elevation", {20}, whole / 2), whole / 4);
  EXPECT_LE(made->text_width(std::string(100'000, 'W'), {20}, 500), 500);
}

TEST_F(CanvasTest, TakesAnyBytesAsText) {
  const auto made = canvas(300, 40);
  for (const std::string& text : {std::string("a\nb\tc\r"), std::string("\xff\xfe caf\xe9"),
                                  std::string("a\0b", 3), std::string("température °C")}) {
    made->text({10, 30}, text, {20}, kBlack);
    EXPECT_GT(made->text_width(text, {20}), 0);
  }
  EXPECT_FALSE(made->png(300, 40).empty());
}

TEST_F(CanvasTest, SaysThatNoFontHasACharacter) {
  const auto made = canvas(300, 40);
  made->text({10, 30}, "120°W −5 ×10⁶ é", {20}, kBlack);
  EXPECT_EQ(made->font_note(), "");
  made->text({10, 30}, "\U0010FFFD", {20}, kBlack);  // for private use: in no font
  EXPECT_NE(made->font_note().find("boxes"), std::string::npos);
}

TEST_F(CanvasTest, DrawsTheSameBytesAgain) {
  const auto draw = [] {
    const auto made = canvas(300, 60);
    made->fill({3.3, 4.4, 100.5, 50}, kRed);
    made->text({10, 30}, "WGS 84 / UTM zone 32N, 37.5°N", {18, true}, kBlack);
    return made->png(300, 60);
  };
  EXPECT_EQ(draw(), draw());
}

}  // namespace
}  // namespace pegnn
