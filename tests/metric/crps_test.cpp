#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/normal_answer.h"

namespace pegnn {
namespace {

// The integral of (F(z) - [z >= y])^2 by the trapezium rule.
double integral(double y, double mean, double sd) {
  double sum = 0;
  constexpr double kStep = 1e-4;
  for (double z = mean - 12 * sd; z < mean + 12 * sd; z += kStep * sd) {
    const double below = 0.5 * std::erfc(-(z - mean) / sd / std::numbers::sqrt2);
    const double off = below - (z >= y ? 1.0 : 0.0);
    sum += off * off * kStep * sd;
  }
  return sum;
}

TEST(CrpsMetric, IsTheIntegralOverTheSquaredDistanceOfTheDistributions) {
  for (const double y : {-1.0, 0.3, 2.0, 7.0}) {
    EXPECT_NEAR(integral(y, 1, 2), test::scores({y}, {1}, {2})["crps"], 2e-4) << y;
  }
}

TEST(CrpsMetric, OfACertaintyIsTheAbsoluteError) {
  EXPECT_DOUBLE_EQ(3.0, test::scores({4}, {1}, {0})["crps"]);
  EXPECT_DOUBLE_EQ(0.0, test::scores({1}, {1}, {0})["crps"]);
}

TEST(CrpsMetric, AtTheMeanIsTheKnownMultipleOfTheDeviation) {
  const double known = 2 * (std::numbers::sqrt2 - 1) * 0.5 * std::numbers::inv_sqrtpi;
  EXPECT_NEAR(5 * known, test::scores({2}, {2}, {5})["crps"], 1e-14);
}

TEST(CrpsMetric, IsNotThereWithoutADistribution) {
  const std::vector<double> y{1, 2}, p{1, 3};
  EXPECT_TRUE(std::isnan(compute_metrics(y, p, 0, 1)["crps"]));
  EXPECT_TRUE(scores_distribution("crps"));
  EXPECT_FALSE(scores_distribution("mse"));
}

}  // namespace
}  // namespace pegnn
