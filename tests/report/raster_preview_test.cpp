#include "report/raster_preview.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "report/colour.h"
#include "report/drawn.h"

namespace pegnn {
namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t kGrey = 0xebedf0;  // cells without data

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

DrawnCanvas drawn(const RasterPreview& raster) {
  DrawnCanvas canvas;
  EXPECT_EQ(render_preview(raster, canvas), "a picture");
  return canvas;
}

// The colour of a share of the range, of as many as a picture has.
std::uint32_t colour_at(double share) {
  return static_cast<std::uint32_t>(
      std::stoul(hex(sequential(std::round(share * 511) / 511)).substr(1), nullptr, 16));
}

std::int64_t count(const DrawnCanvas& canvas, std::uint32_t colour) {
  return std::count(canvas.cells.begin(), canvas.cells.end(), colour);
}

bool apart(const Box& a, const Box& b) {
  return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
}

// Maps of all shapes, with small and large numbers, without their pixels.
const std::vector<DrawnCanvas>& all_shapes() {
  static std::vector<DrawnCanvas> made;
  if (!made.empty()) return made;
  const auto draw = [](const RasterPreview& raster) {
    made.push_back(drawn(raster));
    made.back().cells.clear();
  };
  for (const auto& [width, height] : {std::pair<std::int64_t, std::int64_t>{1, 1},
                                      {500, 1},
                                      {1, 500},
                                      {300, 200},
                                      {50, 400},
                                      {720, 280}}) {
    for (const bool geographic : {true, false}) {
      for (const float step : {0.0F, -3.7e8F, 2e-9F}) {
        for (const char* title : {"", "température °C"}) {
          RasterPreview one = raster(width, height, -5, step);
          one.geographic = geographic;
          one.title = title;
          one.unit_note = step < 0 ? "metres above the sea" : "";
          draw(one);
          one.cells.back() = kNoValue;
          draw(one);
        }
      }
    }
  }
  return made;
}

TEST(RasterPreview, HasASizeFitForAPageWhateverTheShape) {
  for (const DrawnCanvas& canvas : all_shapes()) {
    EXPECT_GE(canvas.width, 1000);
    EXPECT_LE(canvas.width, kPreviewWidth);
    EXPECT_GE(canvas.height, 150);
    EXPECT_LE(canvas.height, kPreviewHeight);
  }
}

TEST(RasterPreview, KeepsEverythingOnThePage) {
  for (const DrawnCanvas& canvas : all_shapes()) {
    const auto inside = [&](const Box& box) {
      return box.left >= 0 && box.top >= 0 && box.right <= static_cast<double>(canvas.width) &&
             box.bottom <= static_cast<double>(canvas.height);
    };
    EXPECT_TRUE(inside(canvas.map));
    for (const auto& one : canvas.fills) EXPECT_TRUE(inside(one.box));
    for (const auto& one : canvas.texts) {
      EXPECT_TRUE(inside(one.box)) << one.text;
    }
  }
}

TEST(RasterPreview, WritesNoTextOverAnotherOrOverTheMap) {
  for (const DrawnCanvas& canvas : all_shapes()) {
    for (std::size_t i = 0; i < canvas.texts.size(); ++i) {
      const auto& one = canvas.texts[i];
      EXPECT_TRUE(one.text == "no data" || apart(one.box, canvas.map)) << one.text;
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_TRUE(apart(one.box, canvas.texts[j].box))
            << one.text << " and " << canvas.texts[j].text;
      }
    }
  }
}

TEST(RasterPreview, ShowsEveryCellInItsColour) {
  // Four cells, north first: colours at 0, 1/3, 2/3 and 1 of the range.
  RasterPreview made = raster(2, 2);
  made.geographic = false;
  made.lo = 0;
  made.hi = 3;
  const DrawnCanvas canvas = drawn(made);
  const auto columns = static_cast<std::size_t>(canvas.map.width());
  EXPECT_GT(columns, 500U);
  EXPECT_EQ(canvas.cells.front(), colour_at(0));
  EXPECT_EQ(canvas.cells[columns - 1], colour_at(1.0 / 3));
  EXPECT_EQ(canvas.cells[canvas.cells.size() - columns], colour_at(2.0 / 3));
  EXPECT_EQ(canvas.cells.back(), colour_at(1));
  const double quarter = static_cast<double>(canvas.cells.size()) / 4;
  for (const double share : {0.0, 1.0 / 3, 2.0 / 3, 1.0}) {
    EXPECT_NEAR(static_cast<double>(count(canvas, colour_at(share))), quarter, 2000) << share;
  }
}

TEST(RasterPreview, ShowsTheMeanOfCellsThatShareAPixel) {
  RasterPreview made = raster(4000, 1, 0, 0);
  for (std::size_t i = 0; i < made.cells.size(); i += 2) made.cells[i] = 10;
  made.lo = 0;
  made.hi = 10;
  made.dy = 40;
  made.geographic = false;
  const DrawnCanvas canvas = drawn(made);
  for (const std::uint32_t cell : canvas.cells) {
    const double green = cell >> 8U & 255U;  // about 145 in the middle, 1 and 231 at the ends
    EXPECT_GT(green, 90);
    EXPECT_LT(green, 200);
  }
}

TEST(RasterPreview, LeavesCellsWithoutDataGreyAndSaysSo) {
  RasterPreview made = raster(2, 1);
  EXPECT_EQ(drawn(made).find("no data"), nullptr);
  made.cells[1] = kNoValue;
  const DrawnCanvas half = drawn(made);
  EXPECT_NEAR(static_cast<double>(count(half, kGrey)), static_cast<double>(half.cells.size()) / 2,
              1000);
  EXPECT_NE(half.find("no data"), nullptr);
  made.cells[0] = kNoValue;
  const DrawnCanvas none = drawn(made);
  EXPECT_EQ(count(none, kGrey), static_cast<std::int64_t>(none.cells.size()));
  ASSERT_NE(none.find("no data"), nullptr);
  EXPECT_FALSE(apart(none.find("no data")->box, none.map));
  EXPECT_LT(none.fills.size(), 40U) << "no bar of colours";
}

TEST(RasterPreview, DrawsARangeThatIsCutWithPointedEnds) {
  RasterPreview made = raster(10, 10);
  made.geographic = false;
  const auto ends = [&](double lo, double hi) {
    made.lo = lo;
    made.hi = hi;
    return drawn(made);
  };
  EXPECT_EQ(ends(0, 99).triangles, 0);
  EXPECT_EQ(ends(20, 99).triangles, 1);
  EXPECT_EQ(ends(0, 80).triangles, 1);
  // Left to the cells, the range is that of the middle 96 %.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ends(nan, nan).triangles, 2);
  EXPECT_EQ(ends(nan, nan).cells, ends(2, 97).cells);
}

TEST(RasterPreview, DrawsOneValueEverywhereInTheMiddleColour) {
  const DrawnCanvas canvas = drawn(raster(4, 4, 7, 0));
  EXPECT_EQ(count(canvas, colour_at(0.5)), static_cast<std::int64_t>(canvas.cells.size()));
  EXPECT_NE(canvas.find("7"), nullptr);
}

TEST(RasterPreview, KeepsTheSameShapeAcrossTheAntimeridian) {
  RasterPreview east = raster(30, 20), across = raster(30, 20);
  east.x = 100;
  across.x = 179;
  const DrawnCanvas a = drawn(east), b = drawn(across);
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  EXPECT_NE(b.find("180°"), nullptr);
}

TEST(RasterPreview, TakesTextOfAnyLengthAndNone) {
  RasterPreview made = raster(3, 3);
  made.title.assign(5000, 'W');
  made.subtitle.assign(5000, 'x');
  made.unit_note.assign(5000, 'y');
  const DrawnCanvas canvas = drawn(made);
  EXPECT_LE(canvas.width, kPreviewWidth);
  for (const auto& one : canvas.texts) EXPECT_LE(one.box.right, kPreviewWidth) << one.text.size();
  made.title = made.subtitle = made.unit_note = "";
  EXPECT_LE(drawn(made).width, kPreviewWidth);
}

}  // namespace
}  // namespace pegnn
