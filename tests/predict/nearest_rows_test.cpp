#include "predict/nearest_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <nanoflann.hpp>

namespace pegnn {
namespace {

struct Rows {
  std::int64_t width = 0;
  std::vector<float> values = {};

  std::int64_t count() const { return static_cast<std::int64_t>(values.size()) / width; }
  const float* row(std::int64_t i) const { return values.data() + i * width; }

  // As nanoflann wants to see them.
  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(count()); }
  float kdtree_get_pt(std::size_t i, std::size_t j) const {
    return values[i * static_cast<std::size_t>(width) + j];
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Rows>, Rows>;

// Columns that hang together, as features do; every value a multiple of `step`, if there is one.
Rows draw(std::int64_t count, std::int64_t width, unsigned seed, float step = 0) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Rows rows{width};
  for (std::int64_t i = 0; i < count; ++i) {
    const float shared = normal(random);
    for (std::int64_t j = 0; j < width; ++j) {
      const float value = 0.7F * shared + normal(random);
      rows.values.push_back(step > 0 ? step * std::round(value / step) : value);
    }
  }
  return rows;
}

float by_every_row(const Rows& rows, const float* query, std::size_t k) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    float sum = 0;
    for (std::int64_t j = 0; j < rows.width; ++j) {
      const float difference = query[j] - rows.row(i)[j];
      sum += difference * difference;
    }
    all.push_back(sum);
  }
  std::sort(all.begin(), all.end());
  return all.empty() ? 0 : all[std::min(k, all.size()) - 1];
}

void expect_as_every_row(const Rows& rows, const Rows& queries) {
  const NearestRows tree(rows.values, rows.width);
  for (const int k : {1, 2}) {
    for (std::int64_t i = 0; i < queries.count(); ++i) {
      ASSERT_EQ(by_every_row(rows, queries.row(i), static_cast<std::size_t>(k)),
                tree.squared_distance(queries.row(i), k))
          << rows.count() << " rows of " << rows.width << ", query " << i << ", k " << k;
    }
  }
}

TEST(NearestRows, IsTheNearestOfEveryRowToTheBit) {
  for (const std::int64_t width : {1, 2, 3, 8, 30}) {
    for (const std::int64_t count : {1, 2, 15, 16, 17, 32, 33, 48, 1000}) {
      expect_as_every_row(draw(count, width, 1), draw(100, width, 2));
    }
  }
}

TEST(NearestRows, AnyIsWithinWhereTheNearestIs) {
  for (const std::int64_t width : {1, 3, 30}) {
    const Rows rows = draw(1000, width, 11), queries = draw(100, width, 12);
    const NearestRows tree(rows.values, rows.width);
    for (std::int64_t i = 0; i < queries.count(); ++i) {
      const float nearest = tree.squared_distance(queries.row(i), 1);
      EXPECT_TRUE(tree.any_within(queries.row(i), nearest));
      EXPECT_FALSE(tree.any_within(queries.row(i), std::nextafter(nearest, 0.0F)));
      EXPECT_TRUE(tree.any_within(queries.row(i), 2 * nearest));
    }
  }
}

TEST(NearestRows, KnowsItsOwnRows) {
  const Rows rows = draw(500, 4, 3);
  expect_as_every_row(rows, rows);
  const NearestRows tree(rows.values, rows.width);
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    EXPECT_EQ(0.0F, tree.squared_distance(rows.row(i), 1));
    EXPECT_GT(tree.squared_distance(rows.row(i), 2), 0.0F);
  }
}

TEST(NearestRows, TakesManyRowsOfOneValue) {
  expect_as_every_row(draw(1000, 3, 4, 1.0F), draw(100, 3, 5, 0.5F));
  const Rows same{2, std::vector<float>(200, 1.5F)};
  expect_as_every_row(same, draw(10, 2, 6));
}

TEST(NearestRows, FindsTheDistancesOfNanoflann) {
  const Rows rows = draw(3000, 8, 7), queries = draw(1000, 8, 8);
  const NearestRows own(rows.values, rows.width);
  Tree other(8, rows, nanoflann::KDTreeSingleIndexAdaptorParams(16));
  other.buildIndex();
  for (std::int64_t i = 0; i < queries.count(); ++i) {
    std::uint32_t found[2];
    float squared[2];
    ASSERT_EQ(2U, other.knnSearch(queries.row(i), 2, found, squared));
    ASSERT_EQ(squared[0], own.squared_distance(queries.row(i), 1)) << i;
    ASSERT_EQ(squared[1], own.squared_distance(queries.row(i), 2)) << i;
  }
}

TEST(NearestRows, OfNoRowsIsNoDistance) {
  const float query[] = {1, 2};
  EXPECT_EQ(0.0F, NearestRows({}, 2).squared_distance(query, 1));
  EXPECT_FALSE(NearestRows({}, 2).any_within(query, 10));
}

TEST(NearestRows, BeyondTheRangeOfFloatIsInfinitelyFar) {
  const Rows rows = draw(100, 2, 9);
  constexpr float kFar = std::numeric_limits<float>::infinity();
  for (const float value : {1e30F, -1e30F, kFar, -kFar}) {
    const float query[] = {0, value};
    EXPECT_EQ(kFar, NearestRows(rows.values, 2).squared_distance(query, 1)) << value;
    EXPECT_FALSE(NearestRows(rows.values, 2).any_within(query, kFar)) << value;
  }
}

}  // namespace
}  // namespace pegnn
