#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/normal_answer.h"

namespace pegnn {
namespace {

TEST(PinballMetric, WeighsMissesByTheLevel) {
  const double z = 1.6448536269514722;  // of 95 %
  const Metrics m = test::scores({4}, {1}, {1});
  EXPECT_NEAR(0.95 * (3 - z), m["pinball_95"], 1e-12);
  EXPECT_NEAR(0.5 * 3, m["pinball_50"], 1e-12);
  EXPECT_NEAR(0.05 * (3 + z), m["pinball_05"], 1e-12);
  EXPECT_NEAR(0.05 * (3 + z), test::scores({-2}, {1}, {1})["pinball_95"], 1e-12);
}

}  // namespace
}  // namespace pegnn
