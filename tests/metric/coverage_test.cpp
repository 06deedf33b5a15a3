#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/normal_answer.h"

namespace pegnn {
namespace {

TEST(CoverageMetric, CountsRowsInsideTheirIntervals) {
  // Half widths in deviations: 0.674 (50 %), 1.282 (80 %), 1.645 (90 %), 1.960 (95 %).
  const Metrics m = test::scores({0.6, 1.2, -1.6, 1.9, 3}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1});
  EXPECT_DOUBLE_EQ(0.2, m["coverage_50"]);
  EXPECT_DOUBLE_EQ(0.4, m["coverage_80"]);
  EXPECT_DOUBLE_EQ(0.6, m["coverage_90"]);
  EXPECT_DOUBLE_EQ(0.8, m["coverage_95"]);
}

}  // namespace
}  // namespace pegnn
