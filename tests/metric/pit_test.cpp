#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/normal_answer.h"

namespace pegnn {
namespace {

TEST(PitMetric, IsTheLargestDistanceFromUniform) {
  // One row at its median: the empirical distribution jumps from 0 to 1 at 1/2.
  EXPECT_DOUBLE_EQ(0.5, test::scores({3}, {3}, {1})["pit"]);
  // All far above: as far from uniform as can be.
  EXPECT_NEAR(1.0, test::scores({50, 60}, {0, 0}, {1, 1})["pit"], 1e-12);
}

}  // namespace
}  // namespace pegnn
