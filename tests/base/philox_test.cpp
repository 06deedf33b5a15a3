#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"

namespace pegnn {
namespace {

// Known answers of the Random123 library for philox4x32 with 10 rounds.
TEST(Philox, MatchesThePublishedTestVectors) {
  EXPECT_EQ((PhiloxBlock{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}),
            philox({0, 0, 0, 0}, 0, 0));
  EXPECT_EQ((PhiloxBlock{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}),
            philox({0xffffffffU, 0xffffffffU, 0xffffffffU, 0xffffffffU}, 0xffffffffU, 0xffffffffU));
  EXPECT_EQ((PhiloxBlock{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}),
            philox({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, 0xa4093822U, 0x299f31d0U));
}

TEST(Philox, UniformHasTheRightMeanAndStaysInRange) {
  const Rng rng{7, Stream::sample};
  double sum = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const double u = rng.uniform(3, i);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(0.5, sum / 100000, 0.005);  // five standard errors
}

TEST(Philox, NormalHasMeanZeroAndVarianceOne) {
  const Rng rng{7, Stream::sample};
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const double v = rng.normal(1, i);
    sum += v;
    squares += v * v;
  }
  EXPECT_NEAR(0.0, sum / 100000, 0.02);
  EXPECT_NEAR(1.0, squares / 100000, 0.03);
}

TEST(Philox, ShuffleIsAPermutationThatDependsOnItsKey) {
  std::vector<int> a(1000), b, c;
  std::iota(a.begin(), a.end(), 0);
  b = c = a;
  shuffle(a.data(), 1000, Rng{1, Stream::batch_order}, 5);
  shuffle(b.data(), 1000, Rng{1, Stream::batch_order}, 5);
  shuffle(c.data(), 1000, Rng{1, Stream::batch_order}, 6);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_EQ(1000U, std::set<int>(a.begin(), a.end()).size());
}

TEST(Philox, BelowCoversItsRangeEvenly) {
  const Rng rng{9, Stream::sample};
  std::vector<int> count(7);
  for (std::uint64_t i = 0; i < 70000; ++i) ++count[rng.below(7, 0, i)];
  for (const int c : count) EXPECT_NEAR(10000, c, 500);
}

}  // namespace
}  // namespace pegnn
