#include "predict/map_grid.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

GridRequest on_the_globe() { return {.crs = lonlat_crs()}; }
GridRequest in_the_plane() { return {.geographic = false}; }

void expect_extent(const Extent& found, const Extent& expected) {
  EXPECT_NEAR(found.west, expected.west, 1e-9);
  EXPECT_NEAR(found.south, expected.south, 1e-9);
  EXPECT_NEAR(found.east, expected.east, 1e-9);
  EXPECT_NEAR(found.north, expected.north, 1e-9);
}

TEST(Extent, HoldsAllPointsThatHaveAPlace) {
  const std::vector<Point> points = {{3, 4}, {-1, 7}, {kNaN, kNaN}};
  expect_extent(extent_of(points, false), {-1, 4, 3, 7});
  expect_extent(extent_of(points, true), {-1, 4, 3, 7});
}

TEST(Extent, AroundTheAntimeridianGoesOnBeyond180) {
  const std::vector<Point> fiji = {{177, -18}, {-179, -16}, {179.5, -19}};
  expect_extent(extent_of(fiji, true), {177, -19, 181, -16});
  expect_extent(extent_of(fiji, false), {-179, -19, 179.5, -16});
}

TEST(Extent, OverlapsATurnFurtherOnOnlyOnTheGlobe) {
  const Extent fiji{177, -19, 181, -16}, samoa{-180, -20, -170, -10};
  EXPECT_TRUE(overlap(fiji, samoa, true));
  EXPECT_FALSE(overlap(fiji, samoa, false));
  EXPECT_FALSE(overlap(fiji, {0, -19, 10, -16}, true));
}

TEST(MapGrid, AGivenBoxAndCellKeepTheNorthWestCorner) {
  GridRequest request = in_the_plane();
  request.box = Extent{100, 200, 1105, 700};
  request.cell = CellSize{10, 20};
  const RasterGrid grid = choose_grid(request, {});
  EXPECT_EQ(grid.width, 101);
  EXPECT_EQ(grid.height, 25);
  expect_extent(extent_of(grid), {100, 200, 1110, 700});
  EXPECT_EQ(grid.centre(0, 0), (Point{105, 690}));
}

TEST(MapGrid, ABoxOfAWholeNumberOfCellsGetsNoneMore) {
  GridRequest request = on_the_globe();
  request.box = Extent{-180, -90, 180, 90};
  request.cell = CellSize{0.1, 0.1};
  const RasterGrid grid = choose_grid(request, {});
  EXPECT_EQ(grid.width, 3600);
  EXPECT_EQ(grid.height, 1800);
}

TEST(MapGrid, AGivenSizeFillsTheBox) {
  GridRequest request = in_the_plane();
  request.box = Extent{0, 0, 30, 20};
  request.size = GridSize{60, 10};
  const RasterGrid grid = choose_grid(request, {});
  EXPECT_EQ(grid.dx, 0.5);
  EXPECT_EQ(grid.dy, 2);
}

TEST(MapGrid, WithNothingSaidCellsAreRoundAndTheDataIsInside) {
  const Extent data{178605, 329714, 181390, 333611};
  const RasterGrid grid = choose_grid(in_the_plane(), data);
  const Extent box = extent_of(grid);
  EXPECT_EQ(grid.dx, 5);
  EXPECT_EQ(grid.dy, 5);
  EXPECT_LE(box.west, data.west);
  EXPECT_LE(box.south, data.south);
  EXPECT_GE(box.east, data.east);
  EXPECT_GE(box.north, data.north);
  EXPECT_EQ(std::fmod(box.west, 5.0), 0);
  EXPECT_LE(std::max(grid.width, grid.height), 1400);
  EXPECT_GE(std::max(grid.width, grid.height), 450);
}

TEST(MapGrid, OfTheWholeGlobeGoesOnceAroundAndToThePoles) {
  const RasterGrid grid = choose_grid(on_the_globe(), {-179.9, -89, 179.9, 83});
  const Extent box = extent_of(grid);
  EXPECT_NEAR(box.width(), 360, 1e-9);
  EXPECT_GE(box.south, -90);
  EXPECT_LE(box.north, 90);
}

TEST(MapGrid, ABoxAroundTheAntimeridianMayBeWrittenFromEastToWest) {
  GridRequest request = on_the_globe();
  request.box = Extent{170, -30, -170, -10};
  request.cell = CellSize{1, 1};
  const RasterGrid grid = choose_grid(request, {});
  EXPECT_EQ(grid.width, 20);
  expect_extent(extent_of(grid), {170, -30, 190, -10});
}

TEST(MapGrid, APlaceOfASinglePointStillHasCells) {
  for (const bool globe : {true, false}) {
    GridRequest request = globe ? on_the_globe() : in_the_plane();
    const RasterGrid grid = choose_grid(request, {10, 50, 10, 50});
    const Extent box = extent_of(grid);
    EXPECT_GT(grid.width, 0);
    EXPECT_LT(box.west, 10);
    EXPECT_GT(box.east, 10);
    EXPECT_LT(box.south, 50);
    EXPECT_GT(box.north, 50);
  }
}

TEST(MapGrid, WrongBoxesAreRefused) {
  const std::vector<Extent> wrong = {{0, 10, 10, 0},         {0, 0, 10, 0},     {0, -91, 10, 0},
                                     {500, 0, 510, 10},      {-180, 0, 181, 1}, {kNaN, 0, 1, 1},
                                     {178000, 0, 181000, 10}};
  for (const Extent& box : wrong) {
    GridRequest request = on_the_globe();
    request.box = box;
    EXPECT_THROW(choose_grid(request, {}), Error) << box.west;
  }
  GridRequest reversed = in_the_plane();
  reversed.box = Extent{10, 0, 0, 10};
  EXPECT_THROW(choose_grid(reversed, {}), Error);
}

TEST(MapGrid, MoreCellsThanAnyoneWantsAreRefused) {
  GridRequest request = on_the_globe();
  request.box = Extent{0, 0, 10, 10};
  request.cell = CellSize{1e-9, 1e-9};
  EXPECT_THROW(choose_grid(request, {}), Error);
  request.cell = CellSize{1, 1};
  request.size = GridSize{10, 10};
  EXPECT_THROW(choose_grid(request, {}), Error);  // both
}

}  // namespace
}  // namespace pegnn
