#include "stats/linear_predictor.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/philox.h"

namespace pegnn {
namespace {

const ThreadPool kPool(1);

// A column of ones and one of standard normal numbers.
Array<double> design(std::int64_t rows, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  Array<double> x;
  for (std::int64_t i = 0; i < rows; ++i) {
    x.push_back(1);
    x.push_back(rng.normal(1, static_cast<std::uint64_t>(i)));
  }
  return x;
}

TEST(LinearPredictor, OfOnesAloneIsTheLogarithmOfTheOdds) {
  const Array<double> ones(10, 1.0), weight{1, 1, 1, 1, 1, 1, 1, 1, 1, 3};
  const Array<double> b = fit_linear_predictor(
      {ones.data(), 10, 1}, weight,
      [](std::int64_t i, double p) { return logistic_loss(p, i >= 7); }, 1e-3, kPool);
  EXPECT_NEAR(std::log(5.0 / 7.0), b[0], 1e-9);
}

TEST(LinearPredictor, OfOnesAloneIsTheLogarithmOfTheMeanAbsoluteResidual) {
  const Array<double> ones(4, 1.0), weight(4, 1.0), residuals{1, -2, 3, -6};
  const Array<double> b = fit_linear_predictor(
      {ones.data(), 4, 1}, weight,
      [&](std::int64_t i, double p) { return laplace_scale_loss(p, residuals[i]); }, 1e-3, kPool);
  EXPECT_NEAR(std::log(3.0), b[0], 1e-9);
}

TEST(LinearPredictor, FindsTheSlopeOfALogisticRegression) {
  constexpr std::int64_t kRows = 20000;
  const Array<double> x = design(kRows, 3), weight(kRows, 1.0);
  const Rng rng{4, Stream::sample};
  const auto of_the_kind = [&](std::int64_t i) {
    return rng.uniform(2, static_cast<std::uint64_t>(i)) <
           1 / (1 + std::exp(-(-0.5 + 1.5 * x[2 * i + 1])));
  };
  const Array<double> b = fit_linear_predictor(
      {x.data(), kRows, 2}, weight,
      [&](std::int64_t i, double p) { return logistic_loss(p, of_the_kind(i)); }, 1e-6, kPool);
  EXPECT_NEAR(-0.5, b[0], 0.06);
  EXPECT_NEAR(1.5, b[1], 0.08);
}

// Without the ridge the slope would go to infinity.
TEST(LinearPredictor, StaysFiniteWhereTheKindsAreWhollyApart) {
  const Array<double> x{1, -2, 1, -1, 1, 1, 1, 2}, weight(4, 1.0);
  const Array<double> b = fit_linear_predictor(
      {x.data(), 4, 2}, weight, [](std::int64_t i, double p) { return logistic_loss(p, i >= 2); },
      1e-3, kPool);
  EXPECT_NEAR(0, b[0], 1e-6);
  EXPECT_GT(b[1], 2);
  EXPECT_LT(b[1], 20);
}

TEST(LinearPredictor, StaysFiniteWhereEveryResidualIsZero) {
  const Array<double> x = design(20, 5), weight(20, 1.0);
  const Array<double> b = fit_linear_predictor(
      {x.data(), 20, 2}, weight, [](std::int64_t, double p) { return laplace_scale_loss(p, 0); },
      1e-3, kPool);
  EXPECT_TRUE(std::isfinite(b[0]) && std::isfinite(b[1]));
}

TEST(LinearPredictor, SlopeAndCurvatureAreThoseOfTheLoss) {
  constexpr double kStep = 1e-5;
  for (const double p : {-3.0, -0.2, 0.0, 1.7}) {
    for (const auto& loss :
         {LossOfRow([](std::int64_t, double q) { return logistic_loss(q, true); }),
          LossOfRow([](std::int64_t, double q) { return logistic_loss(q, false); }),
          LossOfRow([](std::int64_t, double q) { return laplace_scale_loss(q, -0.8); })}) {
      const RowLoss at = loss(0, p), before = loss(0, p - kStep), behind = loss(0, p + kStep);
      EXPECT_NEAR((behind.value - before.value) / (2 * kStep), at.slope, 1e-8);
      EXPECT_NEAR((behind.slope - before.slope) / (2 * kStep), at.curvature, 1e-8);
    }
  }
}

TEST(LinearPredictor, ANumberOfAnySizeHasALoss) {
  for (const double p : {-1e300, -800.0, 800.0, 1e300}) {
    for (const RowLoss& loss :
         {logistic_loss(p, true), logistic_loss(p, false), laplace_scale_loss(p, 1)}) {
      EXPECT_TRUE(std::isfinite(loss.value) && std::isfinite(loss.slope)) << p;
      EXPECT_GE(loss.curvature, 0) << p;
    }
  }
}

}  // namespace
}  // namespace pegnn
