#include "table/target_scaler.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

TargetScaler fitted(const std::vector<double>& values, Scaling scaling = Scaling::standard) {
  return fit_target(values, scaling, TargetTransform::asinh);
}

TEST(TargetScaler, WithoutATransformIsTheScaleOfItsColumn) {
  const TargetScaler scaler =
      fit_target(std::vector<double>{10, 30, 20}, Scaling::minmax, TargetTransform::none);
  EXPECT_EQ(scaler, (TargetScaler{.linear = {10, 20}}));
  EXPECT_EQ(scaler.invert(0.5), 20);
  EXPECT_EQ(scaler.invert_deviation(0.3, 0.1), 2);
}

TEST(TargetScaler, TakesMedianAndHalfTheInterquartileRange) {
  // Quartiles 2 and 6; the outlier moves neither them nor the median.
  const TargetScaler scaler = fitted({0, 2, 4, 6, 1e6}, Scaling::none);
  EXPECT_EQ(scaler.centre, 4);
  EXPECT_EQ(scaler.spread, 2);
  EXPECT_DOUBLE_EQ(scaler.apply(6), std::asinh(1));
  EXPECT_DOUBLE_EQ(scaler.apply(0), -std::asinh(2));
}

TEST(TargetScaler, ScalesWhatTheTransformLeaves) {
  const TargetScaler scaler = fitted({0, 2, 4, 6, 1e6}, Scaling::minmax);
  EXPECT_DOUBLE_EQ(scaler.apply(0), 0);
  EXPECT_DOUBLE_EQ(scaler.apply(1e6), 1);
  EXPECT_DOUBLE_EQ(scaler.linear.offset, -std::asinh(2));
}

TEST(TargetScaler, WhereMostValuesAreTheSameTakesTheDeviation) {
  EXPECT_DOUBLE_EQ(fitted({0, 0, 0, 0, 0, 0, 0, 0, 0, 10}).spread, 3);
  // The same but for rounding.
  EXPECT_NEAR(fitted({0, 1e-12, 0, 1e-12, 0, 1e-12, 0, 1e-12, 0, 10}).spread, 3, 1e-9);
}

TEST(TargetScaler, AConstantTargetBecomesExactlyZero) {
  for (const Scaling scaling : {Scaling::none, Scaling::minmax, Scaling::standard}) {
    const TargetScaler scaler = fitted({0.1, 0.1, 0.1}, scaling);
    EXPECT_EQ(scaler.apply(0.1), 0);
    EXPECT_EQ(scaler.invert(0), 0.1);
  }
  EXPECT_EQ(fitted({}), TargetScaler{});
  EXPECT_EQ(fitted({7}).apply(7), 0);
}

TEST(TargetScaler, ADeviationIsHalfTheWidthOfWhatComesBack) {
  const TargetScaler scaler = fitted({0, 2, 4, 6, 1e6});
  for (const double mean : {-1.5, 0.0, 1.5}) {
    for (const double deviation : {0.0, 1e-6, 0.3, 0.5}) {
      const double want = (scaler.invert(mean + deviation) - scaler.invert(mean - deviation)) / 2;
      const double got = scaler.invert_deviation(mean, deviation);
      // A difference of numbers near `invert(mean)`.
      EXPECT_NEAR(got, want, 1e-12 * (got + std::abs(scaler.invert(mean + deviation))));
      EXPECT_GE(got, 0);
    }
  }
}

TEST(TargetScaler, WhatGoesTooFarComesBackWithinReachOfTheRange) {
  const TargetScaler scaler = fitted({0, 2, 4, 6, 1e6});
  for (const double far : {100.0, 1e6, 1e300}) {
    EXPECT_NEAR(scaler.invert(far), 2e6, 1e-6);
    EXPECT_NEAR(scaler.invert(-far), -1e6, 1e-6);
    EXPECT_TRUE(std::isfinite(scaler.invert_deviation(far, far)));
  }
  // New values near the range are not moved.
  EXPECT_NEAR(scaler.invert(scaler.apply(1.9e6)), 1.9e6, 1e-6);
}

TEST(TargetScaler, ARangePastDoubleIsRefused) {
  try {
    fitted({-1.5e308, 0, 1.5e308});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_STREQ(error.what(),
                 "target: values from -1.5e+308 to 1.5e+308 span too much to be scaled");
  }
}

RC_GTEST_PROP(TargetScaler, InvertUndoesApplyHoweverHeavyTheTails, ()) {
  const auto powers =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1200, 1200)));
  std::vector<double> values;
  for (const int power : powers)
    values.push_back(std::copysign(std::pow(10, power / 100.0), power));
  for (const Scaling scaling : {Scaling::none, Scaling::minmax, Scaling::standard}) {
    const TargetScaler scaler = fitted(values, scaling);
    for (const double value : values) {
      // asinh of at most some tens loses as many units in the last place, and the centre one of
      // its own; the smallest values are lost beside it.
      const double room = 1e-12 * (std::abs(value) + std::abs(scaler.centre) + scaler.spread);
      RC_ASSERT(std::abs(scaler.invert(scaler.apply(value)) - value) <= room);
    }
  }
}

}  // namespace
}  // namespace pegnn
