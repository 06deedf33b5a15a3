#include "metric/predictive.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "metric/metric.h"

namespace pegnn {
namespace {

TEST(NormalQuantile, InvertsTheDistributionToTheLastDigits) {
  for (const double p : {1e-12, 1e-6, 0.01, 0.025, 0.3, 0.5, 0.7, 0.95, 0.999999}) {
    const double z = normal_quantile(p);
    EXPECT_NEAR(p, 0.5 * std::erfc(-z / std::numbers::sqrt2), 4e-15 + 1e-12 * std::min(p, 1 - p));
  }
  EXPECT_NEAR(0, normal_quantile(0.5), 1e-16);
  EXPECT_NEAR(1.959963984540054, normal_quantile(0.975), 1e-14);
}

TEST(EveryMetric, HasFiguresOfItsOwnNameAndSaysWhatItIs) {
  for (const MetricEntry* metric : metrics()) {
    EXPECT_FALSE(metric->info.summary.empty());
    ASSERT_FALSE(metric->figures.empty());
    for (const std::string_view figure : metric->figures) {
      EXPECT_TRUE(figure.starts_with(metric->info.name)) << figure;
    }
  }
}

}  // namespace
}  // namespace pegnn
