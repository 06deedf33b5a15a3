#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "pegnn/metrics.h"

namespace pegnn {
namespace {

// Errors (observed less predicted) 1, -1, 0, 2.
TEST(MaeMinmaxMetric, MatchesAHandComputedCase) {
  const std::vector<double> observed{1, 2, 3, 4}, predicted{0, 3, 3, 2};
  EXPECT_DOUBLE_EQ(0.1, compute_metrics(observed, predicted, 0, 10)["mae_minmax"]);
}

}  // namespace
}  // namespace pegnn
