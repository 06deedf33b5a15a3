#include <gtest/gtest.h>

#include "loss/loss.h"

namespace pegnn {
namespace {

TEST(MseLoss, IsTheMeanOfSquares) {
  const std::vector<double> p{1, 2, 3}, y{1, 0, 6};
  std::vector<double> g(3);
  EXPECT_DOUBLE_EQ((0 + 4 + 9) / 3.0, mean_loss<double>(find_loss("mse"), {p.data(), 3, 1}, y, {},
                                                        0.5, {g.data(), 3, 1}));
  EXPECT_DOUBLE_EQ(0, g[0]);
  EXPECT_DOUBLE_EQ(0.5 * 4 / 3.0, g[1]);
  EXPECT_DOUBLE_EQ(0.5 * -6 / 3.0, g[2]);
}

}  // namespace
}  // namespace pegnn
