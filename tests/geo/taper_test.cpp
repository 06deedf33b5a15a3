#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "geo/taper.h"

namespace pegnn {
namespace {

// Of the distances of neighbours and, last, the next point outside.
Taper of(const std::vector<double>& distances) {
  const auto k = static_cast<std::int64_t>(distances.size()) - 1;
  return Taper::of(k, [&](std::int64_t i) { return distances[static_cast<std::size_t>(i)]; });
}

// Eight neighbours, of which the two nearest count in full, and the next point outside.
const std::vector<double> kEven = {1, 2, 3, 4, 5, 6, 7, 8, 9};

TEST(Taper, TheNearestQuarterCountsInFullAndTheNextOneOutsideNothing) {
  const Taper taper = of(kEven);
  EXPECT_EQ(taper(1), 1);
  EXPECT_EQ(taper(2), 1);
  EXPECT_EQ(taper(9), 0);
  EXPECT_EQ(taper(12), 0);
}

TEST(Taper, FallsEvenlyInBetween) {
  const Taper taper = of(kEven);
  EXPECT_DOUBLE_EQ(taper(5.5), 0.5);
  EXPECT_NEAR(taper(2 + 7.0 / 3), 20.0 / 27, 1e-15);  // u = 2/3
  double before = 1;
  for (double d = 2; d <= 9; d += 0.01) {
    EXPECT_LE(taper(d), before);
    before = taper(d);
  }
}

TEST(Taper, LeavesAndArrivesFlat) {
  const Taper taper = of(kEven);
  constexpr double kStep = 1e-6;
  EXPECT_LT(1 - taper(2 + kStep), 1e-10);
  EXPECT_LT(taper(9 - kStep), 1e-10);
}

TEST(Taper, ManyAtOneDistanceAllCountInFull) {
  const Taper taper = of({1, 2, 2, 2, 2, 2, 2, 2, 2});
  EXPECT_EQ(taper(2), 1);
  const Taper on_top = of({0, 0, 0});
  EXPECT_EQ(on_top(0), 1);
}

TEST(Taper, OneNeighbourCountsInFull) {
  EXPECT_EQ(of({3, 8})(3), 1);
  EXPECT_EQ(Taper::last_in_full(1), 0);
  EXPECT_EQ(Taper::last_in_full(7), 0);
  EXPECT_EQ(Taper::last_in_full(24), 5);
}

}  // namespace
}  // namespace pegnn
