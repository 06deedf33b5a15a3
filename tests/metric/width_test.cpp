#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/normal_answer.h"

namespace pegnn {
namespace {

TEST(WidthMetric, IsTheMeanWidthOfTheIntervals) {
  const Metrics m = test::scores({0, 0}, {0, 5}, {1, 3});
  EXPECT_NEAR(2 * 2 * 1.6448536269514722, m["width_90"], 1e-12);
  EXPECT_NEAR(2 * 2 * 1.959963984540054, m["width_95"], 1e-12);
}

}  // namespace
}  // namespace pegnn
