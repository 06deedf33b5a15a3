#include "report/raster_preview.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "report/colour.h"
#include "report/pixels.h"

namespace pegnn {
namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
constexpr const char* kGrey = "#ebedf0";  // cells without data

RasterPreview raster(std::int64_t width, std::int64_t height, float first = 0, float step = 1) {
  RasterPreview made;
  made.width = width;
  made.height = height;
  made.x = 5;
  made.y = 10;
  made.dx = made.dy = 0.1;
  for (std::int64_t i = 0; i < width * height; ++i) {
    made.cells.push_back(first + step * static_cast<float>(i));
  }
  made.title = "elevation";
  made.subtitle = "airports.csv · EPSG:4326";
  return made;
}

TEST(RasterPreview, HasASizeFitForAPageWhateverTheShape) {
  for (const auto& [width, height] :
       {std::pair<std::int64_t, std::int64_t>{1, 1}, {1200, 1}, {1, 1200}, {300, 200}, {50, 400}}) {
    for (const bool geographic : {true, false}) {
      RasterPreview made = raster(width, height);
      made.geographic = geographic;
      const Image image = read_png(render_preview(made));
      EXPECT_GE(image.width, 1000) << width << " x " << height;
      EXPECT_LE(image.width, 1200);
      EXPECT_GE(image.height, 150);
      EXPECT_LE(image.height, 1300);
    }
  }
}

TEST(RasterPreview, ShowsEveryCellInItsColour) {
  // Four cells, north first: colours at 0, 1/3, 2/3 and 1 of the range.
  RasterPreview made = raster(2, 2);
  made.geographic = false;
  made.lo = 0;
  made.hi = 3;
  const Image image = read_png(render_preview(made));
  const std::int64_t first = count_pixels(image, hex(sequential(0)));
  EXPECT_GT(first, 100'000);
  // The colours of the bar are far fewer than those of a cell.
  for (const double share : {1.0 / 3, 2.0 / 3, 1.0}) {
    const std::int64_t count = count_pixels(image, hex(sequential(std::round(share * 511) / 511)));
    EXPECT_NEAR(static_cast<double>(count), static_cast<double>(first), 2000) << share;
  }
  // The first cell lies in the north-west.
  std::int64_t x = 0;
  const auto is_first = [&](std::int64_t column, std::int64_t row) {
    return pixel_text(image, column, row) == hex(sequential(0));
  };
  while (x < image.width && !is_first(x, image.height / 4)) ++x;
  EXPECT_LT(x, image.width / 3);
  EXPECT_FALSE(is_first(x, 3 * image.height / 4));
}

TEST(RasterPreview, LeavesCellsWithoutDataGreyAndSaysSo) {
  RasterPreview made = raster(2, 1);
  made.cells[1] = kNoValue;
  const Image half = read_png(render_preview(made));
  EXPECT_GT(count_pixels(half, kGrey), 100'000);
  made.cells[0] = kNoValue;
  const Image none = read_png(render_preview(made));
  EXPECT_GT(count_pixels(none, kGrey), 200'000);
  EXPECT_EQ(count_pixels(none, hex(sequential(0))), 0) << "no bar of colours";
}

TEST(RasterPreview, DrawsARangeThatIsCutWithPointedEnds) {
  RasterPreview made = raster(10, 10);
  made.geographic = false;
  const auto ends = [&](double lo, double hi) {
    made.lo = lo;
    made.hi = hi;
    return render_preview(made);
  };
  // A range that holds all cells, one that cuts below, and one that cuts above: three pictures.
  EXPECT_NE(ends(0, 99), ends(20, 99));
  EXPECT_NE(ends(0, 99), ends(0, 80));
  // Left to the cells, the range is that of the middle 96 %.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ends(nan, nan), ends(2, 97));
}

TEST(RasterPreview, DrawsOneValueEverywhereInTheMiddleColour) {
  const Image image = read_png(render_preview(raster(4, 4, 7, 0)));
  EXPECT_GT(count_pixels(image, hex(sequential(256.0 / 511))), 300'000);
}

TEST(RasterPreview, KeepsTheSameShapeAcrossTheAntimeridian) {
  RasterPreview east = raster(30, 20), across = raster(30, 20);
  east.x = 100;
  across.x = 179;
  const Image a = read_png(render_preview(east)), b = read_png(render_preview(across));
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
}

TEST(RasterPreview, TakesTextOfAnyLengthAndNone) {
  RasterPreview made = raster(3, 3);
  made.title.assign(5000, 'W');
  made.subtitle.assign(5000, 'x');
  made.unit_note.assign(5000, 'y');
  EXPECT_LE(read_png(render_preview(made)).width, 1200);
  made.title = made.subtitle = made.unit_note = "";
  EXPECT_LE(read_png(render_preview(made)).width, 1200);
}

}  // namespace
}  // namespace pegnn
