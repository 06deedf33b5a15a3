#include "geo/blocks.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pegnn/error.h"
#include "point_sets.h"

namespace pegnn {
namespace {

using Blocks = std::vector<std::int32_t>;

TEST(SpatialBlocks, AreSquaresInThePlane) {
  const std::vector<Point> points = {{5, 5}, {15, 5}, {9.9, 0}, {5, 10}, {-0.1, 5}, {10, 9.9}};
  EXPECT_EQ(spatial_blocks(points, Space::plane, 10), (Blocks{0, 1, 0, 2, 3, 1}));
}

TEST(SpatialBlocks, AreNumberedInOrderOfFirstAppearance) {
  const std::vector<Point> points = {{90, 0}, {10, 0}, {90, 1}, {50, 0}, {10, 1}};
  EXPECT_EQ(spatial_blocks(points, Space::degrees, 10), (Blocks{0, 1, 0, 2, 1}));
  EXPECT_EQ(spatial_blocks(points, Space::sphere, 500e3), (Blocks{0, 1, 0, 2, 1}));
}

TEST(SpatialBlocks, DoNotPartNearPointsAtTheAntimeridian) {
  for (double lat = -85; lat <= 85; lat += 10) {
    const std::vector<Point> points = {{179.99, lat}, {-179.99, lat}, {180, lat}, {-180, lat}};
    EXPECT_EQ(spatial_blocks(points, Space::sphere, 100e3), (Blocks{0, 0, 0, 0})) << lat;
  }
}

TEST(SpatialBlocks, DoNotPartNearPointsAtAPole) {
  std::vector<Point> points;
  for (double lon = -180; lon <= 180; lon += 15) points.push_back({lon, 89.6});  // 44 km away
  points.push_back({0, 90});
  EXPECT_EQ(spatial_blocks(points, Space::sphere, 100e3), Blocks(points.size(), 0));
  for (Point& p : points) p.y = -p.y;
  EXPECT_EQ(spatial_blocks(points, Space::sphere, 100e3), Blocks(points.size(), 0));
}

TEST(SpatialBlocks, AreTheSameForLongitudesFromZeroTo360) {
  const std::vector<Point> west = {{-120, 40}, {-60, -30}, {20, 10}};
  const std::vector<Point> east = {{240, 40}, {300, -30}, {20, 10}};
  std::vector<Point> both = west;
  both.insert(both.end(), east.begin(), east.end());
  EXPECT_EQ(spatial_blocks(both, Space::sphere, 50e3), (Blocks{0, 1, 2, 0, 1, 2}));
}

// On the whole globe there are about as many blocks as the area asks for, and none is a sliver: no
// block is much wider than its size, and their mean area is right.
TEST(SpatialBlocks, HaveAboutTheSameAreaFromPoleToPole) {
  const auto points = global_points(200000, 7);
  const double size = 1000e3;
  const auto blocks = spatial_blocks(points, Space::sphere, size);
  const auto count = static_cast<std::size_t>(*std::ranges::max_element(blocks)) + 1;
  const double area = 4 * 3.14159265 * kEarthRadiusMetres * kEarthRadiusMetres;
  EXPECT_NEAR(static_cast<double>(count), area / (size * size), 0.05 * area / (size * size));
  std::vector<int> held(count);
  for (const std::int32_t block : blocks) ++held[static_cast<std::size_t>(block)];
  const double mean = 200000.0 / static_cast<double>(count);
  for (const int points_in_block : held) {
    EXPECT_GT(points_in_block, 0.6 * mean);
    EXPECT_LT(points_in_block, 1.5 * mean);
  }
}

RC_GTEST_PROP(SpatialBlocks, HoldNoTwoPointsMuchFartherApartThanTheirDiagonal, ()) {
  const auto points = global_points(60, *rc::gen::arbitrary<std::uint32_t>());
  const double size = *rc::gen::inRange(200, 4000) * 1e3;
  const auto blocks = spatial_blocks(points, Space::sphere, size);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (blocks[i] != blocks[j]) continue;
      // Rounding to whole bands and columns stretches a side by a quarter at these sizes.
      RC_ASSERT(great_circle(points[i], points[j]).value < 1.8 * size);
    }
  }
}

TEST(SpatialBlocks, LargerThanTheEarthAreOne) {
  const auto points = global_points(100, 3);
  EXPECT_EQ(spatial_blocks(points, Space::sphere, 50000e3), Blocks(100, 0));
  EXPECT_EQ(spatial_blocks(points, Space::sphere, 1e300), Blocks(100, 0));
}

TEST(SpatialBlocks, OfATinySizePartAllPlaces) {
  const std::vector<Point> points = {{1, 1}, {2, 1}, {1, 1}, {-7, 3}};
  for (const Space space : {Space::sphere, Space::plane}) {
    EXPECT_EQ(spatial_blocks(points, space, 1e-9), (Blocks{0, 1, 0, 2}));
  }
}

TEST(MovedBlocks, KeepNearPointsTogetherThatTheGridParts) {
  const std::vector<Point> near = {{9.999, 5}, {10.001, 5}};
  const std::vector<Point> globe = {{20.999, 5}, {21.001, 5}};
  EXPECT_EQ(spatial_blocks(near, Space::plane, 10), (Blocks{0, 1}));
  int together = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    together += moved_blocks(near, Space::plane, 10, seed)[1] == 0 ? 1 : 0;
    together += moved_blocks(globe, Space::sphere, 500e3, seed)[1] == 0 ? 1 : 0;
  }
  EXPECT_GE(together, 39);
}

TEST(MovedBlocks, AreOfTheSameSizeAndKeepOnePlaceTogether) {
  const auto points = global_points(3000, 7);
  const double size = 1500e3;
  const auto blocks = moved_blocks(points, Space::sphere, size, 7);
  const auto count = [](const auto& numbers) {
    return static_cast<double>(*std::max_element(numbers.begin(), numbers.end()) + 1);
  };
  EXPECT_NEAR(1, count(blocks) / count(spatial_blocks(points, Space::sphere, size)), 0.1);
  EXPECT_NE(blocks, spatial_blocks(points, Space::sphere, size));
  const std::vector<Point> same = {{180, 3}, {-180, 3}, {15, 90}, {-120, 90}};
  const auto of_same = moved_blocks(same, Space::sphere, 100e3, 7);
  EXPECT_EQ(of_same[0], of_same[1]);
  EXPECT_EQ(of_same[2], of_same[3]);
}

TEST(SpatialBlocks, OfNoPointsAreNone) {
  EXPECT_TRUE(spatial_blocks({}, Space::sphere, 1000).empty());
  EXPECT_TRUE(spatial_blocks({}, Space::plane, 1000).empty());
}

TEST(SpatialBlocks, RefuseASizeThatIsNotPositive) {
  const std::vector<Point> points = {{1, 1}};
  for (const double size : {0.0, -5.0, std::nan(""), HUGE_VAL}) {
    try {
      spatial_blocks(points, Space::sphere, size);
      FAIL() << size;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find("metres"), std::string::npos) << error.what();
    }
  }
}

TEST(DefaultBlockSize, CoversTheRectangleWithAboutAHundredBlocks) {
  EXPECT_DOUBLE_EQ(default_block_size(std::vector<Point>{{0, 0}, {400, 0}, {0, 100}}, Space::plane),
                   20);
  const auto points = box_points(20000, 11, {8, 56, 11, 58});
  const double size = default_block_size(points, Space::sphere);
  const auto blocks = spatial_blocks(points, Space::sphere, size);
  const std::int32_t count = *std::ranges::max_element(blocks) + 1;
  EXPECT_GT(count, 90);
  EXPECT_LT(count, 150);  // those cut by the edge count too
}

TEST(DefaultBlockSize, IsAHundredthOfALine) {
  EXPECT_DOUBLE_EQ(default_block_size(std::vector<Point>{{3, 0}, {3, 50}}, Space::plane), 0.5);
  const double metres = default_block_size(std::vector<Point>{{-10, 0}, {30, 0}}, Space::sphere);
  EXPECT_NEAR(metres, great_circle({0, 0}, {0.4, 0}).value, 1e-6);
}

TEST(DefaultBlockSize, IsTheSameWhereverTheLongitudesStart) {
  const auto here = box_points(500, 5, {-4, 30, 4, 36});
  std::vector<Point> there = here;
  for (Point& p : there) p.x = p.x < 0 ? p.x + 180 : p.x - 180;
  EXPECT_NEAR(default_block_size(here, Space::sphere), default_block_size(there, Space::sphere),
              1e-6);
}

TEST(DefaultBlockSize, IsNeverZero) {
  const std::vector<Point> one_place(5, Point{12.5, 41.9});
  for (const Space space : {Space::sphere, Space::plane, Space::degrees}) {
    EXPECT_GT(default_block_size(one_place, space), 0);
    EXPECT_GT(default_block_size({}, space), 0);
  }
}

}  // namespace
}  // namespace pegnn
