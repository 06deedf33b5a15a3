#include "report/plots.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "report/layers.h"
#include "support/markup.h"

namespace pegnn {
namespace {

using testing_report::holds_no_number;
using testing_report::markup_fault;
using testing_report::occurrences;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<double> normals(std::uint64_t n, std::uint64_t stream) {
  const Rng rng{7, Stream::sample};
  std::vector<double> values;
  for (std::uint64_t i = 0; i < n; ++i) values.push_back(rng.normal(i, stream));
  return values;
}

// Inputs that trip careless arithmetic.
std::vector<std::vector<double>> awkward_values() {
  return {{},
          {0},
          {5, 5, 5},
          {kNan, kNan},
          {kInf, 1, -kInf},
          {-1e300, 1e300},
          {1e-310, 2e-310},
          {1e308, -1e308, 3},
          {1e9, 1e9 + 1e-3},
          {-0.0, 0.0}};
}

TEST(ReportSvg, CoordinatesAreShortAndFinite) {
  EXPECT_EQ(coordinate(1.0), "1");
  EXPECT_EQ(coordinate(1.25), "1.25");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(kNan), "0");
  EXPECT_EQ(coordinate(-kInf), "0");
}

TEST(ReportSvg, TextIsCutBetweenCharacters) {
  EXPECT_EQ(fitted("short", 200), "short");
  const std::string cut = fitted("ééééééééééééééééééééééééééééééé", 60);
  ASSERT_TRUE(cut.ends_with("…"));
  const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
  EXPECT_EQ(kept.size() % 2, 0U);
  EXPECT_LE(text_width(kept), 60);
}

TEST(ReportSvg, TextIsEscaped) {
  Svg svg("x", 100, "a<b", "c&d");
  svg.text({1, 2}, "<script>", "tick");
  const std::string all = svg.finish();
  EXPECT_EQ(all.find("<script>"), std::string::npos);
  EXPECT_NE(all.find("a&lt;b"), std::string::npos);
  EXPECT_NE(all.find("c&amp;d"), std::string::npos);
}

TEST(ReportPlots, NeverWriteNanOrInf) {
  for (const std::vector<double>& values : awkward_values()) {
    Moran moran;
    moran.z = values;
    moran.lag = values;
    std::vector<Point> points;
    for (const double v : values) points.push_back({v, v});
    std::vector<std::string> all = {
        scatter({{"a", "t", "d"}, "x", "y", values, values}).svg,
        histogram({{"a", "t", "d"}, "x", "y", values}).svg,
        moran_scatter({"a", "t", "d"}, "r", moran).svg,
        line_chart(
            {{"a", "t", "d"}, "x", "y", {{"s", 1, values, values}}, false, Marker{1, kNan, "m"}})
            .svg,
        line_chart({{"a", "t", "d"}, "x", "y", {{"s", 1, values, values}}, true, std::nullopt})
            .svg};
    for (const Space space : {Space::sphere, Space::plane, Space::degrees}) {
      const MapFrame frame(points, space, "x", "y");
      all.push_back(
          point_map({{"a", "t", "d"}, "v", points, values, ColourMap::diverging, {-1, 1}}, frame)
              .svg);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_FALSE(holds_no_number(all[i]))
          << "plot " << i << " of " << values.size() << " values\n"
          << all[i];
      EXPECT_EQ(markup_fault(all[i]), "");
      EXPECT_NE(all[i].find("<title"), std::string::npos);
      EXPECT_NE(all[i].find("<desc"), std::string::npos);
    }
  }
}

TEST(ReportPlots, EveryPointOfASmallScatterIsADot) {
  const std::vector<double> x = normals(300, 1), y = normals(300, 2);
  const Plot plot = scatter({{"a", "t", "d"}, "x", "y", x, y});
  EXPECT_EQ(occurrences(plot.svg, "h1M") + occurrences(plot.svg, "h1\""), 300);
  EXPECT_EQ(plot.note, "");
}

TEST(ReportPlots, ManyPointsAreCountedInCells) {
  const std::vector<double> x = normals(100000, 1), y = normals(100000, 2);
  const Plot plot = scatter({{"a", "t", "d"}, "x", "y", x, y});
  EXPECT_LT(plot.svg.size(), 200000U);
  EXPECT_NE(plot.svg.find("class=\"cells\""), std::string::npos);
  EXPECT_NE(plot.note.find("100,000 points are counted"), std::string::npos);
}

TEST(ReportPlots, ExtremesAreDrawnAtTheEdgeAndSaid) {
  std::vector<double> x = normals(2000, 1);
  x[17] = 1e9;
  const Plot plot = scatter({{"a", "t", "d"}, "x", "y", x, normals(2000, 2)});
  EXPECT_NE(plot.note.find("1 point lies beyond the frame"), std::string::npos);
}

TEST(ReportPlots, CellsAddUpToThePoints) {
  CellGrid grid({0, 0, 100, 100}, 100);
  grid.add({0, 0}, 2);
  grid.add({0.1, 0.1}, 4);
  grid.add({100, 100}, 5);
  grid.add({50, 50}, 7);
  EXPECT_EQ(grid.occupied(), 3);
  EXPECT_EQ(grid.most(), 2);
  EXPECT_EQ(grid.means(), (std::vector<double>{3, 7, 5}));
}

TEST(ReportPlots, WhatWasNotMeasuredIsNotDrawn) {
  const Series series{"loss", 1, {1, 2, 3, 4, 5}, {0.5, kNan, 0.3, kInf, 0.2}};
  const Plot chart = line_chart({{"a", "t", "d"}, "x", "y", {series}, false, std::nullopt});
  EXPECT_EQ(occurrences(chart.svg, "<circle"), 3);
  const std::vector<double> values = {1, kNan, 2, -kInf, 3};
  const Plot bars = histogram({{"a", "t", "d"}, "x", "rows", values});
  EXPECT_EQ(occurrences(bars.svg, "z\"") + occurrences(bars.svg, "zM"), 3);
  EXPECT_NE(bars.note.find("mean, 2,"), std::string::npos);
}

TEST(ReportPlots, FiveLinesDifferByDashesToo) {
  LineChart chart{{"a", "t", "d"}, "x", "y", {}, false, std::nullopt};
  for (int colour = 1; colour <= 3; ++colour) {
    chart.series.push_back({"line", colour, {1, 2}, {1.0 * colour, 2}});
  }
  EXPECT_EQ(occurrences(line_chart(chart).svg, "dotted"), 0);
  chart.series.push_back({"line", 4, {1, 2}, {4, 2}});
  chart.series.push_back({"line", 5, {1, 2}, {5, 2}});
  const std::string svg = line_chart(chart).svg;
  EXPECT_EQ(occurrences(svg, "series c3 dotted"), 2);  // in the legend and in the chart
  EXPECT_EQ(occurrences(svg, "\"series c5\""), 2);
}

TEST(ReportPlots, ALogarithmicAxisSpreadsSmallSteps) {
  LineChart chart{{"a", "t", "d"}, "k", "y", {{"line", 1, {1, 10, 100}, {1, 1, 1}}}, false, {}};
  chart.log_x = true;
  const std::string log = line_chart(chart).svg;
  EXPECT_NE(log.find(">10</text>"), std::string::npos);
  chart.series[0].x[0] = 0;  // has no logarithm: the axis is linear then
  const std::string linear = line_chart(chart).svg;
  EXPECT_NE(linear.find(">40</text>"), std::string::npos);
  EXPECT_EQ(log.find(">40</text>"), std::string::npos);
}

TEST(ReportPlots, LongSeriesAreShortened) {
  Series series{"loss", 1, {}, normals(100000, 1)};
  for (int i = 0; i < 100000; ++i) series.x.push_back(i);
  const Plot plot = line_chart({{"a", "t", "d"}, "x", "y", {series}, false, std::nullopt});
  EXPECT_LT(plot.svg.size(), 20000U);
  EXPECT_NE(plot.svg.find("band c1"), std::string::npos);
  EXPECT_NE(plot.note.find("mean"), std::string::npos);
}

TEST(ReportPlots, HistogramBarsHoldEveryValue) {
  const std::vector<double> values = {-1, -1, 0.05, 0.05, 0.05, 2};
  const Plot plot = histogram({{"a", "t", "d"}, "x", "rows", values});
  EXPECT_EQ(occurrences(plot.svg, "z\"") + occurrences(plot.svg, "zM"), 3);
  EXPECT_NE(plot.note.find("normal curve"), std::string::npos);
  const std::vector<double> equal = {3, 3, 3};
  EXPECT_EQ(histogram({{"a", "t", "d"}, "x", "rows", equal}).note, "");
}

TEST(ReportPlots, MoranQuadrantsAreNamedAndCounted) {
  Moran moran;
  moran.z = {1, 2, -1, -2, 1.5, -0.5};
  moran.lag = {0.5, 1, -0.5, -1, -0.2, 0.3};
  moran.q = {1, 1, 3, 3, 4, 2};
  moran.p = {0.01, 0.5, 0.5, 0.5, 0.5, 0.5};
  double across = 0, within = 0;
  for (std::size_t i = 0; i < moran.z.size(); ++i) {
    across += moran.z[i] * moran.lag[i];
    within += moran.z[i] * moran.z[i];
  }
  moran.I = across / within;
  const Plot plot = moran_scatter({"a", "t", "d"}, "residual", moran);
  for (const char* text : {">HH 2<", ">LH 1<", ">LL 2<", ">HL 1<"}) {
    EXPECT_NE(plot.svg.find(text), std::string::npos) << text;
  }
  EXPECT_NE(plot.svg.find("<path class=\"q1\""), std::string::npos);
  EXPECT_EQ(plot.svg.find("<path class=\"q3\""), std::string::npos);
  EXPECT_NE(plot.note.find("The slope of the line is Moran's I."), std::string::npos);
  moran.I = 5 * moran.I;
  EXPECT_NE(moran_scatter({"a", "t", "d"}, "residual", moran).note.find("sum of weights"),
            std::string::npos);
}

TEST(ReportMap, PointsAroundTheAntimeridianLieTogether) {
  const std::vector<Point> points = {{178, -17}, {-179, -18}, {179.5, -16}, {-178, -17}};
  const MapFrame frame(points, Space::sphere, "lon", "lat");
  EXPECT_LT(frame.pixel({178, -17}).x, frame.pixel({179.5, -17}).x);
  EXPECT_LT(frame.pixel({179.5, -17}).x, frame.pixel({-179, -17}).x);
  EXPECT_LT(frame.pixel({-179, -17}).x, frame.pixel({-178, -17}).x);
  EXPECT_NEAR(frame.pixel({180, -17}).x, frame.pixel({-180, -17}).x, 1e-9);
  Svg svg("a", frame.height(), "t", "d");
  frame.draw_grid(svg);
  EXPECT_NE(svg.finish().find(">180°<"), std::string::npos);
}

TEST(ReportMap, TheWholeWorldKeepsItsUsualEdges) {
  std::vector<Point> points;
  for (int lon = -175; lon < 180; lon += 10) {
    if (lon < -50 || lon > -20) points.push_back({static_cast<double>(lon), 10});
  }
  const MapFrame frame(points, Space::sphere, "lon", "lat");
  EXPECT_LT(frame.pixel({-175, 0}).x, frame.pixel({-60, 0}).x);
  EXPECT_LT(frame.pixel({-60, 0}).x, frame.pixel({175, 0}).x);
}

TEST(ReportMap, LongitudesFromZeroTo360AreTheSamePlaces) {
  const std::vector<Point> west = {{-122, 37}, {-118, 34}}, east = {{238, 37}, {242, 34}};
  const MapFrame a(west, Space::sphere, "lon", "lat"), b(east, Space::sphere, "lon", "lat");
  for (std::size_t i = 0; i < west.size(); ++i) {
    EXPECT_NEAR(a.pixel(west[i]).x, b.pixel(east[i]).x, 1e-9);
  }
}

TEST(ReportMap, IsTrueToScaleAtTheMeanLatitude) {
  const std::vector<Point> points = {{10, 58}, {14, 62}};
  const MapFrame sphere(points, Space::sphere, "lon", "lat");
  const double x = sphere.pixel({13, 60}).x - sphere.pixel({11, 60}).x;
  const double y = sphere.pixel({12, 59}).y - sphere.pixel({12, 61}).y;
  EXPECT_NEAR(x / y, 0.5, 1e-9);
  const MapFrame plane(points, Space::plane, "x", "y");
  EXPECT_NEAR(plane.pixel({13, 60}).x - plane.pixel({11, 60}).x,
              plane.pixel({12, 59}).y - plane.pixel({12, 61}).y, 1e-9);
}

TEST(ReportMap, StaysWithinItsDrawing) {
  for (const std::vector<Point>& points :
       {std::vector<Point>{{10, 50}, {10, 50}}, std::vector<Point>{{0, 0}, {1e6, 1}},
        std::vector<Point>{{0, 0}, {1, 1e6}}, std::vector<Point>{{5e5, 5e6}, {5.1e5, 5.05e6}}}) {
    const MapFrame frame(points, Space::plane, "x", "y");
    EXPECT_GE(frame.box().left, 0);
    EXPECT_LE(frame.box().right, kPlotWidth);
    EXPECT_LT(frame.box().bottom, frame.height());
    EXPECT_LT(frame.height(), 560);
    for (const Point& p : points) {
      EXPECT_GT(frame.pixel(p).x, frame.box().left);
      EXPECT_LT(frame.pixel(p).y, frame.box().bottom);
    }
  }
}

TEST(ReportMap, ManyPointsBecomeMeansOfCells) {
  std::vector<Point> points;
  std::vector<double> values;
  const Rng rng{3, Stream::sample};
  for (std::uint64_t i = 0; i < 50000; ++i) {
    points.push_back({rng.uniform(i, 0), rng.uniform(i, 1)});
    values.push_back(i % 2 == 0 ? 4 : 6);
  }
  const MapFrame frame(points, Space::plane, "x", "y");
  const std::vector<double> drawn = drawn_values(points, values, frame);
  EXPECT_LT(drawn.size(), 30000U);
  EXPECT_GT(drawn.size(), 5000U);
  const Plot plot =
      point_map({{"a", "t", "d"}, "v", points, values, ColourMap::sequential, {4, 6}}, frame);
  EXPECT_LT(plot.svg.size(), 400000U);
  EXPECT_NE(plot.note.find("mean of its points"), std::string::npos);
}

}  // namespace
}  // namespace pegnn
