#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "stats/draw.h"

namespace pegnn {
namespace {

constexpr Rng kRng{7, Stream::permutation_test};

TEST(Draw, AStreamIsTheWordsOfItsPhiloxBlocksInOrder) {
  WordStream words(kRng, 5);
  for (std::uint64_t block = 0; block < 3; ++block)
    for (const std::uint32_t word : kRng.words(block, 5)) EXPECT_EQ(words.next(), word);
}

TEST(Draw, BelowIsUniformForABoundThatFavoursSomeResultsWhenNotCorrected) {
  // 3 * 2^30 cuts 2^32 words into unequal shares: taken by multiplication alone, one residue in
  // three would come up twice as often.
  WordStream words(kRng, 1);
  constexpr std::uint32_t kBound = 3U << 30;
  std::array<int, 3> seen{};
  constexpr int kDraws = 30000;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint32_t v = words.below(kBound);
    ASSERT_LT(v, kBound);
    ++seen[v % 3];
  }
  for (const int count : seen) EXPECT_NEAR(count, kDraws / 3, 330);  // four deviations
}

TEST(Draw, EveryOrderOfThreeValuesIsEquallyLikely) {
  WordStream words(kRng, 2);
  std::map<std::vector<double>, int> seen;
  constexpr int kDraws = 12000;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<double> values{1, 2, 3};
    shuffle_values(values, words);
    ++seen[values];
  }
  EXPECT_EQ(seen.size(), 6U);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, kDraws / 6, 165);  // four deviations
}

TEST(Draw, EverySubsetOfTwoOfFiveIsEquallyLikely) {
  WordStream words(kRng, 3);
  SubsetSampler sampler;
  std::map<std::set<std::uint32_t>, int> seen;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const auto drawn = sampler.draw(5, 2, words);
    ++seen[std::set<std::uint32_t>(drawn.begin(), drawn.end())];
  }
  EXPECT_EQ(seen.size(), 10U);
  for (const auto& [subset, count] : seen) {
    EXPECT_EQ(subset.size(), 2U);
    EXPECT_NEAR(count, kDraws / 10, 170);  // four deviations
  }
}

TEST(Draw, LargeSubsetsHoldEveryNumberEquallyOften) {
  WordStream words(kRng, 4);
  SubsetSampler sampler;
  std::vector<int> seen(60);
  constexpr int kDraws = 6000;
  for (int i = 0; i < kDraws; ++i) {
    const auto drawn = sampler.draw(60, 40, words);
    ASSERT_EQ(std::set<std::uint32_t>(drawn.begin(), drawn.end()).size(), 40U);
    for (const std::uint32_t v : drawn) ++seen[v];
  }
  for (const int count : seen) EXPECT_NEAR(count, kDraws * 40 / 60, 150);  // four deviations
}

TEST(Draw, DrawingAllOfThemGivesEachOnce) {
  WordStream words(kRng, 6);
  SubsetSampler sampler;
  for (const std::uint32_t n : {1U, 2U, 32U, 33U, 100U}) {
    const auto drawn = sampler.draw(n, n, words);
    std::vector<std::uint32_t> sorted(drawn.begin(), drawn.end()), all(n);
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(sorted, all);
  }
}

}  // namespace
}  // namespace pegnn
