#include "baseline/local_gaussian.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(LocalGaussian, ConditionsOnOneVariableByHand) {
  // Variances 2 and 3, covariance 1, labels 4 and 5: given the first, the second has variance
  // 3 - 1/2 and stands 5 - 4/2 from its prediction.
  std::vector<double> a = {2, 1, 4,  //
                           9, 3, 5};
  condition({a.data(), 2, 3}, 1);
  EXPECT_DOUBLE_EQ(a[4], 2.5);
  EXPECT_DOUBLE_EQ(a[5], 3.0);
}

TEST(LocalGaussian, ABorderOfOnesTakesAwayTheMean) {
  // Two independent observations of variance 1 with labels 3 and 5, then the border, then a new
  // variable without covariance: it is predicted by the mean 4, with variance 1 + 1/2.
  std::vector<double> a = {1, 0, 1, 0, 3,  //
                           0, 1, 1, 0, 5,  //
                           0, 0, 0, 1, 0,  //
                           0, 0, 0, 1, 0};
  condition({a.data(), 4, 5}, 3);
  EXPECT_DOUBLE_EQ(-a[3 * 5 + 4], 4.0);
  EXPECT_DOUBLE_EQ(a[3 * 5 + 3], 1.5);
}

TEST(LocalGaussian, PassesOverAVariableThatIsThereAlready) {
  std::vector<double> once = {1, 0.5, 7,  //
                              0, 1.0, 0};
  std::vector<double> twice = {1, 1, 0.5, 7,  //
                               0, 1, 0.5, 8,  //
                               0, 0, 1.0, 0};
  condition({once.data(), 2, 3}, 1);
  condition({twice.data(), 3, 4}, 2);
  EXPECT_EQ(twice[2 * 4 + 2], once[1 * 3 + 1]);
  EXPECT_EQ(twice[2 * 4 + 3], once[1 * 3 + 2]);
}

TEST(LocalGaussian, NoiseIsSharedByTheRowsOfAPlace) {
  const Correlations correlations(Covariance::exponential, 2.0, 0.25);
  EXPECT_DOUBLE_EQ(correlations.own(1), 1.0);
  EXPECT_DOUBLE_EQ(correlations.own(5), 0.8);
  EXPECT_DOUBLE_EQ(correlations({0, 0, 0}, {0, 4, 0}), 0.75 * std::exp(-2.0));
}

TEST(LocalGaussian, AFieldThatDoesNotVaryHasNoShareOfNoise) {
  EXPECT_EQ((SpatialModel{Covariance::exponential, 1, 0, 0}).share(), 0);
  EXPECT_EQ((SpatialModel{Covariance::exponential, 1, 3, 1}).share(), 0.25);
}

}  // namespace
}  // namespace pegnn
