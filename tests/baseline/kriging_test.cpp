#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

constexpr SpatialModel kModel{Covariance::exponential, 0.3, 2.0, 0.5};

const BaselineEntry& kriging() { return *find_baseline("kriging"); }

Options given(const SpatialModel& model, std::int64_t k) {
  Options options;
  options.kernel = name_of(model.kernel);
  options.range = model.range;
  options.sill = model.sill;
  options.nugget = model.nugget;
  options.k = k;
  return options;
}

// Ordinary kriging from all rows at once, by the bordered system, for a new observation at `query`.
struct Kriged {
  double mean, variance;
};

Kriged krige(const test::SpatialRows& data, const SpatialModel& model, Point query) {
  const std::size_t n = data.points.size(), m = n + 1;
  const std::vector<double> c = test::covariances(data.points, model);
  std::vector<double> a(m * m, 1.0), right(m, 1.0);
  a[m * m - 1] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i * m + j] = c[i * n + j];
    const double d = std::hypot(data.points[i].x - query.x, data.points[i].y - query.y);
    right[i] = model.sill * correlation(model.kernel, d / model.range);
  }
  std::vector<double> weights = test::solve(a, right);
  const double variance = model.variance() - test::dot(weights, right);
  weights.pop_back();
  return {test::dot(weights, data.target), variance};
}

test::SpatialRows at(std::vector<Point> points) {
  return {.points = std::move(points), .features = {}, .target = {}};
}

TEST(Kriging, HalfwayBetweenTwoPointsTakesTheirMean) {
  const test::SpatialRows data{.points = {{0, 0}, {2, 0}}, .features = {}, .target = {1, 4}};
  const test::Fitted fitted(kriging(), given({Covariance::exponential, 2, 3, 1}, 1024), data);
  const test::Asked asked = fitted.ask(at({{1, 0}}));
  EXPECT_DOUBLE_EQ(asked.mean[0], 2.5);
  // Var(y - (y1 + y2) / 2), each of variance 4.
  const double near = 3 * std::exp(-0.5), far = 3 * std::exp(-1.0);
  EXPECT_NEAR(asked.deviation[0], std::sqrt(4 + 2 + far / 2 - 2 * near), 1e-12);
}

TEST(Kriging, FromAllRowsIsTheBorderedSystem) {
  const test::SpatialRows data = test::simulate(40, kModel, 0, 0, 1);
  const std::vector<Point> places = {{0.5, 0.5}, {0.1, 0.9}, {3, -2}, data.points[7]};
  for (const Covariance kernel : {Covariance::exponential, Covariance::matern32,
                                  Covariance::matern52, Covariance::gaussian}) {
    SpatialModel model = kModel;
    model.kernel = kernel;
    const test::Asked asked = test::Fitted(kriging(), given(model, 40), data).ask(at(places));
    for (std::size_t q = 0; q < places.size(); ++q) {
      const Kriged want = krige(data, model, places[q]);
      EXPECT_NEAR(asked.mean[q], want.mean, 1e-9) << name_of(kernel);
      EXPECT_NEAR(asked.deviation[q], std::sqrt(want.variance), 1e-9) << name_of(kernel);
    }
  }
}

TEST(Kriging, TakesTheNearestPlacesOnly) {
  const test::SpatialRows data = test::simulate(200, kModel, 0, 0, 2);
  const Point query{0.4, 0.6};
  std::vector<std::size_t> order(200);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto distance = [&](std::size_t i) {
      return std::hypot(data.points[i].x - query.x, data.points[i].y - query.y);
    };
    return distance(a) < distance(b);
  });
  order.resize(12);
  const Kriged want = krige(data.picked(order), kModel, query);
  const test::Asked asked = test::Fitted(kriging(), given(kModel, 12), data).ask(at({query}));
  EXPECT_NEAR(asked.mean[0], want.mean, 1e-9);
  EXPECT_NEAR(asked.deviation[0], std::sqrt(want.variance), 1e-9);
}

TEST(Kriging, RowsOfOnePlaceWeighAsTheyWouldApart) {
  const test::SpatialRows data = test::simulate(40, kModel, 0, 3, 3);
  const std::vector<Point> places = {{0.5, 0.5}, data.points[3], data.points[10]};
  const test::Asked asked = test::Fitted(kriging(), given(kModel, 40), data).ask(at(places));
  for (std::size_t q = 0; q < places.size(); ++q) {
    const Kriged want = krige(data, kModel, places[q]);
    EXPECT_NEAR(asked.mean[q], want.mean, 1e-9);
    EXPECT_NEAR(asked.deviation[q], std::sqrt(want.variance), 1e-9);
  }
}

TEST(Kriging, GivesTheObservedValueAtATrainingPointWithoutNugget) {
  test::SpatialRows data = test::simulate(60, kModel, 0, 0, 4);
  data.points.push_back(data.points[5]);
  data.target.push_back(data.target[5] + 2);
  const test::Asked asked =
      test::Fitted(kriging(), given({Covariance::exponential, 0.3, 2, 0}, 20), data).ask(data);
  for (std::size_t i = 0; i < 60; ++i) {
    const double want = i == 5 ? data.target[5] + 1 : data.target[i];
    EXPECT_NEAR(asked.mean[i], want, 1e-14);
    EXPECT_EQ(asked.deviation[i], 0);
  }
}

TEST(Kriging, SmoothsTheObservedValueUnderANugget) {
  const test::SpatialRows data{.points = {{0, 0}, {1, 0}}, .features = {}, .target = {-1, 1}};
  const test::Asked asked =
      test::Fitted(kriging(), given({Covariance::exponential, 1, 1, 1}, 2), data).ask(data);
  EXPECT_GT(asked.mean[0], -1);
  EXPECT_LT(asked.mean[0], 0);
  EXPECT_GT(asked.deviation[0], 1);
}

TEST(Kriging, FarFromAllPointsIsTheirMeanWithMoreThanTheWholeVariance) {
  const test::SpatialRows data =
      test::simulate(30, {Covariance::exponential, 0.001, 1, 1}, 0, 0, 5);
  const test::Asked asked =
      test::Fitted(kriging(), given({Covariance::exponential, 0.001, 1, 1}, 30), data)
          .ask(at({{500, 500}}));
  EXPECT_NEAR(asked.deviation[0], std::sqrt(2 * (1 + 1.0 / 30)), 1e-3);
  EXPECT_LT(std::abs(asked.mean[0]), 1);
}

TEST(Kriging, ARowLeftOutIsPredictedAsIfItHadNeverBeen) {
  const test::SpatialRows data = test::simulate(50, kModel, 0, 4, 6);
  std::vector<std::int64_t> rows = {0, 3, 4, 20, 49};
  const std::vector<double> left = test::Fitted(kriging(), given(kModel, 10), data).left_out(rows);
  for (std::size_t q = 0; q < rows.size(); ++q) {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < 50; ++i) {
      if (static_cast<std::int64_t>(i) != rows[q]) others.push_back(i);
    }
    const Point place = data.points[static_cast<std::size_t>(rows[q])];
    const test::Asked asked =
        test::Fitted(kriging(), given(kModel, 10), data.picked(others)).ask(at({place}));
    EXPECT_NEAR(left[q], asked.mean[0], 1e-9) << rows[q];
  }
}

TEST(Kriging, NothingDependsOnTheOrderOfTheRows) {
  const test::SpatialRows data = test::simulate(300, kModel, 0, 5, 7);
  std::vector<std::size_t> turned(300);
  for (std::size_t i = 0; i < 300; ++i) turned[i] = (i * 7) % 300;
  for (const char* how : {"likelihood", "variogram"}) {
    Options options;
    options.fit = how;
    const test::Fitted one(kriging(), options, data),
        other(kriging(), options, data.picked(turned));
    EXPECT_EQ(one.baseline->summary(), other.baseline->summary());
    const std::vector<Point> places = {{0.2, 0.3}, {0.9, 0.1}};
    EXPECT_EQ(one.ask(at(places)).mean, other.ask(at(places)).mean);
  }
}

TEST(Kriging, SmallNoiseIsNotTakenForSmallVariation) {
  // Labels around a million that vary by ones: unscaled data must do as well.
  test::SpatialRows data = test::simulate(200, kModel, 0, 0, 8);
  const std::vector<Point> places = {{0.2, 0.3}, {0.9, 0.1}};
  const test::Asked plain = test::Fitted(kriging(), {}, data).ask(at(places));
  for (double& y : data.target) y += 1e6;
  const test::Asked shifted = test::Fitted(kriging(), {}, data).ask(at(places));
  for (std::size_t q = 0; q < 2; ++q) {
    EXPECT_NEAR(shifted.mean[q] - 1e6, plain.mean[q], 1e-5);
    EXPECT_NEAR(shifted.deviation[q], plain.deviation[q], 1e-5);
  }
}

TEST(Kriging, SaysItsParametersInUnitsOfTheTarget) {
  const test::SpatialRows data{
      .points = {{10, 50}, {10.1, 50}, {10, 50.1}}, .features = {}, .target = {0, 1, -1}};
  Options options = given({Covariance::exponential, 83000, 20, 5}, 2);
  const test::Fitted far(kriging(), options, data, {3, 10}, Space::sphere);
  EXPECT_EQ(far.baseline->summary(), "exponential covariance, range 83 km, sill 20, nugget 5");
  options.range = 12345678;
  EXPECT_EQ(test::Fitted(kriging(), options, data, {3, 10}, Space::sphere).baseline->summary(),
            "exponential covariance, range 12,346 km, sill 20, nugget 5");
  options.range = 250;
  EXPECT_EQ(test::Fitted(kriging(), options, data, {3, 10}, Space::sphere).baseline->summary(),
            "exponential covariance, range 250 m, sill 20, nugget 5");
  EXPECT_EQ(test::Fitted(kriging(), options, data, {3, 10}).baseline->summary(),
            "exponential covariance, range 250 units, sill 20, nugget 5");
}

TEST(Kriging, OnTheSphereBothSidesOfTheAntimeridianAreNear) {
  test::SpatialRows data{.points = {}, .features = {}, .target = {}};
  for (int i = 0; i < 20; ++i) {
    data.points.push_back({i % 2 == 0 ? 179.9 - 0.01 * i : -179.9 + 0.01 * i, 10 + 0.1 * i});
    data.target.push_back(0.1 * i);
  }
  const test::Fitted fitted(kriging(), given({Covariance::exponential, 1e5, 1, 0.1}, 8), data, {},
                            Space::sphere);
  const test::Asked asked = fitted.ask(at({{180, 11}, {-180, 11}}));
  EXPECT_EQ(asked.mean[0], asked.mean[1]);
  EXPECT_NEAR(asked.mean[0], 1.0, 0.3);
}

TEST(Kriging, ConstantLabelsAreCertain) {
  test::SpatialRows data = test::simulate(50, kModel, 0, 3, 9);
  std::fill(data.target.begin(), data.target.end(), 0.7);
  const test::Asked asked = test::Fitted(kriging(), {}, data).ask(at({{0.2, 0.3}, {9, 9}}));
  EXPECT_EQ(asked.mean, (std::vector<double>{0.7, 0.7}));
  EXPECT_EQ(asked.deviation, (std::vector<double>{0, 0}));
}

TEST(Kriging, RowsAllAtOnePlaceTellTheirMeanAndNoise) {
  const test::SpatialRows data{
      .points = std::vector<Point>(4, {1, 1}), .features = {}, .target = {1, 2, 3, 6}};
  for (const char* how : {"likelihood", "variogram"}) {
    Options options;
    options.fit = how;
    const test::Fitted fitted(kriging(), options, data);
    const test::Asked asked = fitted.ask(at({{1, 1}, {2, 1}}));
    EXPECT_NEAR(asked.mean[0], 3, 1e-9) << how;
    EXPECT_NEAR(asked.mean[1], 3, 1e-9) << how;
    EXPECT_GT(asked.deviation[1], 1.5) << how;
    EXPECT_TRUE(std::isfinite(asked.deviation[1])) << how;
    EXPECT_NEAR(fitted.left_out({3})[0], 2, 1e-9) << how;
  }
}

}  // namespace
}  // namespace pegnn
