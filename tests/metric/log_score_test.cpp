#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/normal_answer.h"

namespace pegnn {
namespace {

TEST(LogScoreMetric, IsTheNegativeLogDensity) {
  // y = 4 under N(1, 2^2): z = 1.5.
  const double want = 0.5 * 2.25 + std::log(2.0) + 0.5 * std::log(2 * std::numbers::pi);
  EXPECT_NEAR(want, test::scores({4}, {1}, {2})["log_score"], 1e-14);
}

}  // namespace
}  // namespace pegnn
