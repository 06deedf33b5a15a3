#include "baseline/observations.h"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/spatial_rows.h"

namespace pegnn {
namespace {

test::SpatialRows five_rows() {
  return {.points = {{2, 0}, {0, 0}, {2, 0}, {5, 4}, {2, 0}},
          .features = {1, 2, 3, 4, 5},
          .feature_count = 1,
          .target = {1, 10, 2, 4, 3}};
}

TEST(Observations, RowsOfOnePlaceAreMergedWithTheirScatter) {
  const test::SpatialRows data = five_rows();
  const Observations o = make_observations(data.rows(), Space::plane, false);
  ASSERT_EQ(o.size(), 3);
  EXPECT_DOUBLE_EQ(o.offset, 4.0);
  EXPECT_EQ(o.points[0], (Point{0, 0}));
  EXPECT_DOUBLE_EQ(o.labels[0], 6.0);
  EXPECT_DOUBLE_EQ(o.labels[1], -2.0);
  EXPECT_EQ(o.counts[1], 3);
  EXPECT_DOUBLE_EQ(o.scatter[1], 2.0);
  EXPECT_EQ(o.of_row, (std::vector<std::int32_t>{1, 0, 1, 2, 1}));
  EXPECT_DOUBLE_EQ(o.label_variance(), (9 + 36 + 4 + 0 + 1) / 5.0);
}

TEST(Observations, RowsWithFeaturesStayApartAndFeaturesAreCentred) {
  const test::SpatialRows data = five_rows();
  const Observations o = make_observations(data.rows(), Space::plane, true);
  ASSERT_EQ(o.size(), 5);
  EXPECT_EQ(o.mean_columns, 2);
  EXPECT_EQ(o.centres, std::vector<double>{3.0});
  for (std::size_t row = 0; row < 5; ++row) {
    const auto i = static_cast<std::size_t>(o.of_row[row]);
    EXPECT_EQ(o.columns[2 * i], 1.0);
    EXPECT_EQ(o.columns[2 * i + 1], data.features[row] - 3);
  }
}

TEST(Observations, DoNotDependOnTheOrderOfTheRows) {
  const test::SpatialRows data = five_rows();
  for (const bool with_features : {false, true}) {
    const Observations a = make_observations(data.rows(), Space::plane, with_features);
    const test::SpatialRows turned = data.picked({4, 2, 3, 0, 1});
    const Observations b = make_observations(turned.rows(), Space::plane, with_features);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.labels, b.labels);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.of_row[2], b.of_row[1]);
  }
}

TEST(Observations, EqualLabelsAreConstantWhateverTheirSize) {
  for (const double y : {0.0, 0.1, -1e6 / 3, 1e-300}) {
    test::SpatialRows data = five_rows();
    std::fill(data.target.begin(), data.target.end(), y);
    EXPECT_TRUE(make_observations(data.rows(), Space::plane, false).constant()) << y;
    EXPECT_EQ(make_observations(data.rows(), Space::plane, false).offset, y);
  }
  EXPECT_FALSE(make_observations(five_rows().rows(), Space::plane, false).constant());
}

TEST(Observations, SpacingIsThatOfSeparatePlaces) {
  test::SpatialRows data;
  data.feature_count = 1;
  for (int i = 0; i < 40; ++i) {
    data.points.push_back({3.0 * (i / 2), 0});
    data.target.push_back(i);
    data.features.push_back(i);
  }
  const ThreadPool pool(1);
  for (const bool with_features : {false, true}) {
    const Spacing s =
        measure_spacing(make_observations(data.rows(), Space::plane, with_features), 0, pool);
    EXPECT_DOUBLE_EQ(s.near, 3);
    EXPECT_DOUBLE_EQ(s.middle, 3);
    EXPECT_DOUBLE_EQ(s.extent, 57);
  }
}

TEST(Observations, SpacingOfASinglePlaceIsPositive) {
  test::SpatialRows data{.points = {{7, 7}, {7, 7}}, .features = {}, .target = {1, 2}};
  const ThreadPool pool(1);
  const Spacing s = measure_spacing(make_observations(data.rows(), Space::plane, false), 0, pool);
  EXPECT_GT(s.near, 0);
  EXPECT_GT(s.extent, 0);
}

TEST(Observations, ASampleHoldsEachNumberOnceAndDependsOnSeedAndDraw) {
  const std::vector<std::int32_t> a = draw_sample(1000, 100, 5, 1);
  EXPECT_EQ(std::set<std::int32_t>(a.begin(), a.end()).size(), 100U);
  EXPECT_TRUE(std::is_sorted(a.begin(), a.end()));
  EXPECT_EQ(a, draw_sample(1000, 100, 5, 1));
  EXPECT_NE(a, draw_sample(1000, 100, 6, 1));
  EXPECT_NE(a, draw_sample(1000, 100, 5, 2));
  EXPECT_EQ(draw_sample(7, 100, 5, 1).size(), 7U);
}

}  // namespace
}  // namespace pegnn
