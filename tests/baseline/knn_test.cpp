// What is special to the mean of nearest neighbours; the rest is in conformance_test.cpp.

#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

// On a line, at 0, 1, 3 and 7.
test::SpatialRows line() {
  test::SpatialRows rows;
  rows.points = {{0, 0}, {1, 0}, {3, 0}, {7, 0}};
  rows.target = {10, 20, 40, 80};
  return rows;
}

test::SpatialRows at(double x) {
  test::SpatialRows query;
  query.points = {{x, 0}};
  return query;
}

test::Fitted knn(std::int64_t k, const std::string& weights, const test::SpatialRows& rows,
                 Space space = Space::plane) {
  Options options;
  options.k = k;
  options.knn_weights = weights;
  return {*find_baseline("knn"), options, rows, {}, space};
}

TEST(Knn, TakesTheMeanOfTheNearest) {
  EXPECT_DOUBLE_EQ(knn(1, "uniform", line()).ask(at(0.9)).mean[0], 20);
  EXPECT_DOUBLE_EQ(knn(2, "uniform", line()).ask(at(0.9)).mean[0], 15);
  EXPECT_DOUBLE_EQ(knn(3, "uniform", line()).ask(at(0.9)).mean[0], 70.0 / 3.0);
}

TEST(Knn, WeighsByOneOverDistanceWhenAskedTo) {
  // At 2: the rows at 1 and 3 at distance 1, that at 0 at distance 2.
  EXPECT_DOUBLE_EQ(knn(3, "distance", line()).ask(at(2)).mean[0], (20 + 40 + 0.5 * 10) / 2.5);
}

TEST(Knn, OnTopOfATrainingPointUniformWeightsStayAndOthersTakeItsLabel) {
  EXPECT_DOUBLE_EQ(knn(2, "uniform", line()).ask(at(1)).mean[0], 15);
  EXPECT_DOUBLE_EQ(knn(2, "distance", line()).ask(at(1)).mean[0], 20);
}

TEST(Knn, ALeftOutRowIsPredictedByItsOwnNeighbours) {
  EXPECT_EQ(knn(2, "uniform", line()).left_out({0, 1, 2, 3}),
            (std::vector<double>{30, 25, 15, 30}));
  // At 1: the rows at 0 and 3, at distances 1 and 2.
  EXPECT_DOUBLE_EQ(knn(2, "distance", line()).left_out({1})[0], (10 + 0.5 * 40) / 1.5);
}

TEST(Knn, ALeftOutRowSeesItsTwinAtTheSamePlace) {
  test::SpatialRows rows = line();
  rows.points.push_back({3, 0});
  rows.target.push_back(44);
  EXPECT_DOUBLE_EQ(knn(1, "uniform", rows).left_out({2})[0], 44);
  EXPECT_DOUBLE_EQ(knn(1, "uniform", rows).left_out({4})[0], 40);
}

TEST(Knn, MeasuresDistanceOnTheSphere) {
  // From 80 degrees north a degree of longitude is short: 30 degrees east is nearer than 6 south.
  test::SpatialRows rows, query;
  rows.points = {{30, 80}, {0, 74}};
  rows.target = {1, 2};
  query.points = {{0, 80}};
  EXPECT_DOUBLE_EQ(knn(1, "uniform", rows, Space::sphere).ask(query).mean[0], 1);
  EXPECT_DOUBLE_EQ(knn(1, "uniform", rows, Space::degrees).ask(query).mean[0], 2);
}

TEST(Knn, TakesFiveOfItsOwnAccordAndNoMoreThanThereAre) {
  Options many, few;
  find_baseline("knn")->resolve(many, 1000);
  find_baseline("knn")->resolve(few, 4);
  EXPECT_EQ(many.k, 5);
  EXPECT_EQ(few.k, 3);
}

}  // namespace
}  // namespace pegnn
