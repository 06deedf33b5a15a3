#include "evaluate/block_size.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "geo/blocks.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

Dataset simulated(double range, double nugget, std::size_t rows = 600) {
  const test::SpatialRows field =
      test::simulate(rows, {Covariance::exponential, range, 1 - nugget, nugget}, 0, 0, 5);
  Dataset data;
  data.points = field.points;
  data.space = Space::plane;
  data.y = field.target;
  for (std::size_t i = 0; i < rows; ++i) data.table_rows.push_back(static_cast<std::int64_t>(i));
  return data;
}

TEST(BlockSize, GrowsWithTheRangeOfTheField) {
  const BlockSize near = choose_block_size(simulated(0.03, 0), Space::plane, 10, {});
  const BlockSize far = choose_block_size(simulated(0.1, 0), Space::plane, 10, {});
  EXPECT_NE(near.why.find("range of the target"), std::string::npos) << near.why;
  // An exponential correlation is down to a tenth at 2.3 times its parameter.
  EXPECT_GT(near.size, 0.03);
  EXPECT_LT(near.size, 0.14);
  EXPECT_GT(far.size, 1.2 * near.size);
}

TEST(BlockSize, OfPureNoiseComesFromTheExtent) {
  const Dataset data = simulated(0.1, 0.999);
  const BlockSize chosen = choose_block_size(data, Space::plane, 10, {});
  EXPECT_DOUBLE_EQ(chosen.size, default_block_size(data.points, Space::plane));
  EXPECT_NE(chosen.why.find("extent"), std::string::npos);
}

TEST(BlockSize, LeavesEnoughBlocks) {
  const Dataset data = simulated(1.0, 0);
  const BlockSize chosen = choose_block_size(data, Space::plane, 150, {});
  const auto blocks = spatial_blocks(data.points, Space::plane, chosen.size);
  EXPECT_GE(*std::max_element(blocks.begin(), blocks.end()) + 1, 150);
  EXPECT_EQ(chosen.why,
            "the largest that leaves enough blocks; the range of the target around its trend is "
            "longer");
}

TEST(BlockSize, IsTheSameOnAnyNumberOfThreadsAndWithoutTheTrend) {
  Dataset data = simulated(0.05, 0.2);
  const double one = choose_block_size(data, Space::plane, 10, {.threads = 1}).size;
  EXPECT_EQ(one, choose_block_size(data, Space::plane, 10, {.threads = 3}).size);
  for (std::int64_t i = 0; i < data.y.size(); ++i) {
    data.y[i] += 30 * data.points[i].x - 20 * data.points[i].y * data.points[i].y;
  }
  EXPECT_NEAR(choose_block_size(data, Space::plane, 10, {}).size, one, 0.1 * one);
}

TEST(BlockSize, OfAFewRowsOfOnePlaceOrOfAConstantIsPositive) {
  Dataset one = simulated(0.1, 0, 5);
  EXPECT_GT(choose_block_size(one, Space::plane, 10, {}).size, 0);
  Dataset same = simulated(0.1, 0, 60);
  for (Point& p : same.points) p = {4, 4};
  EXPECT_EQ(choose_block_size(same, Space::plane, 10, {}).size, 1);
  Dataset constant = simulated(0.1, 0, 60);
  for (double& y : constant.y) y = 3;
  EXPECT_GT(choose_block_size(constant, Space::sphere, 10, {}).size, 0);
}

}  // namespace
}  // namespace pegnn
