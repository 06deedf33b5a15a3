#include <cmath>

#include <gtest/gtest.h>

#include "head/head.h"

namespace pegnn {
namespace {

TEST(GaussianHead, SaysMeanAndDeviation) {
  const auto head = make_head<double>("gaussian");
  EXPECT_EQ(2, head->outputs());
  const double raw[4] = {1.5, std::log(3.0), -2, 0};
  double answers[4] = {};
  head->answer(Mat<const double>(raw, 2, 2), Mat<double>(answers, 2, 2));
  EXPECT_EQ(1.5, answers[0]);
  EXPECT_NEAR(3.0, answers[1], 1e-15);
  EXPECT_EQ(-2.0, answers[2]);
  EXPECT_EQ(1.0, answers[3]);
  EXPECT_EQ(OutputKind::deviation, head->columns()[1].kind);
}

}  // namespace
}  // namespace pegnn
