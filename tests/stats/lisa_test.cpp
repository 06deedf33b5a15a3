#include "stats/lisa.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Moran tests_of(std::vector<double> p, std::vector<int> q) {
  Moran m;
  m.p = std::move(p);
  m.q = std::move(q);
  return m;
}

TEST(BenjaminiHochberg, ByHand) {
  // Sorted 0.01, 0.02, 0.03, 0.5: times 4/1, 4/2, 4/3, 4/4, and then from the right the least.
  const std::vector<double> adjusted = benjamini_hochberg(std::vector{0.03, 0.5, 0.01, 0.02});
  ASSERT_EQ(adjusted.size(), 4U);
  EXPECT_DOUBLE_EQ(adjusted[0], 0.04);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.5);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.04);
  EXPECT_DOUBLE_EQ(adjusted[3], 0.04);
}

TEST(BenjaminiHochberg, FindsTheFourOfItsAuthors) {
  // The example of Benjamini and Hochberg (1995), section 3.2: four of fifteen at 0.05.
  const std::vector<double> p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<double> adjusted = benjamini_hochberg(p);
  EXPECT_DOUBLE_EQ(adjusted[0], 0.0015);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.003);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.0095);
  EXPECT_DOUBLE_EQ(adjusted[3], 0.035625);
  EXPECT_DOUBLE_EQ(adjusted[4], 15 * 0.0201 / 5);
  for (std::size_t i = 4; i < p.size(); ++i) EXPECT_GT(adjusted[i], 0.05) << i;
  EXPECT_DOUBLE_EQ(adjusted.back(), 1);
}

TEST(BenjaminiHochberg, LeavesOutWhatWasNotTested) {
  const std::vector<double> adjusted = benjamini_hochberg(std::vector{kNaN, 0.01, kNaN, 0.04});
  EXPECT_TRUE(std::isnan(adjusted[0]));
  EXPECT_TRUE(std::isnan(adjusted[2]));
  EXPECT_DOUBLE_EQ(adjusted[1], 0.02);
  EXPECT_DOUBLE_EQ(adjusted[3], 0.04);
  EXPECT_TRUE(benjamini_hochberg({}).empty());
}

TEST(BenjaminiHochberg, IsNeverBelowTheTestNorAboveOneNorOutOfOrder) {
  std::vector<double> p;
  for (int i = 0; i < 200; ++i) p.push_back((i * 37 % 200 + 1) / 250.0);
  const std::vector<double> adjusted = benjamini_hochberg(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_GE(adjusted[i], p[i] * (1 - 1e-12));
    EXPECT_LE(adjusted[i], 1);
    for (std::size_t j = 0; j < p.size(); ++j) {
      EXPECT_TRUE(p[i] >= p[j] || adjusted[i] <= adjusted[j]);
    }
  }
}

TEST(Lisa, CallsAClusterWhatPassesTheRule) {
  const Moran m = tests_of({0.001, 0.04, 0.02, 0.3, 0.001}, {1, 2, 3, 4, 3});
  const Lisa controlled = classify(m, 999, {});
  // Adjusted: 0.0025, 0.05, 0.0333, 0.3, 0.0025.
  EXPECT_EQ(controlled.cluster, (std::vector<int>{1, 2, 3, 0, 3}));
  EXPECT_EQ(controlled.kinds, (LisaCounts{1, 1, 1, 2, 0}));
  const Lisa strict = classify(m, 999, {.alpha = 0.03});
  EXPECT_EQ(strict.cluster, (std::vector<int>{1, 0, 0, 0, 3}));
  EXPECT_EQ(strict.plain, (LisaCounts{2, 1, 0, 2, 0}));
  const Lisa plain = classify(m, 999, {.alpha = 0.03, .control = false});
  EXPECT_EQ(plain.cluster, (std::vector<int>{1, 0, 3, 0, 3}));
  EXPECT_EQ(plain.kinds, plain.plain);
  EXPECT_EQ(plain.p_fdr, strict.p_fdr);
}

TEST(Lisa, TellsHowManyPermutationsWouldHelp) {
  // Ten of 2,000 at the floor of 999 permutations: adjusted to 2000 / 1000 / 10 = 0.2. They pass
  // at 0.05 from 2000 / 10 / 0.05 = 4,000 simulated values on.
  std::vector<double> p(2000, 0.4);
  for (std::size_t i = 0; i < 10; ++i) p[7 * i] = 0.001;
  const Moran m = tests_of(p, std::vector<int>(2000, 1));
  const Lisa lisa = classify(m, 999, {});
  EXPECT_EQ(lisa.kinds[0], 2000);
  EXPECT_EQ(lisa.plain[1], 10);
  EXPECT_EQ(lisa.permutations_needed, 4999);
  // With that many, the same rows at the new floor do pass.
  for (double& v : p) v = v < 0.1 ? 1.0 / 5000 : v;
  EXPECT_EQ(classify(tests_of(p, std::vector<int>(2000, 1)), 4999, {}).kinds[1], 10);
  EXPECT_EQ(classify(m, 999, {.control = false}).permutations_needed, 0);
}

TEST(Lisa, DoesNotAskForPermutationsThatCannotHelp) {
  // No p-value is at the floor.
  const Moran m = tests_of(std::vector<double>(100, 0.04), std::vector<int>(100, 1));
  EXPECT_EQ(classify(m, 999, {}).permutations_needed, 0);
  std::vector<double> p(100, 0.3);
  p[5] = 0.03;
  EXPECT_EQ(classify(tests_of(p, std::vector<int>(100, 1)), 999, {}).permutations_needed, 0);
}

TEST(Lisa, HasNoClustersWithoutTests) {
  const Lisa lisa = classify(tests_of({kNaN, kNaN}, {1, 3}), 0, {});
  EXPECT_EQ(lisa.cluster, (std::vector<int>{0, 0}));
  EXPECT_EQ(lisa.kinds[0], 2);
  EXPECT_EQ(lisa.permutations_needed, 0);
  EXPECT_TRUE(classify({}, 999, {}).cluster.empty());
}

TEST(Lisa, NamesItsKinds) {
  EXPECT_EQ(cluster_name(0), "ns");
  EXPECT_EQ(cluster_name(1), "HH");
  EXPECT_EQ(cluster_name(2), "LH");
  EXPECT_EQ(cluster_name(3), "LL");
  EXPECT_EQ(cluster_name(4), "HL");
  EXPECT_EQ(cluster_name(7), "ns");
}

}  // namespace
}  // namespace pegnn
