#include "stats/paired.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/philox.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

std::vector<Point> unit_square(std::size_t n, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  std::vector<Point> points;
  for (std::size_t i = 0; i < n; ++i) points.push_back({rng.uniform(1, i), rng.uniform(2, i)});
  return points;
}

TEST(SignFlip, NoDifferenceAtAllHasProbabilityOne) {
  EXPECT_EQ(sign_flip_p({}, 0, 1), 1.0);
  EXPECT_EQ(sign_flip_p(std::vector<double>(16, 0.0), 0, 1), 1.0);
}

// With three blocks of one size there are eight sign patterns, two of which are as far as +++.
TEST(SignFlip, FewBlocksGiveTheShareOfTheirSignPatterns) {
  EXPECT_NEAR(sign_flip_p(std::vector<double>{1, 1, 1}, 0, 1), 0.25, 0.02);
  EXPECT_NEAR(sign_flip_p(std::vector<double>{2, 1, 0.5}, 0, 1), 0.25, 0.02);
  EXPECT_EQ(sign_flip_p(std::vector<double>{5}, 0, 1), 1.0);
}

TEST(SignFlip, BlocksOfOneSignAreAsUnlikelyAsCanBe) {
  const std::vector<double> blocks(32, 0.3);
  EXPECT_EQ(sign_flip_p(blocks, 0, 1), 1e-4);
}

TEST(SignFlip, LooksAtBothSides) {
  const std::vector<double> up{3, -1, 2, 0.5, 1}, down{-3, 1, -2, -0.5, -1};
  EXPECT_EQ(sign_flip_p(up, 0, 7), sign_flip_p(down, 0, 7));
}

TEST(SignFlip, NoiseOfTrainingMakesALeadLessCertain) {
  const std::vector<double> blocks(32, 1.0);
  EXPECT_LT(sign_flip_p(blocks, 1, 1), 0.001);
  EXPECT_NEAR(sign_flip_p(blocks, 32, 1), 0.32, 0.03);  // one deviation of a normal, and the signs
  EXPECT_GT(sign_flip_p(blocks, 200, 1), 0.8);
}

TEST(Holm, MatchesAHandComputedCase) {
  const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
  const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_DOUBLE_EQ(corrected[i], expected[i]);
  EXPECT_TRUE(holm({}).empty());
}

RC_GTEST_PROP(Holm, KeepsTheOrderAndNeverMakesAValueSmaller, ()) {
  const auto p = *rc::gen::map(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1001)),
                               [](const std::vector<int>& v) {
                                 std::vector<double> out;
                                 for (const int x : v) out.push_back(x / 1000.0);
                                 return out;
                               });
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    RC_ASSERT(corrected[i] >= p[i]);
    RC_ASSERT(corrected[i] <= 1.0);
    for (std::size_t j = 0; j < p.size(); ++j) {
      RC_ASSERT(!(p[i] < p[j]) || corrected[i] <= corrected[j]);
    }
  }
}

TEST(PairedP, AModelWithMoreNoiseIsFound) {
  const std::vector<Point> points = unit_square(800, 3);
  const Rng rng{4, Stream::sample};
  std::vector<double> differences;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double good = rng.normal(1, i), bad = 1.3 * rng.normal(2, i);
    differences.push_back(bad * bad - good * good);
  }
  EXPECT_LT(paired_p(points, Space::plane, differences, 0, 1), 0.01);
  EXPECT_LT(paired_p(points, Space::sphere, differences, 0, 1), 0.01);
}

TEST(PairedP, OneRowAndNoneProveNothing) {
  EXPECT_EQ(paired_p({}, Space::plane, {}, 0, 1), 1.0);
  const std::vector<Point> point{{1, 1}};
  const std::vector<double> difference{3};
  EXPECT_EQ(paired_p(point, Space::sphere, difference, 0, 1), 1.0);
}

// Two models of equal skill whose errors are alike over a twentieth of the extent: a t-test over
// rows, which takes them for independent, finds a winner in every fourth draw.
TEST(PairedP, SpatiallyCorrelatedErrorsOfEqualModelsAreRarelyFoundDifferent) {
  constexpr std::size_t kRows = 400;
  constexpr int kDraws = 200;
  const std::vector<Point> points = unit_square(kRows, 11);
  const SpatialModel field{Covariance::exponential, 0.05, 1.0, 0.0};
  std::vector<double> factor = test::covariances(points, field);
  const auto size = static_cast<std::int64_t>(kRows);
  ASSERT_TRUE(cholesky(ThreadPool(1), {factor.data(), size, size}));
  const auto draw = [&](std::uint64_t seed) {
    const Rng rng{seed, Stream::sample};
    std::vector<double> noise(kRows), values(kRows, 0.0);
    for (std::size_t i = 0; i < kRows; ++i) noise[i] = rng.normal(1, i);
    for (std::size_t i = 0; i < kRows; ++i) {
      for (std::size_t j = 0; j <= i; ++j) values[i] += factor[i * kRows + j] * noise[j];
    }
    return values;
  };
  int by_blocks = 0, by_rows = 0;
  for (int d = 0; d < kDraws; ++d) {
    const auto seed = static_cast<std::uint64_t>(2 * d + 100);
    const std::vector<double> a = draw(seed), b = draw(seed + 1);
    std::vector<double> differences(kRows);
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      differences[i] = a[i] * a[i] - b[i] * b[i];
      mean += differences[i] / kRows;
    }
    for (const double v : differences) square += (v - mean) * (v - mean);
    by_rows += std::abs(mean) > 1.96 * std::sqrt(square / (kRows - 1.0) / kRows) ? 1 : 0;
    by_blocks += paired_p(points, Space::plane, differences, 0, 1) < 0.05 ? 1 : 0;
  }
  EXPECT_GT(by_rows, kDraws / 10);
  // 5 % are 10 of 200, with a deviation of 3.1; three of those above it.
  EXPECT_LE(by_blocks, 19);
}

}  // namespace
}  // namespace pegnn
