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

TEST(BatchOrder, GoingBackInAnEpochBringsTheSameRows) {
  BatchOrder order(50, 7, 3);  // an odd size, so that batches share random words
  std::vector<std::vector<std::int32_t>> seen;
  const auto rows_of = [&](std::int64_t step) {
    const auto rows = order.rows_of(step);
    return std::vector<std::int32_t>(rows.begin(), rows.end());
  };
  for (std::int64_t step = 0; step < 7; ++step) seen.push_back(rows_of(step));
  for (const std::int64_t step : {6, 2, 3, 0, 5}) {
    EXPECT_EQ(seen[static_cast<std::size_t>(step)], rows_of(step)) << step;
  }
}

TEST(BatchOrder, EveryRowIsDrawnAboutAsOften) {
  constexpr std::int64_t kSteps = 3000;
  BatchOrder order(20, 4, 11);
  std::vector<std::int64_t> first(20);
  for (std::int64_t step = 0; step < 5 * kSteps; step += 5) {  // the first batch of every epoch
    for (const std::int32_t row : order.rows_of(step)) ++first[static_cast<std::size_t>(row)];
  }
  // 600 expected; the deviation of a binomial count is 22.
  for (const std::int64_t count : first) EXPECT_NEAR(600, static_cast<double>(count), 5 * 22);
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
