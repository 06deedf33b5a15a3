#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "train/batch_order.h"

namespace pegnn {
namespace {

TEST(BatchOrder, AnEpochVisitsEveryRowAtMostOnce) {
  BatchOrder order(103, 10, 1);
  std::set<std::int32_t> seen;
  for (std::int64_t step = 0; step < 10; ++step) {
    for (const std::int32_t row : order.rows_of(step)) EXPECT_TRUE(seen.insert(row).second);
  }
  EXPECT_EQ(100U, seen.size());
}

TEST(BatchOrder, TheBatchOfAStepDoesNotDependOnThePath) {
  BatchOrder walked(50, 8, 3), jumped(50, 8, 3);
  std::vector<std::int32_t> last;
  for (std::int64_t step = 0; step <= 37; ++step) {
    const auto rows = walked.rows_of(step);
    last.assign(rows.begin(), rows.end());
  }
  const auto rows = jumped.rows_of(37);
  EXPECT_EQ(last, std::vector<std::int32_t>(rows.begin(), rows.end()));
}

TEST(BatchOrder, EpochsAndSeedsDiffer) {
  BatchOrder a(64, 32, 1), b(64, 32, 2);
  const auto copy = [](std::span<const std::int32_t> s) {
    return std::vector<std::int32_t>(s.begin(), s.end());
  };
  EXPECT_NE(copy(a.rows_of(0)), copy(a.rows_of(2)));
  EXPECT_NE(copy(a.rows_of(0)), copy(b.rows_of(0)));
}

TEST(BatchOrder, ZeroOrTooManyMeansAllRows) {
  EXPECT_EQ(7, BatchOrder(7, 0, 1).batch());
  EXPECT_EQ(7, BatchOrder(7, 100, 1).batch());
  BatchOrder order(7, 0, 1);
  EXPECT_EQ(7U, order.rows_of(3).size());
}

}  // namespace
}  // namespace pegnn
