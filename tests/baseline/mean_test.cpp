// What is special to the mean; the rest is in conformance_test.cpp.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

test::SpatialRows four_rows() {
  test::SpatialRows rows;
  rows.points = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  rows.target = {1, 2, 3, 6};
  return rows;
}

TEST(Mean, IsTheSameEverywhere) {
  const test::Fitted fitted(*find_baseline("mean"), {}, four_rows());
  test::SpatialRows queries;
  queries.points = {{0, 0}, {1e6, -1e6}};
  EXPECT_EQ(fitted.ask(queries).mean, (std::vector<double>{3, 3}));
}

TEST(Mean, ItsDeviationIsThatOfAnObservationAroundAnUncertainMean) {
  // Squares about the mean 3: 4 + 1 + 0 + 9 = 14; variance 14 / 3, and a quarter of it for the
  // mean.
  const test::Fitted fitted(*find_baseline("mean"), {}, four_rows());
  EXPECT_DOUBLE_EQ(fitted.ask(four_rows()).deviation[0], std::sqrt(14.0 / 3.0 * 1.25));
}

TEST(Mean, ALeftOutRowIsPredictedByTheOthers) {
  const test::Fitted fitted(*find_baseline("mean"), {}, four_rows());
  const std::vector<double> got = fitted.left_out({3, 0});
  EXPECT_DOUBLE_EQ(got[0], 2);
  EXPECT_DOUBLE_EQ(got[1], 11.0 / 3.0);
}

TEST(Mean, SumsUpInTheUnitsOfTheTarget) {
  const ColumnScale celsius{.offset = 10, .scale = 5};
  const test::Fitted fitted(*find_baseline("mean"), {}, four_rows(), celsius);
  EXPECT_EQ(fitted.baseline->summary(), "mean 25");
}

}  // namespace
}  // namespace pegnn
