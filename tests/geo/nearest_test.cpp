#include "geo/nearest.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "geo/sphere.h"
#include "point_sets.h"
#include "support/targets.h"

namespace pegnn {
namespace {

using Rows = std::vector<std::int32_t>;

Neighbours search(const std::vector<Point>& points, const std::vector<Point>& queries, Space space,
                  std::int64_t k, bool self, int threads = 1) {
  const ThreadPool pool(threads);
  NearestIndex index;
  index.build(points, space, pool);
  Neighbours out;
  index.search(queries, k, self, pool, out);
  return out;
}

Neighbours search_self(const std::vector<Point>& points, Space space, std::int64_t k) {
  return search(points, points, space, k, true);
}

TEST(NearestIndex, FindsNeighboursInHandComputedOrder) {
  const std::vector<Point> points = {{0, 0}, {10, 0}, {0, 1}, {3, 4}, {-2, 0}};
  const Neighbours out = search_self(points, Space::plane, 3);
  EXPECT_EQ(out.k, 3);
  EXPECT_EQ(out.rows, (Rows{2, 4, 3, 3, 0, 2, 0, 4, 3, 2, 0, 4, 0, 2, 3}));
  EXPECT_EQ(out.distances[0], 1);
  EXPECT_EQ(out.distances[1], 2);
  EXPECT_EQ(out.distances[2], 5);
}

TEST(NearestIndex, MeasuresMetresAcrossTheAntimeridianAndThePole) {
  const std::vector<Point> points = {{179, 0}, {170, 0}, {-179, 0}, {0, 88}, {180, 89}};
  const Neighbours out = search_self(points, Space::sphere, 1);
  EXPECT_EQ(out.rows, (Rows{2, 0, 0, 4, 3}));
  EXPECT_NEAR(out.distances[0], great_circle({179, 0}, {-179, 0}).value, 1e-8);
  EXPECT_NEAR(out.distances[3], great_circle({0, 88}, {180, 89}).value, 1e-8);
}

TEST(NearestIndex, InDegreesDoesNotKnowTheGlobe) {
  const std::vector<Point> points = {{179, 0}, {170, 0}, {-179, 0}};
  const Neighbours out = search_self(points, Space::degrees, 1);
  EXPECT_EQ(out.rows, (Rows{1, 0, 1}));
  EXPECT_EQ(out.distances[0], 9);
}

TEST(NearestIndex, GivesTiesToTheLowerRow) {
  // Row 4 is in the middle of four equally far, and each of those has two more at the same
  // distance.
  const std::vector<Point> points = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0, 0}};
  const Neighbours out = search_self(points, Space::plane, 2);
  EXPECT_EQ(out.rows, (Rows{4, 1, 4, 0, 4, 1, 4, 0, 0, 1}));
}

TEST(NearestIndex, GivesTiesToTheLowerRowAmongManyInOnePlace) {
  const std::vector<Point> points(5000, Point{10, 50});
  for (const Space space : {Space::sphere, Space::plane}) {
    const Neighbours out = search_self(points, space, 3);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Rows rows(out.rows.begin() + static_cast<std::ptrdiff_t>(3 * i),
                      out.rows.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
      const Rows expected = i == 0   ? Rows{1, 2, 3}
                            : i == 1 ? Rows{0, 2, 3}
                            : i == 2 ? Rows{0, 1, 3}
                                     : Rows{0, 1, 2};
      ASSERT_EQ(rows, expected) << i;
    }
    EXPECT_EQ(out.distances, std::vector<double>(3 * points.size(), 0.0));
  }
}

TEST(NearestIndex, TakesOnePlaceWrittenTwiceAsOne) {
  const std::vector<Point> points = {{180, 5}, {-180, 5}, {13, 90}, {-140, 90}, {0, 0}};
  const Neighbours out = search_self(points, Space::sphere, 1);
  EXPECT_EQ(out.rows, (Rows{1, 0, 3, 2, 2}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(out.distances[i], 0.0);
}

TEST(NearestIndex, NeverMakesAPointItsOwnNeighbour) {
  auto points = rounded(box_points(2000, 3, {0, 0, 10, 10}), 1);  // about 16 in each place
  const Neighbours out = search_self(points, Space::sphere, 5);
  for (std::int64_t i = 0; i < out.rows.size(); ++i) {
    ASSERT_NE(out.rows[i], static_cast<std::int32_t>(i / 5));
  }
}

TEST(NearestIndex, FindsAPointAtTheQueryUnlessToldItIsItself) {
  const std::vector<Point> points = {{1, 1}, {2, 2}, {3, 3}};
  EXPECT_EQ(search(points, points, Space::plane, 1, false).rows, (Rows{0, 1, 2}));
  EXPECT_EQ(search(points, points, Space::plane, 1, true).rows, (Rows{1, 0, 1}));
}

TEST(NearestIndex, ClipsKToThePointsThereAre) {
  const std::vector<Point> points = {{0, 0}, {5, 0}, {1, 0}};
  const Neighbours self = search_self(points, Space::plane, 10);
  EXPECT_EQ(self.k, 2);
  EXPECT_EQ(self.rows, (Rows{2, 1, 2, 0, 0, 1}));
  const Neighbours other = search(points, {{4, 0}}, Space::plane, 10, false);
  EXPECT_EQ(other.k, 3);
  EXPECT_EQ(other.rows, (Rows{1, 2, 0}));
}

TEST(NearestIndex, HasNoNeighboursForOnePointOrNone) {
  const Neighbours one = search_self({{1, 2}}, Space::sphere, 5);
  EXPECT_EQ(one.k, 0);
  EXPECT_TRUE(one.rows.empty() && one.distances.empty());
  const Neighbours none = search({}, {{1, 2}}, Space::sphere, 5, false);
  EXPECT_EQ(none.k, 0);
  EXPECT_TRUE(none.rows.empty());
  EXPECT_EQ(search_self({}, Space::plane, 5).k, 0);
  EXPECT_EQ(search({{1, 2}}, {}, Space::plane, 5, false).k, 1);
  EXPECT_EQ(search({{1, 2}, {3, 4}}, {{1, 2}}, Space::plane, 0, false).k, 0);
}

TEST(NearestIndex, CanBeBuiltAgainOverOtherPointsInAnotherSpace) {
  const ThreadPool pool(1);
  NearestIndex index;
  Neighbours out;
  index.build(global_points(3000, 1), Space::sphere, pool);
  EXPECT_EQ(index.size(), 3000);
  EXPECT_EQ(index.space(), Space::sphere);
  index.build(std::vector<Point>{{0, 0}, {7, 0}, {9, 0}}, Space::plane, pool);
  EXPECT_EQ(index.size(), 3);
  EXPECT_EQ(index.space(), Space::plane);
  index.search(std::vector<Point>{{6, 0}}, 5, false, pool, out);
  EXPECT_EQ(out.rows, (Rows{1, 2, 0}));
  EXPECT_EQ(out.distances, (std::vector<double>{1, 3, 6}));
}

TEST(NearestIndex, ReusesTheMemoryOfItsResult) {
  const ThreadPool pool(1);
  NearestIndex index;
  Neighbours out;
  const auto points = box_points(2000, 4, {0, 0, 1, 1});
  index.build(points, Space::sphere, pool);
  index.search(points, 5, true, pool, out);
  const std::int32_t* const rows = out.rows.data();
  const double* const distances = out.distances.data();
  index.search(points, 3, true, pool, out);
  index.search(points, 5, true, pool, out);
  EXPECT_EQ(out.rows.data(), rows);
  EXPECT_EQ(out.distances.data(), distances);
}

TEST(NearestIndex, GivesTheSameForAnyNumberOfThreads) {
  for (const std::int64_t count : {2048, 30000}) {
    const auto points = road_points(count, 8);
    const auto queries = box_points(3000, 9, {8, 56, 12, 58});
    const Neighbours self = search(points, points, Space::sphere, 5, true, 1);
    const Neighbours other = search(points, queries, Space::sphere, 5, false, 1);
    for (const int threads : {2, 3}) {
      const Neighbours self_again = search(points, points, Space::sphere, 5, true, threads);
      EXPECT_EQ(self_again.rows, self.rows);
      EXPECT_EQ(self_again.distances, self.distances);
      const Neighbours other_again = search(points, queries, Space::sphere, 5, false, threads);
      EXPECT_EQ(other_again.rows, other.rows);
      EXPECT_EQ(other_again.distances, other.distances);
    }
  }
}

TEST(NearestIndex, MayBeSearchedBySeveralThreadsAtOnce) {
  const ThreadPool pool(3);
  const auto points = box_points(2000, 12, {0, 0, 1, 1});
  NearestIndex index;
  index.build(points, Space::plane, pool);
  Neighbours expected;
  index.search(points, 5, true, pool, expected);
  std::vector<Neighbours> found(6);
  pool.for_each(6, [&](std::int64_t b) {
    index.search(points, 5, true, pool, found[static_cast<std::size_t>(b)]);
  });
  for (const Neighbours& out : found) EXPECT_EQ(out.rows, expected.rows);
}

// A grid over the rectangle would put all but a few points into one cell and take minutes here.
TEST(NearestIndex, IsNotSlowedByOneFarPoint) {
  auto points = box_points(100000, 13, {0, 0, 1, 1});
  points[500] = {1e9, -1e9};
  const Neighbours out = search_self(points, Space::plane, 5);
  EXPECT_GT(out.distances[500 * 5], 1e9);
  EXPECT_LT(out.distances[0], 0.1);
}

TEST(NearestIndex, OrdersByRowWhereSquaresOverflow) {
  const std::vector<Point> points = {{0, 0}, {1e200, 0}, {-1e200, 0}, {0, 1e200}, {1, 0}};
  Neighbours expected;
  search_by_brute_force(points, points, Space::plane, 3, true, expected);
  EXPECT_EQ(expected.rows, (Rows{4, 1, 2, 0, 2, 3, 0, 1, 3, 0, 1, 2, 0, 1, 2}));
  test::for_every_target([&](const char*) {
    const Neighbours out = search_self(points, Space::plane, 3);
    EXPECT_EQ(out.rows, expected.rows);
    EXPECT_EQ(out.distances, expected.distances);
  });
}

using NearestIndexDeathTest = testing::Test;

TEST(NearestIndexDeathTest, StopsAtAPointThatIsNotFinite) {
  const ThreadPool pool(1);
  NearestIndex index;
  const std::vector<Point> points = {{0, 0}, {std::nan(""), 1}};
  EXPECT_DEATH(index.build(points, Space::sphere, pool), "points must be finite");
}

// A grid around one query after the other, where distances tie and a place is there many times:
// more of them than are looked at together.
TEST(NearestIndex, FindsForQueriesThatFollowEachOtherWhatItFindsForEachAlone) {
  std::vector<Point> points;
  for (int i = 0; i < 900; ++i) points.push_back({0.1 * (i % 30), 0.1 * (i / 30)});
  points.insert(points.end(), 300, {1.5, 1.5});
  std::vector<Point> queries;
  for (int i = 0; i < 400; ++i) queries.push_back({0.01 * i - 0.5, 0.005 * i + 0.2});
  queries.insert(queries.begin() + 200, {-70, 80});  // one far from those around it
  for (const Space space : {Space::sphere, Space::plane}) {
    for (const std::int64_t k : {1, 4, 24, 64, 65, 310}) {
      const Neighbours all = search(points, queries, space, k, false);
      for (std::size_t i = 0; i < queries.size(); i += 7) {
        const Neighbours one = search(points, {queries[i]}, space, k, false);
        const auto from = static_cast<std::int64_t>(i) * k;
        EXPECT_TRUE(std::equal(one.rows.begin(), one.rows.end(), all.rows.begin() + from));
        EXPECT_TRUE(
            std::equal(one.distances.begin(), one.distances.end(), all.distances.begin() + from));
      }
    }
  }
}

TEST(NearestIndex, FindsTheSameRowsWithoutDistances) {
  const std::vector<Point> points = box_points(300, 1, {-10, -10, 10, 10});
  const std::vector<Point> queries = box_points(100, 2, {-10, -10, 10, 10});
  const ThreadPool pool(2);
  NearestIndex index;
  index.build(points, Space::sphere, pool);
  Neighbours rows;
  index.search_rows(queries, 7, pool, rows);
  EXPECT_EQ(rows.rows, search(points, queries, Space::sphere, 7, false).rows);
}

}  // namespace
}  // namespace pegnn
