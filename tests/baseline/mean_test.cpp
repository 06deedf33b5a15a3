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

TEST(Mean, AWeightOfTwoIsTheRowTwice) {
  test::SpatialRows weighed = four_rows();
  weighed.weight = {0.8, 0.8, 0.8, 1.6};
  const test::SpatialRows twice = four_rows().picked({0, 1, 2, 3, 3});
  const test::Fitted one(*find_baseline("mean"), {}, weighed);
  const test::Fitted other(*find_baseline("mean"), {}, twice);
  EXPECT_DOUBLE_EQ(one.ask(four_rows()).mean[0], other.ask(four_rows()).mean[0]);
  EXPECT_DOUBLE_EQ(one.ask(four_rows()).mean[0], 18.0 / 5);
  // Without the heavy row the others are left.
  EXPECT_DOUBLE_EQ(one.left_out({3})[0], 2);
  EXPECT_DOUBLE_EQ(one.left_out({0})[0], (2 + 3 + 2 * 6) / 4.0);
}

TEST(Mean, RowsThatWeighUnequallyTellLessOfItsDeviation) {
  test::SpatialRows rows = four_rows();
  rows.weight = {0.8, 0.8, 0.8, 1.6};
  // Sum w = 4, sum w^2 = 4.48, squares about 3.6: 0.8 (6.76 + 2.56 + 0.36) + 1.6 * 5.76 = 16.96.
  const test::Fitted fitted(*find_baseline("mean"), {}, rows);
  EXPECT_NEAR(fitted.ask(rows).deviation[0], std::sqrt(16.96 / (4 - 4.48 / 4) * (1 + 4.48 / 16)),
              1e-12);
  rows.weight = {4, 1e-200, 1e-200, 1e-200};
  const test::Fitted extreme(*find_baseline("mean"), {}, rows);
  EXPECT_TRUE(std::isfinite(extreme.ask(rows).deviation[0]));
  EXPECT_TRUE(std::isfinite(extreme.left_out({0})[0]));
}

}  // namespace
}  // namespace pegnn
