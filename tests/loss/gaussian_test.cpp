#include <cmath>

#include <gtest/gtest.h>

#include "loss/loss.h"

namespace pegnn {
namespace {

TEST(GaussianLoss, IsTheNegativeLogOfTheDensityWithoutItsConstant) {
  const LossEntry& loss = find_loss("gaussian");
  const double raw[2] = {1, std::log(2.0)};
  double slope[2];
  // y = 4: z = 1.5, so log 2 + 1.125
  EXPECT_NEAR(std::log(2.0) + 1.125, loss.of_row(raw, 4, slope), 1e-15);
  EXPECT_NEAR(-0.75, slope[0], 1e-15);
  EXPECT_NEAR(1 - 2.25, slope[1], 1e-15);
}

TEST(GaussianLoss, StaysFiniteForADeviationOfAnySize) {
  const LossEntry& loss = find_loss("gaussian");
  for (const double log_s : {-1e4, -50.0, 50.0, 1e4}) {
    const double raw[2] = {0, log_s};
    double slope[2];
    EXPECT_TRUE(std::isfinite(loss.of_row(raw, 3, slope))) << log_s;
    EXPECT_TRUE(std::isfinite(slope[0]) && std::isfinite(slope[1])) << log_s;
  }
}

}  // namespace
}  // namespace pegnn
