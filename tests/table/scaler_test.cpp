#include "table/scaler.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

using Rows = std::vector<std::int64_t>;

// One feature and a target, at points that do not matter here.
Dataset data_of(std::vector<double> x, std::vector<double> y) {
  Dataset data;
  data.points.resize(x.size(), Point{0, 0});
  data.feature_names = {"f"};
  data.x = std::move(x);
  data.y = std::move(y);
  return data;
}

Rows all_rows(const Dataset& data) {
  Rows rows(static_cast<std::size_t>(data.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

TEST(Scaler, MinMaxMapsTheFittedRowsToZeroAndOne) {
  const Dataset data = data_of({2, 4, 100, 6}, {10, 20, 500, 30});
  const Scaler scaler = fit_scaler(data, Rows{0, 1, 3}, Scaling::minmax);
  ASSERT_EQ(scaler.features.size(), 1U);
  EXPECT_EQ(scaler.features[0], (ColumnScale{2, 4}));
  EXPECT_EQ(scaler.target.linear, (ColumnScale{10, 20}));
  EXPECT_EQ(scaler.features[0].apply(6), 1);
  EXPECT_EQ(scaler.features[0].apply(100), 24.5);  // a row not fitted on may lie outside
  EXPECT_EQ(scaler.target.invert(0.5), 20);
}

TEST(Scaler, StandardUsesThePopulationDeviation) {
  const Dataset data = data_of({2, 4, 4, 4, 5, 5, 7, 9}, {0, 0, 0, 0, 8, 8, 8, 8});
  const Scaler scaler = fit_scaler(data, all_rows(data), Scaling::standard);
  EXPECT_DOUBLE_EQ(scaler.features[0].offset, 5);
  EXPECT_DOUBLE_EQ(scaler.features[0].scale, 2);
  EXPECT_DOUBLE_EQ(scaler.target.linear.offset, 4);
  EXPECT_DOUBLE_EQ(scaler.target.linear.scale, 4);
}

TEST(Scaler, NoneChangesNothing) {
  const Dataset data = data_of({2, 4}, {1, 3});
  const Scaler scaler = fit_scaler(data, all_rows(data), Scaling::none);
  EXPECT_EQ(scaler.features[0], ColumnScale{});
  EXPECT_EQ(scaler.target, TargetScaler{});
}

TEST(Scaler, AConstantColumnBecomesExactlyZero) {
  // The mean of 0.1, 0.1, 0.1 taken as a sum is not 0.1.
  const Dataset data = data_of({0.1, 0.1, 0.1, 7}, {3, 3, 3, 9});
  for (const Scaling scaling : {Scaling::minmax, Scaling::standard}) {
    const Scaler scaler = fit_scaler(data, Rows{0, 1, 2}, scaling);
    EXPECT_EQ(scaler.features[0], (ColumnScale{0.1, 1}));
    EXPECT_EQ(scaler.features[0].apply(0.1), 0);
    EXPECT_EQ(scaler.target.linear, (ColumnScale{3, 1}));
  }
}

TEST(Scaler, OneRowIsAConstantAndNoRowsScaleNothing) {
  const Dataset data = data_of({5, 6}, {7, 8});
  EXPECT_EQ(fit_scaler(data, Rows{1}, Scaling::standard).features[0], (ColumnScale{6, 1}));
  EXPECT_EQ(fit_scaler(data, Rows{}, Scaling::minmax).features[0], ColumnScale{});
}

TEST(Scaler, WithoutATargetItsScaleDoesNothing) {
  const Dataset data = data_of({5, 6}, {});
  EXPECT_EQ(fit_scaler(data, all_rows(data), Scaling::minmax).target, TargetScaler{});
}

TEST(Scaler, ExtremeRangesDoNotOverflowOrVanish) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const double unit : {1e300, 1e-300, 4 * tiny, tiny}) {
    const Dataset data = data_of({0, unit}, {});
    const ColumnScale scale = fit_scaler(data, all_rows(data), Scaling::standard).features[0];
    EXPECT_GT(scale.scale, 0) << unit;
    EXPECT_TRUE(std::isfinite(scale.apply(unit))) << unit;
  }
}

TEST(Scaler, ARangePastDoubleIsRefused) {
  const Dataset data = data_of({-1.5e308, 1.5e308}, {});
  try {
    fit_scaler(data, all_rows(data), Scaling::minmax);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_STREQ(error.what(),
                 "column 'f': values from -1.5e+308 to 1.5e+308 span too much to be scaled");
  }
}

ScalerPlan with_ranks(Scaling scaling = Scaling::standard) {
  ScalerPlan plan = scaling;
  plan.ranks = true;
  return plan;
}

TEST(Scaler, RanksStandBehindAllScaledFeatures) {
  Dataset data = data_of({2, 50, 4, 10, 6, 30}, {});
  data.points.resize(3);
  data.feature_names = {"f", "g"};
  const Scaler scaler = fit_scaler(data, Rows{0, 1, 2}, with_ranks(Scaling::minmax));
  ASSERT_EQ(scaler.width(), 4);
  std::vector<double> row(4);
  scaler.apply_row(data.x.data() + 2, row.data());
  EXPECT_EQ(row[0], 0.5);
  EXPECT_EQ(row[1], 0);
  EXPECT_EQ(row[2], 0);  // the middle of three
  EXPECT_NEAR(row[3], -0.967421566101701, 1e-14);
  std::vector<float> narrow(4);
  scaler.apply_row(data.x.data() + 2, narrow.data());
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(narrow[c], static_cast<float>(row[c]));
}

TEST(Scaler, RanksAreFittedOnTheGivenRowsAlone) {
  const Dataset data = data_of({1, 2, 3, -100, 100}, {});
  const Scaler some = fit_scaler(data, Rows{0, 1, 2}, with_ranks());
  EXPECT_EQ(some.ranks[0], fit_ranks({1, 2, 3}));
}

TEST(Scaler, WithRanksAFeatureInTheTailIsCutOff) {
  const Dataset data = data_of({-1, 1}, {});
  double row[2];
  const Scaler standard = fit_scaler(data, all_rows(data), with_ranks());
  for (const double huge : {9.0, 1e308}) {
    standard.apply_row(&huge, row);
    EXPECT_EQ(row[0], kScaledLimit);
    const double other = -huge;
    standard.apply_row(&other, row);
    EXPECT_EQ(row[0], -kScaledLimit);
  }
  const double far = 1000;
  fit_scaler(data, all_rows(data), Scaling::standard).apply_row(&far, row);
  EXPECT_EQ(row[0], 1000);
  // Nothing is scaled, so nothing is known of where a tail begins.
  fit_scaler(data, all_rows(data), with_ranks(Scaling::none)).apply_row(&far, row);
  EXPECT_EQ(row[0], 1000);
}

TEST(Scaler, WithRanksARangePastDoubleIsRefusedEvenUnscaled) {
  const Dataset data = data_of({-1.5e308, 1.5e308}, {});
  EXPECT_THROW(fit_scaler(data, all_rows(data), with_ranks(Scaling::none)), Error);
}

TEST(Scaler, NoRowsAndNoFeaturesHaveRanksToo) {
  const Dataset data = data_of({5, 6}, {});
  const Scaler scaler = fit_scaler(data, Rows{}, with_ranks());
  ASSERT_EQ(scaler.width(), 2);
  double row[2] = {7, 7};
  scaler.apply_row(data.x.data(), row);
  EXPECT_EQ(row[1], 0);
  Dataset bare = data_of({}, {});
  bare.feature_names.clear();
  EXPECT_EQ(fit_scaler(bare, Rows{}, with_ranks()).width(), 0);
}

RC_GTEST_PROP(Scaler, InvertUndoesApply, ()) {
  const auto values =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000000, 1000000)));
  std::vector<double> column;
  for (const int value : values) column.push_back(value / 128.0);
  const Dataset data = data_of(column, column);
  for (const Scaling scaling : {Scaling::none, Scaling::minmax, Scaling::standard}) {
    const Scaler scaler = fit_scaler(data, all_rows(data), scaling);
    for (const double value : column) {
      // A few roundings of numbers below 1e4.
      RC_ASSERT(std::abs(scaler.target.invert(scaler.target.apply(value)) - value) < 1e-10);
    }
  }
}

}  // namespace
}  // namespace pegnn
