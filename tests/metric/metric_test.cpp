#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "pegnn/metrics.h"

namespace pegnn {
namespace {

TEST(Metrics, MatchAHandComputedCase) {
  // Residuals 1, -1, 0, 2; mean observed 2.5, so SST = 2.25 + 0.25 + 0.25 + 2.25 = 5.
  const std::vector<double> observed{1, 2, 3, 4}, predicted{0, 3, 3, 2};
  const Metrics m = compute_metrics(observed, predicted, 0, 10);
  EXPECT_EQ(m.rows, 4);
  EXPECT_DOUBLE_EQ(m["mse"], 1.5);
  EXPECT_DOUBLE_EQ(m["mae"], 1.0);
  EXPECT_DOUBLE_EQ(m["rmse"], std::sqrt(1.5));
  EXPECT_DOUBLE_EQ(m["r2"], 1 - 6.0 / 5.0);
  EXPECT_DOUBLE_EQ(m["mse_minmax"], 0.015);
  EXPECT_DOUBLE_EQ(m["mae_minmax"], 0.1);
}

TEST(Metrics, PerfectPredictionHasR2One) {
  const std::vector<double> y{3, -1, 7};
  const Metrics m = compute_metrics(y, y, -1, 7);
  EXPECT_EQ(m["mse"], 0);
  EXPECT_EQ(m["mae"], 0);
  EXPECT_EQ(m["r2"], 1);
}

TEST(Metrics, R2OfEqualObservationsIsNaNEvenWhenTheirMeanIsRounded) {
  const std::vector<double> observed(3, 0.1), predicted{0.1, 0.2, 0.3};
  ASSERT_NE((0.1 + 0.1 + 0.1) / 3, 0.1) << "the case no longer rounds; choose another";
  const Metrics m = compute_metrics(observed, predicted, 0, 1);
  EXPECT_TRUE(std::isnan(m["r2"]));
  EXPECT_GT(m["mse"], 0);
}

TEST(Metrics, MinmaxFiguresAreNaNWithoutARange) {
  const std::vector<double> observed{5, 5}, predicted{4, 6};
  const Metrics m = compute_metrics(observed, predicted, 5, 5);
  EXPECT_EQ(m["mse"], 1);
  EXPECT_TRUE(std::isnan(m["mse_minmax"]));
  EXPECT_TRUE(std::isnan(m["mae_minmax"]));
}

TEST(Metrics, NoRowsGiveNaNEverywhere) {
  const std::vector<double> none;
  const Metrics m = compute_metrics(none, none, 0, 1);
  EXPECT_EQ(m.rows, 0);
  for (const double v : {m["mse"], m["mae"], m["rmse"], m["r2"], m["mse_minmax"], m["mae_minmax"]})
    EXPECT_TRUE(std::isnan(v));
}

TEST(Metrics, OneRowHasErrorsButNoR2) {
  const std::vector<double> observed{2}, predicted{5};
  const Metrics m = compute_metrics(observed, predicted, 0, 3);
  EXPECT_EQ(m["mse"], 9);
  EXPECT_EQ(m["mae"], 3);
  EXPECT_EQ(m["mse_minmax"], 1);
  EXPECT_TRUE(std::isnan(m["r2"]));
}

TEST(Metrics, ANaNPredictionIsNotHidden) {
  const std::vector<double> observed{1, 2}, predicted{1, std::nan("")};
  const Metrics m = compute_metrics(observed, predicted, 0, 3);
  EXPECT_TRUE(std::isnan(m["mse"]));
  EXPECT_TRUE(std::isnan(m["mae"]));
  EXPECT_TRUE(std::isnan(m["r2"]));
}

}  // namespace
}  // namespace pegnn
