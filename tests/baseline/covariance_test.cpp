#include "baseline/covariance.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

constexpr Covariance kAll[] = {Covariance::exponential, Covariance::matern32, Covariance::matern52,
                               Covariance::gaussian};

TEST(CovarianceFunctions, HaveTheValuesOfTheirFormulasAtOneLengthScale) {
  // exp(-1), (1 + sqrt 3) exp(-sqrt 3), (1 + sqrt 5 + 5/3) exp(-sqrt 5), exp(-1/2).
  EXPECT_NEAR(correlation(Covariance::exponential, 1), 0.36787944117144233, 1e-15);
  EXPECT_NEAR(correlation(Covariance::matern32, 1), 0.48335772, 1e-8);
  EXPECT_NEAR(correlation(Covariance::matern52, 1), 0.52399411, 1e-8);
  EXPECT_NEAR(correlation(Covariance::gaussian, 1), 0.60653065971263342, 1e-15);
}

TEST(CovarianceFunctions, StartAtOneAndFallToZero) {
  for (const Covariance c : kAll) {
    EXPECT_EQ(correlation(c, 0), 1);
    double before = 1;
    for (double u = 0.05; u < 6; u += 0.05) {
      EXPECT_LT(correlation(c, u), before) << name_of(c) << " at " << u;
      before = correlation(c, u);
    }
    EXPECT_EQ(correlation(c, 1e6), 0) << name_of(c);
  }
}

TEST(CovarianceFunctions, SlopesAgreeWithFiniteDifferences) {
  constexpr double kStep = 1e-5;
  for (const Covariance c : kAll) {
    for (const double u : {0.01, 0.3, 1.0, 2.7, 8.0}) {
      const double difference =
          (correlation(c, u + kStep) - correlation(c, u - kStep)) / (2 * kStep);
      // The error of central differences is of the order of the step squared.
      EXPECT_NEAR(slope_over_u(c, u) * u, -difference, 1e-9) << name_of(c) << " at " << u;
    }
  }
}

TEST(CovarianceFunctions, SlopesAreFiniteAtZero) {
  EXPECT_EQ(slope_over_u(Covariance::exponential, 0), 0);
  EXPECT_DOUBLE_EQ(slope_over_u(Covariance::matern32, 0), 3);
  EXPECT_DOUBLE_EQ(slope_over_u(Covariance::matern52, 0), 5.0 / 3.0);
  EXPECT_DOUBLE_EQ(slope_over_u(Covariance::gaussian, 0), 1);
}

TEST(CovarianceFunctions, VanishAtAnInfiniteDistance) {
  for (const char* name : {"exponential", "matern32", "matern52", "gaussian"}) {
    const Covariance c = covariance_of(name, Covariance::exponential);
    for (const double u : {1e4, 1e200, std::numeric_limits<double>::infinity()}) {
      EXPECT_EQ(0, correlation(c, u)) << name;
      EXPECT_EQ(0, slope_over_u(c, u)) << name;
    }
  }
}

TEST(CovarianceFunctions, AreFoundByTheirNames) {
  for (const Covariance c : kAll) {
    EXPECT_EQ(covariance_of(name_of(c), Covariance::gaussian), c);
    EXPECT_EQ(covariance_of("auto", c), c);
  }
  EXPECT_STREQ(name_of(Covariance::matern32), "matern32");
}

}  // namespace
}  // namespace pegnn
