#include "geo/spatial_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "geo/radix_sort.h"
#include "geo/sphere.h"
#include "point_sets.h"

namespace pegnn {
namespace {

using Rows = Array<std::int32_t>;

Rows rows_in_order(const std::vector<Point>& points, Space space, int threads = 1) {
  const SpatialOrder order(points, space, ThreadPool(threads));
  Rows rows;
  for (std::int32_t rank = 0; rank < order.size(); ++rank) rows.push_back(order.row_at(rank));
  return rows;
}

// The way from the first point to the last, one after the other.
double length_of_way(const std::vector<Point>& points, const Rows& rows, Space space) {
  double sum = 0;
  for (std::int64_t i = 1; i < rows.size(); ++i) {
    sum += distance(space, points[static_cast<std::size_t>(rows[i - 1])],
                    points[static_cast<std::size_t>(rows[i])]);
  }
  return sum;
}

TEST(SpatialOrder, HoldsEveryRowOnce) {
  for (const Space space : {Space::sphere, Space::plane}) {
    Rows rows = rows_in_order(global_points(5000, 3), space);
    std::ranges::sort(rows);
    Rows all(5000);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(all, rows);
  }
}

TEST(SpatialOrder, TellsItsRowsAloneToo) {
  const ThreadPool pool(2);
  for (const Space space : {Space::sphere, Space::plane}) {
    const auto points = global_points(3000, 4);
    EXPECT_EQ(rows_in_order(points, space), rows_along_curve(points, space, pool));
  }
}

// A curve that fills the plane walks about 0.9 sqrt(n area) from point to point; in the order of
// rows it would be 0.52 n times the side.
TEST(SpatialOrder, WalksFromAPointToANearOne) {
  const auto points = box_points(10000, 5, {0, 0, 1, 1});
  EXPECT_LT(length_of_way(points, rows_in_order(points, Space::plane), Space::plane), 110);
}

TEST(SpatialOrder, WalksShortWaysOverPolesAndTheAntimeridian) {
  const auto points = global_points(10000, 6);
  const double area = 4 * 3.14159265 * kEarthRadiusMetres * kEarthRadiusMetres;
  EXPECT_LT(length_of_way(points, rows_in_order(points, Space::sphere), Space::sphere),
            1.2 * std::sqrt(10000 * area));
}

// One cell of the first curve holds all points but one.
TEST(SpatialOrder, OrdersAHeapThatIsTinyBesideTheRest) {
  auto points = box_points(10000, 7, {0, 0, 1e-3, 1e-3});
  points[500] = {1e9, -1e9};
  Rows rows = rows_in_order(points, Space::plane);
  EXPECT_TRUE(rows.front() == 500 || rows.back() == 500);
  std::erase(rows, 500);
  EXPECT_LT(length_of_way(points, rows, Space::plane), 110e-3);
}

TEST(SpatialOrder, KeepsTheOrderOfRowsInOnePlace) {
  const std::vector<Point> points(100, Point{-77.7, 33.3});
  Rows all(100);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(all, rows_in_order(points, Space::sphere));
  EXPECT_EQ(all, rows_in_order(points, Space::plane));
}

TEST(SpatialOrder, TakesOnePointOrNone) {
  EXPECT_TRUE(rows_in_order({}, Space::sphere).empty());
  EXPECT_EQ(Rows{0}, rows_in_order({{180, 90}}, Space::sphere));
  EXPECT_EQ(Rows{0}, rows_in_order({{1e300, -1e300}}, Space::plane));
}

TEST(SpatialOrder, TakesTheLargestNumbersThereAre) {
  const std::vector<Point> points = {{1.7e308, 0}, {-1.7e308, 0}, {1.69e308, 1}, {-1.69e308, 1}};
  Rows rows = rows_in_order(points, Space::plane);
  EXPECT_EQ(std::abs(rows[0] - rows[1]), 2);  // 0 and 2 are near, as are 1 and 3
}

TEST(SpatialOrder, IsTheSameForAnyNumberOfThreads) {
  const auto points = clustered_points(30000, 8);
  const Rows one = rows_in_order(points, Space::sphere, 1);
  EXPECT_EQ(one, rows_in_order(points, Space::sphere, 2));
  EXPECT_EQ(one, rows_in_order(points, Space::sphere, 3));
}

TEST(SpatialOrder, GivesTheRanksOfSomeRowsAscending) {
  const auto points = box_points(1000, 9, {-124, 32, -114, 42});
  const SpatialOrder order(points, Space::sphere, ThreadPool(1));
  Rows rows = {999, 0, 512, 77, 3}, scratch, ranks;
  order.ranks_of(rows, scratch, ranks);
  EXPECT_TRUE(std::ranges::is_sorted(ranks));
  Rows back;
  for (const std::int32_t rank : ranks) back.push_back(order.row_at(rank));
  std::ranges::sort(rows);
  std::ranges::sort(back);
  EXPECT_EQ(rows, back);
  order.ranks_of({}, scratch, ranks);
  EXPECT_TRUE(ranks.empty());
}

TEST(SpatialOrder, KnowsThePlaceOfARank) {
  const std::vector<Point> points = {{10, 20}, {-30, 40}, {50, -60}};
  const SpatialOrder round(points, Space::sphere, ThreadPool(1));
  const SpatialOrder flat(points, Space::plane, ThreadPool(1));
  for (std::int32_t rank = 0; rank < 3; ++rank) {
    const UnitVector v = unit_vector(points[static_cast<std::size_t>(round.row_at(rank))]);
    EXPECT_EQ((std::array{v.x, v.y, v.z}), round.round(rank));
    const Point p = points[static_cast<std::size_t>(flat.row_at(rank))];
    EXPECT_EQ((std::array{p.x, p.y}), flat.flat(rank));
  }
}

using SpatialOrderDeathTest = testing::Test;

TEST(SpatialOrderDeathTest, StopsAtAPointThatIsNotFinite) {
  const std::vector<Point> points = {{0, 0}, {std::nan(""), 1}};
  EXPECT_DEATH(SpatialOrder(points, Space::plane, ThreadPool(1)), "points must be finite");
}

RC_GTEST_PROP(RadixSort, SortsAsAStableSortDoes, (std::vector<std::uint32_t> keys)) {
  struct Item {
    std::uint32_t key;
    std::size_t place;
    bool operator==(const Item&) const = default;
  };
  Array<Item> items, scratch;
  for (std::size_t i = 0; i < keys.size(); ++i) items.push_back({keys[i] % 1000, i});
  auto expected = items;
  std::ranges::stable_sort(expected, {}, &Item::key);
  radix_sort(items, scratch, 10, [](const Item& item) { return item.key; });
  RC_ASSERT(items == expected);
}

}  // namespace
}  // namespace pegnn
