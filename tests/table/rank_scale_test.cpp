#include "table/rank_scale.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pegnn {
namespace {

double share_of(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// The definition, by counting.
double expected_share(const std::vector<double>& column, double value) {
  double below = 0, not_above = 0;
  for (const double v : column) {
    below += v < value ? 1 : 0;
    not_above += v <= value ? 1 : 0;
  }
  const double share = (below + not_above) / (2 * static_cast<double>(column.size()));
  return std::clamp(share, 1e-3, 1 - 1e-3);
}

TEST(RankScale, ThreeRowsHaveTheScoresOfASixthAHalfAndFiveSixths) {
  const RankScale scale = fit_ranks({30, 10, 20});
  EXPECT_EQ(scale.values, (std::vector<double>{10, 20, 30}));
  EXPECT_NEAR(scale.apply(10), -0.967421566101701, 1e-14);
  EXPECT_EQ(scale.apply(20), 0);
  EXPECT_NEAR(scale.apply(30), 0.967421566101701, 1e-14);
}

TEST(RankScale, TiesStandInTheMiddleOfTheirRanks) {
  const RankScale scale = fit_ranks({0, 0, 0, 1});
  EXPECT_NEAR(share_of(scale.apply(0)), 3.0 / 8, 1e-15);
  EXPECT_NEAR(share_of(scale.apply(1)), 7.0 / 8, 1e-15);
}

TEST(RankScale, NewValuesLieOnTheLineBetweenTheirNeighboursAndStayAtTheEnds) {
  const RankScale scale = fit_ranks({0, 10, 20});
  EXPECT_DOUBLE_EQ(scale.apply(5), scale.apply(0) / 2);
  EXPECT_EQ(scale.apply(-1e300), scale.apply(0));
  EXPECT_EQ(scale.apply(1e300), scale.apply(20));
}

TEST(RankScale, AConstantColumnIsZeroWhateverComesLater) {
  for (const std::size_t rows : {1UL, 3UL, 1000UL}) {
    const RankScale scale = fit_ranks(std::vector<double>(rows, 0.1));
    for (const double value : {0.1, -7.0, 1e300}) EXPECT_EQ(scale.apply(value), 0) << rows;
  }
  EXPECT_EQ(RankScale{}.apply(3), 0);
}

TEST(RankScale, TheOutermostThousandthHasOneScore) {
  Array<double> column(100'000);
  std::iota(column.begin(), column.end(), 0.0);
  const RankScale scale = fit_ranks(column);
  EXPECT_NEAR(scale.apply(0), -3.090232306167814, 1e-13);
  EXPECT_NEAR(scale.apply(99'999), 3.090232306167814, 1e-13);
  EXPECT_NEAR(scale.apply(50), scale.apply(0), 0.0125);
}

TEST(RankScale, ManyDifferentValuesAreKeptToAHundredthByFewKnots) {
  // Zeros for most rows, then tails that reach from 1e-9 to 1e9 on both sides.
  Array<double> column(6000, 0.0);
  for (int i = 0; i < 4000; ++i) {
    const double size = std::pow(10.0, -9 + 18 * std::fmod(i * 0.6180339887498949, 1.0));
    column.push_back(i % 3 == 0 ? -size : size);
  }
  const RankScale scale = fit_ranks(column);
  EXPECT_LE(scale.values.size(), RankScale::kMostKnots);
  for (std::int64_t i = 0; i < column.size(); i += 7) {
    const double z = scale.apply(column[i]);
    const double want = expected_share(column, column[i]);
    EXPECT_GT(want, share_of(z - 0.0125)) << column[i];
    EXPECT_LT(want, share_of(z + 0.0125)) << column[i];
  }
}

TEST(RankScale, AsManyValuesAsKnotsAreExactAndOneMoreIsStillKept) {
  for (const std::int64_t count : {RankScale::kMostKnots, RankScale::kMostKnots + 1}) {
    Array<double> column(count);
    std::iota(column.begin(), column.end(), 0.0);
    const RankScale scale = fit_ranks(column);
    EXPECT_LE(scale.values.size(), RankScale::kMostKnots);
    for (const double v : column) {
      const double off = std::abs(share_of(scale.apply(v)) - expected_share(column, v));
      EXPECT_LT(off, count == RankScale::kMostKnots ? 1e-14 : 0.005) << v;
    }
  }
}

RC_GTEST_PROP(RankScale, CodesAreExactAndTheOrderIsKept, ()) {
  const auto codes =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-20, 20)));
  const Array<double> column(codes.begin(), codes.end());
  const RankScale scale = fit_ranks(column);
  for (const double v : column) {
    RC_ASSERT(std::abs(share_of(scale.apply(v)) - expected_share(column, v)) < 1e-14);
  }
  for (double v = -21; v < 21; v += 0.25) RC_ASSERT(scale.apply(v) <= scale.apply(v + 0.25));
}

}  // namespace
}  // namespace pegnn
