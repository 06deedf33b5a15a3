#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "neighbourhood/gaps.h"

namespace pegnn {
namespace {

// Distances from a place to the k nearest of points scattered over the unit square but for a disc.
std::vector<double> seen_from(double x, double y, double hole, std::size_t k) {
  const Rng rng{4, Stream::sample};
  std::vector<double> distances;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const double px = rng.uniform(0, i), py = rng.uniform(1, i);
    if (std::hypot(px - 0.5, py - 0.5) < hole) continue;
    distances.push_back(std::hypot(px - x, py - y));
  }
  std::sort(distances.begin(), distances.end());
  distances.resize(k);
  return distances;
}

TEST(Gaps, ThereAreNoneInTheMidstOfThePoints) {
  EXPECT_LT(gap_ratio(seen_from(0.31, 0.62, 0, 24)), 0.4);
  EXPECT_EQ(0.0F, gap_share(gap_ratio(seen_from(0.31, 0.62, 0, 24)), 0.4));
}

TEST(Gaps, AHoleAndTheOutsideAreSome) {
  EXPECT_GT(gap_ratio(seen_from(0.5, 0.5, 0.2, 24)), 0.9);
  EXPECT_GT(gap_ratio(seen_from(3, 0.5, 0, 24)), 0.9);
  EXPECT_EQ(1.0F, gap_share(gap_ratio(seen_from(3, 0.5, 0, 24)), 0.3));
}

TEST(Gaps, DoNotDependOnTheUnitOfLength) {
  std::vector<double> distances = seen_from(0.5, 0.5, 0.1, 24);
  const double ratio = gap_ratio(distances);
  for (double& d : distances) d *= 1024;
  EXPECT_EQ(ratio, gap_ratio(distances));
}

TEST(Gaps, FewPlacesDoNotTell) {
  EXPECT_EQ(0, gap_ratio({}));
  EXPECT_EQ(0, gap_ratio(std::vector<double>{1}));
  EXPECT_EQ(0, gap_ratio(std::vector<double>(24, 5.0))) << "24 rows at one place";
  EXPECT_EQ(0, gap_ratio(std::vector<double>(24, 0.0))) << "at the very place asked for";
  EXPECT_EQ(0, gap_ratio(std::vector<double>{5, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7}));
}

TEST(Gaps, AskForFewDistances) {
  const std::vector<double> distances = seen_from(0.5, 0.5, 0.1, 24);
  std::vector<std::int64_t> asked;
  const auto distance = [&](std::int64_t i) {
    asked.push_back(i);
    return distances[static_cast<std::size_t>(i)];
  };
  EXPECT_EQ(gap_ratio(distances), gap_ratio(24, distance));
  EXPECT_EQ((std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 23}), asked);
}

TEST(Gaps, TheShareRisesFromTheMidst) {
  EXPECT_EQ(0.0F, gap_share(0.3, 0.3));
  EXPECT_NEAR(0.6F, gap_share(0.4, 0.25), 1e-6F);
  EXPECT_EQ(1.0F, gap_share(0.6, 0.25));
  EXPECT_EQ(0.0F, gap_share(1.0, 1.0)) << "where all rows lie like that it is no gap";
}

}  // namespace
}  // namespace pegnn
