#include "report/raster_preview.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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
          one.name = title;
          one.unit = step < 0 ? "m above the sea" : "";
          draw(one);
          one.cells.back() = kNoValue;
          one.applicable.assign(one.cells.size(), 0);
          one.stations.assign(3000, {one.x, one.y});
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
    for (const Box& box : canvas.swatches) EXPECT_TRUE(inside(box));
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
  made.name.assign(5000, 'y');
  made.unit.assign(5000, 'z');
  const DrawnCanvas canvas = drawn(made);
  EXPECT_LE(canvas.width, kPreviewWidth);
  for (const auto& one : canvas.texts) EXPECT_LE(one.box.right, kPreviewWidth) << one.text.size();
  made.title = made.subtitle = made.name = made.unit = "";
  EXPECT_LE(drawn(made).width, kPreviewWidth);
}

TEST(RasterPreview, PalesAndHatchesWhatLiesOutsideTheAreaOfApplicability) {
  RasterPreview made = raster(2, 1, 7, 0);
  made.geographic = false;
  made.applicable = {1, 0};
  const DrawnCanvas canvas = drawn(made);
  const auto columns = static_cast<std::int64_t>(canvas.map.width());
  const std::uint32_t own = colour_at(0.5);
  std::map<std::uint32_t, std::int64_t> inside, outside;
  for (std::int64_t column = 0; column < columns; ++column) {
    if (column == columns / 2) continue;  // may show both
    ++(column < columns / 2 ? inside : outside)[canvas.cell(column, 5)];
  }
  EXPECT_EQ(1u, inside.size());
  EXPECT_EQ(own, inside.begin()->first);
  EXPECT_GE(outside.size(), 2u) << "lines on a pale ground";
  for (const auto& [colour, _] : outside) {
    for (const unsigned shift : {0U, 8U, 16U}) {
      EXPECT_GT(colour >> shift & 255U, own >> shift & 255U) << "nearer to paper";
    }
  }
  EXPECT_NE(nullptr, canvas.find("outside the area of applicability"));
  EXPECT_EQ(1u, canvas.swatches.size());
  made.applicable = {1, 1};
  EXPECT_EQ(nullptr, drawn(made).find("outside the area of applicability"));
  EXPECT_EQ(static_cast<std::int64_t>(canvas.cells.size()), count(drawn(made), own));
  made.applicable = {};
  EXPECT_EQ(static_cast<std::int64_t>(canvas.cells.size()), count(drawn(made), own));
}

TEST(RasterPreview, DoesNotLookAtTheAreaWhereThereIsNoData) {
  RasterPreview made = raster(2, 1);
  made.cells[1] = kNoValue;
  made.applicable = {1, kNoValue};
  EXPECT_EQ(nullptr, drawn(made).find("outside the area of applicability"));
}

constexpr std::uint32_t kDot = 0x0d0f14;

TEST(RasterPreview, DrawsStationsWhereTheyLie) {
  RasterPreview made = raster(30, 30, 5, 0);
  const auto pixel = [&](const DrawnCanvas& canvas, double east, double south) {
    return canvas.cell(static_cast<std::int64_t>(east * canvas.map.width()),
                       static_cast<std::int64_t>(south * canvas.map.height()));
  };
  EXPECT_EQ(0, count(drawn(made), kDot));
  made.stations = {{5.75, 7.75}};
  const DrawnCanvas one = drawn(made);
  EXPECT_EQ(kDot, pixel(one, 0.25, 0.75));
  EXPECT_LT(count(one, kDot), 40) << "a small dot";
  EXPECT_NE(nullptr, one.find("training point"));
  // A longitude of another turn is the same place; other places are not on the map.
  for (const double turn : {360.0, -720.0}) {
    made.stations = {{5.75 + turn, 7.75}, {50, 8}, {6, 20}, {6, kNoValue}, {kNoValue, 8}};
    const DrawnCanvas turned = drawn(made);
    EXPECT_TRUE(one.cells == turned.cells) << turn;
    EXPECT_NE(nullptr, turned.find("training point"));
  }
  made.geographic = false;
  EXPECT_EQ(0, count(drawn(made), kDot));
  EXPECT_EQ(nullptr, drawn(made).find("training point"));
}

TEST(RasterPreview, ManyStationsInOnePlaceAreOneDot) {
  RasterPreview made = raster(30, 30, 5, 0);
  made.stations.assign(1, {6, 8});
  const DrawnCanvas one = drawn(made);
  made.stations.assign(100'000, {6, 8});
  const DrawnCanvas many = drawn(made);
  EXPECT_TRUE(one.cells == many.cells);
  EXPECT_NE(nullptr, many.find("training points"));
}

TEST(RasterPreview, ShowsAStationAtBothEndsOfAWholeTurn) {
  RasterPreview made = raster(90, 30, 5, 0);
  made.x = 0;
  made.dx = made.dy = 4;
  made.y = 60;
  made.stations = {{0, 0}};
  const DrawnCanvas canvas = drawn(made);
  EXPECT_EQ(kDot, canvas.cell(0, static_cast<std::int64_t>(canvas.map.height()) / 2));
  EXPECT_EQ(kDot, canvas.cell(static_cast<std::int64_t>(canvas.map.width()) - 1,
                              static_cast<std::int64_t>(canvas.map.height()) / 2));
  EXPECT_NE(nullptr, canvas.find("training point"));
}

TEST(RasterPreview, OfVeryManyStationsDrawsSomeAllOverTheMap) {
  RasterPreview made = raster(40, 40, 5, 0);
  for (int i = 0; i < 200'000; ++i) {  // in the western half, and one in the east, the last
    made.stations.push_back({5 + 2.0 * (i % 500) / 500, 6 + 4.0 * (i / 500) / 400});
  }
  made.stations.push_back({8.5, 8});
  const DrawnCanvas canvas = drawn(made);
  const auto cells = static_cast<std::int64_t>(canvas.cells.size());
  const std::int64_t free = count(canvas, colour_at(0.5));
  EXPECT_GT(free, 7 * cells / 8) << "the map can be seen";
  EXPECT_LT(free, 49 * cells / 50);
  EXPECT_EQ(kDot, canvas.cell(static_cast<std::int64_t>(0.875 * canvas.map.width()),
                              static_cast<std::int64_t>(0.5 * canvas.map.height())));
  const auto told = std::ranges::find_if(canvas.texts, [](const auto& one) {
    return one.text.ends_with(" of 200,001 training points");
  });
  ASSERT_NE(canvas.texts.end(), told);
  EXPECT_LT(std::stoi(told->text.substr(0, told->text.find(','))), 10) << "a few thousand";
}

TEST(RasterPreview, TitlesItsBarWithNameAndUnit) {
  RasterPreview made = raster(3, 3);
  made.name = "zinc";
  EXPECT_NE(nullptr, drawn(made).find("zinc"));
  made.unit = "mg/kg";
  EXPECT_NE(nullptr, drawn(made).find("zinc (mg/kg)"));
  made.cells[0] = 5e6F;
  made.hi = 5e6;
  EXPECT_NE(nullptr, drawn(made).find("zinc (×10⁶ mg/kg)"));
  made.unit = "";
  EXPECT_NE(nullptr, drawn(made).find("zinc (×10⁶)"));
  made.cells.assign(9, kNoValue);
  EXPECT_EQ(nullptr, drawn(made).find("zinc (×10⁶)")) << "no bar, no title";
}

TEST(RasterPreview, EndsTheLabelsOfLevelAxesWithTheirFrames) {
  RasterPreview made = raster(720, 280, 0, 1000);
  made.x = 0;
  made.y = 80;
  made.dx = made.dy = 0.5;
  made.lo = 0;
  made.hi = 200'000'000;
  const DrawnCanvas canvas = drawn(made);
  for (const char* label : {"0°", "180°", "45°W", "200", "100"}) {
    ASSERT_NE(nullptr, canvas.find(label)) << label;
  }
  for (const auto& one : canvas.texts) {
    if (one.text.find("°") == std::string::npos || one.box.top < canvas.map.bottom) continue;
    EXPECT_GE(one.box.left, canvas.map.left - 2) << one.text;
    EXPECT_LE(one.box.right, canvas.map.right + 2) << one.text;
  }
  EXPECT_LE(canvas.find("200")->box.right, canvas.map.left + 620.5) << "where the bar ends";
}

TEST(RasterPreview, SpreadsColoursAsItIsTold) {
  RasterPreview made = raster(100, 1, 0, 0);
  made.geographic = false;
  made.dy = 10;
  for (std::size_t i = 0; i < 100; ++i) made.cells[i] = std::exp2(static_cast<float>(i) / 10);
  const auto middle = [&](Spread spread) {  // the 51st cell, 32
    made.spread = spread;
    const DrawnCanvas canvas = drawn(made);
    return canvas.cell(static_cast<std::int64_t>(0.505 * canvas.map.width()), 0);
  };
  const double most = std::exp2(9.9);
  EXPECT_EQ(colour_at(31 / (most - 1)), middle(Spread::range));
  EXPECT_EQ(colour_at(50 / 99.0), middle(Spread::quantile));
  const double low = std::exp2(0.2), high = std::exp2(9.7);
  EXPECT_EQ(colour_at((32 - low) / (high - low)), middle(Spread::cut));
}

TEST(RasterPreview, HasTheColoursItIsGiven) {
  RasterPreview made = raster(2, 1, 7, 0);
  made.colour = uncertainty;
  const DrawnCanvas canvas = drawn(made);
  EXPECT_EQ(0, count(canvas, colour_at(0.5)));
  EXPECT_EQ(static_cast<std::int64_t>(canvas.cells.size()), count(canvas, canvas.cells[0]));
}

}  // namespace
}  // namespace pegnn
