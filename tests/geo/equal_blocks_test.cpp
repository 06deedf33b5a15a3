#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "geo/blocks.h"
#include "geo/sphere.h"
#include "point_sets.h"

namespace pegnn {
namespace {

using Blocks = std::vector<std::int32_t>;

TEST(EqualBlocks, CutALineInFour) {
  const std::vector<Point> points = {{3, 0}, {0, 0}, {7, 0}, {1, 0},
                                     {5, 0}, {6, 0}, {2, 0}, {4, 0}};
  EXPECT_EQ(equal_blocks(points, Space::plane, 4), (Blocks{1, 0, 3, 0, 2, 3, 1, 2}));
}

TEST(EqualBlocks, HoldAboutEqualNumbersOfPoints) {
  for (const Space space : {Space::sphere, Space::plane}) {
    const auto points = global_points(1000, 5);
    std::vector<int> held(32, 0);
    for (const std::int32_t block : equal_blocks(points, space, 32)) {
      ++held.at(static_cast<std::size_t>(block));
    }
    for (const int count : held) {
      EXPECT_GE(count, 30);
      EXPECT_LE(count, 33);
    }
  }
}

TEST(EqualBlocks, OfNoPointsAndOfOneAreWhatTheyMustBe) {
  EXPECT_TRUE(equal_blocks({}, Space::sphere, 16).empty());
  EXPECT_EQ(equal_blocks(std::vector<Point>{{5, 5}}, Space::sphere, 16), Blocks{0});
  EXPECT_EQ(equal_blocks(std::vector<Point>(9, Point{5, 5}), Space::plane, 16), Blocks(9, 0));
}

TEST(EqualBlocks, KeepOnePlaceTogetherHoweverItIsWritten) {
  std::vector<Point> points = {{180, 10}, {-180, 10},  {0, 90}, {77, 90},  {-33, 90},
                               {12, -90}, {-150, -90}, {10, 0}, {10, -0.0}};
  const Blocks blocks = equal_blocks(points, Space::sphere, 8);
  EXPECT_EQ(blocks[0], blocks[1]);
  EXPECT_EQ(blocks[2], blocks[3]);
  EXPECT_EQ(blocks[2], blocks[4]);
  EXPECT_EQ(blocks[5], blocks[6]);
  EXPECT_EQ(blocks[7], blocks[8]);
  EXPECT_EQ(std::set<std::int32_t>(blocks.begin(), blocks.end()).size(), 4U);
}

RC_GTEST_PROP(EqualBlocks, NeverPartAPlace, ()) {
  const auto cells = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 25));
  std::vector<Point> points;
  for (const int cell : cells) points.push_back({cell % 5 * 1.0, cell / 5 * 1.0});
  for (const Space space : {Space::sphere, Space::plane}) {
    const Blocks blocks = equal_blocks(points, space, 16);
    for (std::size_t i = 0; i < points.size(); ++i) {
      RC_ASSERT(blocks[i] >= 0 && blocks[i] < 16);
      for (std::size_t j = 0; j < i; ++j)
        RC_ASSERT(points[i] != points[j] || blocks[i] == blocks[j]);
    }
  }
}

}  // namespace
}  // namespace pegnn
