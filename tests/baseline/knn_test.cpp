// What is special to the mean of nearest neighbours; the rest is in conformance_test.cpp.

#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline.h"
#include "pegnn/error.h"
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

TEST(Knn, AWeightOfTwoIsTheRowTwice) {
  test::SpatialRows weighed = line();
  weighed.weight = {0.8, 1.6, 0.8, 0.8};
  const test::SpatialRows twice = line().picked({0, 1, 1, 2, 3});
  for (const char* kind : {"uniform", "distance"}) {
    for (const double x : {-1.0, 0.9, 1.0, 5.0}) {
      EXPECT_DOUBLE_EQ(knn(4, kind, weighed).ask(at(x)).mean[0],
                       knn(5, kind, twice).ask(at(x)).mean[0])
          << kind << " " << x;
    }
  }
  // The row at 0 by those at 1, 3 and 7.
  EXPECT_DOUBLE_EQ(knn(4, "uniform", weighed).left_out({0})[0], (2 * 20 + 40 + 80) / 4.0);
}

TEST(Knn, AmongRowsOfOnePlaceWeightsDecide) {
  test::SpatialRows rows = line();
  rows.points.push_back({1, 0});
  rows.target.push_back(60);
  rows.weight = {1, 3, 1, 1, 1};
  EXPECT_DOUBLE_EQ(knn(5, "distance", rows).ask(at(1)).mean[0], (3 * 20 + 60) / 4.0);
}

TEST(Knn, WeightsAreKeptBesideTheLabels) {
  test::SpatialRows rows = line();
  rows.weight = {0.5, 2, 0.5, 1};
  const test::Fitted fitted = knn(3, "uniform", rows);
  Arrays arrays;
  fitted.baseline->store(arrays);
  const ThreadPool pool(1);
  Options options;
  options.k = 3;
  const auto back = find_baseline("knn")->make({options, Space::plane, 0, {}});
  back->restore(ArrayReader(arrays, "m"), pool);
  std::vector<double> mean(1);
  back->predict(at(0.9).rows(), pool, mean, {});
  EXPECT_EQ(mean, fitted.ask(at(0.9)).mean);
  Arrays damaged;
  for (NamedArray array : arrays.list()) {
    if (array.name == "labels") array.values[3] = -2;
    damaged.push(std::move(array));
  }
  EXPECT_THROW(back->restore(ArrayReader(damaged, "m"), pool), Error);
}

}  // namespace
}  // namespace pegnn
