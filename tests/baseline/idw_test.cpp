// What is special to inverse distance weighting; the rest is in conformance_test.cpp.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

// On a line, at 0, 1 and 4.
test::SpatialRows line() {
  test::SpatialRows rows;
  rows.points = {{0, 0}, {1, 0}, {4, 0}};
  rows.target = {10, 20, 50};
  return rows;
}

test::SpatialRows at(double x) {
  test::SpatialRows query;
  query.points = {{x, 0}};
  return query;
}

test::Fitted idw(std::int64_t k, double power, const test::SpatialRows& rows) {
  Options options;
  options.k = k;
  options.idw_power = power;
  return {*find_baseline("idw"), options, rows};
}

TEST(Idw, WeighsByDistanceToThePower) {
  // At 2: distances 1, 2 and 2.
  EXPECT_DOUBLE_EQ(idw(3, 1, line()).ask(at(2)).mean[0], (20 + 10 / 2.0 + 50 / 2.0) / 2);
  EXPECT_DOUBLE_EQ(idw(3, 2, line()).ask(at(2)).mean[0], (20 + 10 / 4.0 + 50 / 4.0) / 1.5);
  EXPECT_DOUBLE_EQ(idw(3, 3, line()).ask(at(2)).mean[0], (20 + 10 / 8.0 + 50 / 8.0) / 1.25);
}

TEST(Idw, LooksAtTheNearestOnly) {
  // Two at the distances 1 and 2; of the two rows at 2 the first counts.
  EXPECT_DOUBLE_EQ(idw(2, 1, line()).ask(at(2)).mean[0], (20 + 10 / 2.0) / 1.5);
}

TEST(Idw, GivesTheObservedValueAtATrainingPoint) {
  EXPECT_EQ(idw(3, 2, line()).ask(at(4)).mean[0], 50);
}

TEST(Idw, GivesTheMeanOfAllObservationsAtOnePlace) {
  test::SpatialRows rows = line();
  rows.points.push_back({4, 0});
  rows.target.push_back(70);
  EXPECT_EQ(idw(4, 2, rows).ask(at(4)).mean[0], 60);
}

TEST(Idw, ALargePowerIsTheNearestNeighbourWithoutOverflow) {
  EXPECT_DOUBLE_EQ(idw(3, 100, line()).ask(at(1e-300)).mean[0], 10);
  EXPECT_DOUBLE_EQ(idw(3, 100, line()).ask(at(1.5)).mean[0], 20);
}

TEST(Idw, ALeftOutRowIsPredictedByTheOthers) {
  // From 1: distances 1 and 3; from 4: 3 and 4.
  const std::vector<double> got = idw(2, 2, line()).left_out({1, 2});
  EXPECT_DOUBLE_EQ(got[0], (10 + 50 / 9.0) / (1 + 1 / 9.0));
  EXPECT_DOUBLE_EQ(got[1], (20 / 9.0 + 10 / 16.0) / (1 / 9.0 + 1 / 16.0));
}

TEST(Idw, TakesTenOfItsOwnAccord) {
  Options options;
  find_baseline("idw")->resolve(options, 1000);
  EXPECT_EQ(options.k, 10);
}

TEST(Idw, WeightsOfRowsMultiplyThoseOfDistance) {
  test::SpatialRows rows = line();
  rows.weight = {3, 0.5, 1};
  // From 2: the rows at 0 and 1 at the distances 2 and 1, that at 4 at 2.
  EXPECT_DOUBLE_EQ(idw(3, 2, rows).ask(at(2)).mean[0],
                   (3 * 10 / 4.0 + 0.5 * 20 + 50 / 4.0) / (3 / 4.0 + 0.5 + 0.25));
  rows.weight = {1e-200, 3, 1e-200};
  EXPECT_DOUBLE_EQ(idw(1, 100, rows).ask(at(0.1)).mean[0], 10) << "a light row alone still counts";
}

}  // namespace
}  // namespace pegnn
