#include "evaluate/knndm.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "geo/blocks.h"
#include "support/refused.h"

namespace pegnn {
namespace {

const ThreadPool& pool() {
  static const ThreadPool kPool(1);
  return kPool;
}

MatchedClusters matched(const Array<Point>& points, const Array<Point>& places, Space space,
                        std::int64_t folds = 5) {
  return match_clusters(points, space, places, folds, 1, pool(), {});
}

// Points in few tight heaps, or all over the square of side 100.
Array<Point> scattered(std::int64_t count, std::int64_t heaps, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  Array<Point> points;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::uint64_t>(i);
    Point p{100 * rng.uniform(0, row), 100 * rng.uniform(1, row)};
    if (heaps > 0) {
      const auto heap = static_cast<std::uint64_t>(i % heaps);
      p = {100 * rng.uniform(2, heap) + rng.normal(3, row),
           100 * rng.uniform(4, heap) + rng.normal(5, row)};
    }
    points.push_back(p);
  }
  return points;
}

// Two and three points at distances 1, 3 and 0, 1, 2: by hand, 1/3 from 0 to 1, 1/6 from 1 to 2 and
// 1/2 from 2 to 3.
TEST(Wasserstein, IsTheAreaBetweenTheDistributions) {
  EXPECT_DOUBLE_EQ(1.0 / 3 + 1.0 / 6 + 1.0 / 2, wasserstein({3, 1}, {2, 0, 1}));
  EXPECT_DOUBLE_EQ(2.5, wasserstein({1, 2, 3}, {3.5, 4.5, 5.5}));
  EXPECT_EQ(0, wasserstein({2, 1, 2}, {1, 2, 2}));
}

TEST(Knndm, PointsThatLieAsThePlacesDoAreFoldedAtRandom) {
  const Array<Point> points = scattered(400, 0, 1), places = scattered(2000, 0, 2);
  const MatchedClusters found = matched(points, places, Space::plane);
  EXPECT_GT(found.clusters, 200);
  EXPECT_LE(found.w, found.w_random);
  EXPECT_NEAR(found.places_median, found.folds_median, 0.2 * found.places_median);
}

TEST(Knndm, HeapsOfPointsAreHeldOutWholeForPlacesAllOver) {
  const Array<Point> points = scattered(400, 8, 3), places = scattered(2000, 0, 4);
  const MatchedClusters found = matched(points, places, Space::plane);
  EXPECT_LT(found.clusters, 60);
  EXPECT_LT(found.w, 0.5 * found.w_random);
}

TEST(Knndm, RowsOfOnePlaceAreHeldOutTogether) {
  Array<Point> points = scattered(60, 0, 5);
  const Array<Point> once = points;
  points.insert(points.end(), once.begin(), once.end());
  const MatchedClusters found = matched(points, once, Space::plane);
  for (std::int64_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(found.cluster[i], found.cluster[i + once.size()]);
  }
  EXPECT_LE(found.clusters, 60);
}

TEST(Knndm, ClustersAreNumberedWithoutGaps) {
  const MatchedClusters found = matched(scattered(200, 10, 6), scattered(50, 0, 7), Space::plane);
  const std::set<std::int32_t> numbers(found.cluster.begin(), found.cluster.end());
  EXPECT_EQ(found.clusters, static_cast<std::int64_t>(numbers.size()));
  EXPECT_EQ(found.clusters - 1, *numbers.rbegin());
}

TEST(Knndm, IsTheSameOnAnyNumberOfThreadsAndAcrossTheAntimeridian) {
  Array<Point> west, east;
  for (const Point& p : scattered(300, 12, 8)) {
    west.push_back({std::remainder(170 + p.x / 5, 360.0), p.y / 5});
    east.push_back({p.x / 5 - 10, p.y / 5});
  }
  const ThreadPool three(3);
  const MatchedClusters one = matched(west, regular_places(west, Space::sphere), Space::sphere);
  const MatchedClusters other =
      match_clusters(west, Space::sphere, regular_places(west, Space::sphere), 5, 1, three, {});
  EXPECT_EQ(one.cluster, other.cluster);
  EXPECT_EQ(one.w, other.w);
  const MatchedClusters moved = matched(east, regular_places(east, Space::sphere), Space::sphere);
  EXPECT_NEAR(one.places_median, moved.places_median, 1e-3 * one.places_median);
}

TEST(Knndm, FewerPlacesThanFoldsAreRefused) {
  const Array<Point> points{{0, 0}, {0, 0}, {1, 1}};
  EXPECT_EQ("--folds 3: at least 2, at most the number of different places of rows (2)",
            test::refusal([&] { matched(points, points, Space::plane, 3); }));
  EXPECT_EQ(2, matched(points, points, Space::plane, 2).clusters);
}

TEST(RegularPlaces, CoverTheExtentEvenly) {
  const Array<Point> square = regular_places(Array<Point>{{0, 10}, {40, 60}}, Space::plane);
  EXPECT_NEAR(2000.0, static_cast<double>(square.size()), 100);
  for (const Point& p : square) {
    EXPECT_TRUE(p.x > 0 && p.x < 40 && p.y > 10 && p.y < 60);
  }
  // As many between the equator and 30 degrees as beyond: half of a hemisphere's area.
  const Array<Point> globe =
      regular_places(Array<Point>{{-180, 0}, {0, 89}, {90, 5}}, Space::sphere);
  const auto low = std::count_if(globe.begin(), globe.end(), [](Point p) { return p.y < 30; });
  EXPECT_NEAR(0.5, static_cast<double>(low) / static_cast<double>(globe.size()), 0.03);
  // Across the antimeridian.
  for (const Point& p : regular_places(Array<Point>{{170, 0}, {-170, 10}}, Space::sphere)) {
    EXPECT_GE(std::abs(p.x), 170);
  }
}

TEST(RegularPlaces, OfAStripAndOfOnePlaceAreThere) {
  EXPECT_EQ(2000, regular_places(Array<Point>{{0, 5}, {9, 5}}, Space::plane).size());
  EXPECT_EQ(1, regular_places(Array<Point>{{3, 5}, {3, 5}}, Space::sphere).size());
}

}  // namespace
}  // namespace pegnn
