#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

constexpr SpatialModel kModel{Covariance::exponential, 0.3, 2.0, 0.5};

const BaselineEntry& nngp() { return *find_baseline("nngp"); }

Options given(const SpatialModel& model, std::int64_t k) {
  Options options;
  options.range = model.range;
  options.sill = model.sill;
  options.nugget = model.nugget;
  options.k = k;
  return options;
}

// Simple kriging from all rows around the mean of generalised least squares.
struct Dense {
  std::vector<double> coefficients;
  double mean, variance;
};

Dense dense(const test::SpatialRows& data, const SpatialModel& model, Point place,
            const std::vector<double>& features) {
  const std::size_t n = data.points.size(), p = 1 + static_cast<std::size_t>(data.feature_count);
  const std::vector<double> c = test::covariances(data.points, model);
  const auto column = [&](std::size_t f) {
    std::vector<double> x(n, 1.0);
    for (std::size_t i = 0; f > 0 && i < n; ++i) x[i] = data.features[i * (p - 1) + f - 1];
    return x;
  };
  std::vector<double> normal, right;
  for (std::size_t a = 0; a < p; ++a) {
    const std::vector<double> solved = test::solve(c, column(a));
    for (std::size_t b = 0; b < p; ++b) normal.push_back(test::dot(solved, column(b)));
    right.push_back(test::dot(solved, data.target));
  }
  Dense out{test::solve(normal, right), 0, 0};
  std::vector<double> residual = data.target, r(n);
  out.mean = out.coefficients[0];
  for (std::size_t f = 0; f < p; ++f) {
    for (std::size_t i = 0; i < n; ++i) residual[i] -= out.coefficients[f] * column(f)[i];
    if (f > 0) out.mean += out.coefficients[f] * features[f - 1];
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double d = std::hypot(data.points[i].x - place.x, data.points[i].y - place.y);
    r[i] = model.sill * correlation(model.kernel, d / model.range);
  }
  const std::vector<double> weights = test::solve(c, r);
  out.mean += test::dot(weights, residual);
  out.variance = model.variance() - test::dot(weights, r);
  return out;
}

TEST(Nngp, WithAllRowsAsNeighboursIsTheFullGaussianProcess) {
  const test::SpatialRows data = test::simulate(60, kModel, 2, 0, 1);
  const test::SpatialRows queries{.points = {{0.5, 0.5}, {0.9, 0.2}},
                                  .features = {0.3, -0.4, 2, 1},
                                  .feature_count = 2,
                                  .target = {}};
  const test::Asked asked = test::Fitted(nngp(), given(kModel, 60), data).ask(queries);
  for (std::size_t q = 0; q < 2; ++q) {
    const Dense want = dense(data, kModel, queries.points[q],
                             {queries.features[2 * q], queries.features[2 * q + 1]});
    EXPECT_NEAR(asked.mean[q], want.mean, 1e-9);
    EXPECT_NEAR(asked.deviation[q], std::sqrt(want.variance), 1e-9);
  }
}

TEST(Nngp, WithoutFeaturesRowsOfOnePlaceWeighAsTheyWouldApart) {
  const test::SpatialRows data = test::simulate(60, kModel, 0, 3, 2);
  const test::SpatialRows queries{
      .points = {{0.5, 0.5}, data.points[3]}, .features = {}, .target = {}};
  const test::Asked asked = test::Fitted(nngp(), given(kModel, 60), data).ask(queries);
  for (std::size_t q = 0; q < 2; ++q) {
    const Dense want = dense(data, kModel, queries.points[q], {});
    EXPECT_NEAR(asked.mean[q], want.mean, 1e-9);
    EXPECT_NEAR(asked.deviation[q], std::sqrt(want.variance), 1e-9);
  }
}

TEST(Nngp, FindsTheCoefficientsOfTheFeatures) {
  const test::SpatialRows data = test::simulate(800, kModel, 3, 10, 3);
  const test::Fitted fitted(nngp(), {}, data);
  const auto at = [&](std::vector<double> x) {
    return fitted
        .ask({.points = {{0.3, 0.7}}, .features = std::move(x), .feature_count = 3, .target = {}})
        .mean[0];
  };
  // The noise of 800 rows leaves about 0.05 of doubt in each.
  const double base = at({0, 0, 0});
  EXPECT_NEAR(at({1, 0, 0}) - base, 1, 0.2);
  EXPECT_NEAR(at({0, 1, 0}) - base, 2, 0.2);
  EXPECT_NEAR(at({0, 0, 1}) - base, 3, 0.2);
}

TEST(Nngp, DeviationsHoldWhatTheyPromise) {
  const test::SpatialRows data = test::simulate(1200, kModel, 1, 9, 4);
  std::vector<std::size_t> first(1000), rest(200);
  for (std::size_t i = 0; i < 1200; ++i) (i < 1000 ? first[i] : rest[i - 1000]) = i;
  const test::SpatialRows queries = data.picked(rest);
  const test::Asked asked = test::Fitted(nngp(), {}, data.picked(first)).ask(queries);
  double square = 0;
  for (std::size_t q = 0; q < 200; ++q) {
    square += std::pow((asked.mean[q] - queries.target[q]) / asked.deviation[q], 2);
  }
  // Chi-squared with 200 degrees of freedom over 200: deviation 0.1.
  EXPECT_NEAR(square / 200, 1, 0.35);
}

TEST(Nngp, ARowLeftOutDoesNotSeeItself) {
  test::SpatialRows data = test::simulate(300, kModel, 1, 4, 5);
  const Options options = given(kModel, 12);
  const std::vector<std::int64_t> rows = {7, 8, 100};
  const std::vector<double> before = test::Fitted(nngp(), options, data).left_out(rows);
  EXPECT_GT(std::abs(before[2] - data.target[100]), 1e-3);
  data.target[100] += 50;
  const std::vector<double> after = test::Fitted(nngp(), options, data).left_out(rows);
  // Only the coefficients of the mean feel the change.
  EXPECT_LT(std::abs(after[2] - before[2]), 5);
}

TEST(Nngp, FewRowsForManyFeaturesUseTheMeanAlone) {
  test::SpatialRows data = test::simulate(6, kModel, 4, 0, 6);
  const test::Fitted fitted(nngp(), {}, data);
  test::SpatialRows queries = data.picked({0, 0});
  queries.features[0] += 100;
  const test::Asked asked = fitted.ask(queries);
  EXPECT_EQ(asked.mean[0], asked.mean[1]);
  EXPECT_GT(asked.deviation[0], 0);
}

TEST(Nngp, AFeatureThatDoesNotVaryChangesNothing) {
  test::SpatialRows data = test::simulate(200, kModel, 1, 0, 7);
  const std::vector<Point> places = {{0.5, 0.5}};
  const double want =
      test::Fitted(nngp(), given(kModel, 15), data)
          .ask({.points = places, .features = {0.4}, .feature_count = 1, .target = {}})
          .mean[0];
  std::vector<double> wide;
  for (const double x : data.features) wide.insert(wide.end(), {x, 4.0});
  data.features = wide;
  data.feature_count = 2;
  const double got =
      test::Fitted(nngp(), given(kModel, 15), data)
          .ask({.points = places, .features = {0.4, 4.0}, .feature_count = 2, .target = {}})
          .mean[0];
  EXPECT_NEAR(got, want, 1e-9);
}

TEST(Nngp, NothingDependsOnTheOrderOfTheRowsOrTheThreads) {
  const test::SpatialRows data = test::simulate(400, kModel, 1, 5, 8);
  std::vector<std::size_t> turned(400);
  for (std::size_t i = 0; i < 400; ++i) turned[i] = (i * 7) % 400;
  const test::SpatialRows queries = data.picked({1, 2, 3});
  const std::vector<double> want = test::Fitted(nngp(), {}, data).ask(queries).mean;
  EXPECT_EQ(test::Fitted(nngp(), {}, data.picked(turned)).ask(queries).mean, want);
  EXPECT_EQ(test::Fitted(nngp(), {}, data, {}, Space::plane, 3).ask(queries).mean, want);
}

TEST(Nngp, RowsThatCoincideWithoutNuggetStayFinite) {
  const test::SpatialRows data = test::simulate(100, kModel, 1, 2, 9);
  const test::Asked asked =
      test::Fitted(nngp(), given({Covariance::exponential, 0.3, 1, 0}, 10), data).ask(data);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_TRUE(std::isfinite(asked.mean[i]));
    EXPECT_EQ(asked.deviation[i], 0);
  }
}

}  // namespace
}  // namespace pegnn
