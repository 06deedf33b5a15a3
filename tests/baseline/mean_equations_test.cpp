#include "baseline/mean_equations.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/spatial_rows.h"

namespace pegnn {
namespace {

// Independent rows: columns of the mean, the first of them 1, and a label.
struct Rows {
  std::vector<std::vector<double>> columns;
  std::vector<double> label;

  std::int64_t width() const { return std::ssize(columns); }
  double count() const { return static_cast<double>(label.size()); }
  std::vector<double> cross() const {
    std::vector<std::vector<double>> all = columns;
    all.push_back(label);
    std::vector<double> out;
    for (const auto& a : all) {
      for (const auto& b : all) out.push_back(test::dot(a, b));
    }
    return out;
  }
  MeanSolution free() const { return solve_mean(cross(), width()); }
  MeanSolution shrunk(double variance = 0) const {
    return solve_shrunk_mean(cross(), width(), count(), variance);
  }
};

// `effect` times each feature, plus noise of variance 1.
Rows draw(std::size_t n, std::size_t features, double effect, std::uint64_t seed) {
  Rows rows{{std::vector<double>(n, 1.0)}, std::vector<double>(n)};
  const Rng rng{seed, Stream::sample};
  for (std::size_t i = 0; i < n; ++i) rows.label[i] = 4 + rng.normal(0, i);
  for (std::size_t f = 1; f <= features; ++f) {
    rows.columns.emplace_back();
    for (std::size_t i = 0; i < n; ++i) {
      rows.columns[f].push_back(2 + rng.normal(f, i));
      rows.label[i] += effect * rows.columns[f][i];
    }
  }
  return rows;
}

double slope_square(const MeanSolution& solution) {
  double sum = 0;
  for (std::int64_t f = 1; f < solution.mean.size(); ++f) {
    sum += solution.mean[f] * solution.mean[f];
  }
  return sum;
}

// With w = 1 + t the deviance log w + n log(rest + r / w) is least at w = (n - 1) r / rest, where
// the slope takes r of the label's sum of squares; with the variance known at w = r / variance.
TEST(MeanEquations, OneSlopeKeepsTheShareThatItsStatisticSays) {
  for (const double effect : {0.3, 0.6, 2.0}) {
    const Rows rows = draw(40, 1, effect, 1);
    const double none = Rows{{rows.columns[0]}, rows.label}.free().square;
    const MeanSolution free = rows.free();
    const double taken = none - free.square, odds = 39 * taken / free.square;
    ASSERT_GT(odds, 1);
    EXPECT_NEAR(rows.shrunk().mean[1] / free.mean[1], 1 - 1 / odds, 0.002);
    EXPECT_NEAR(rows.shrunk(0.5).mean[1] / free.mean[1], 1 - 0.5 / taken, 0.002);
    EXPECT_EQ(rows.shrunk(2 * taken).mean[1], 0);
  }
}

// The dense likelihood of the label without the slopes: covariance I + t sum_j x_j x_j' / g_j of
// columns less their means, the intercept by generalised least squares.
struct Evidence {
  double square, log_determinant;
  std::vector<double> mean;

  double deviance(double n) const { return log_determinant + n * std::log(square); }
};

Evidence dense_evidence(const Rows& rows, double t) {
  const std::size_t n = rows.label.size();
  std::vector<double> covariance(n * n), slope_variance;
  for (std::size_t i = 0; i < n; ++i) covariance[i * n + i] = 1;
  for (std::size_t f = 1; f < rows.columns.size(); ++f) {
    const std::vector<double>& x = rows.columns[f];
    const double sum = test::dot(x, rows.columns[0]), centre = sum / rows.count();
    slope_variance.push_back(t / (test::dot(x, x) - sum * centre));
    for (std::size_t i = 0; i < n * n; ++i) {
      covariance[i] += slope_variance.back() * (x[i / n] - centre) * (x[i % n] - centre);
    }
  }
  const std::vector<double> ones = test::solve(covariance, rows.columns[0]);
  Evidence out{0, 0, {test::dot(ones, rows.label) / test::dot(ones, rows.columns[0])}};
  std::vector<double> residual = rows.label;
  for (double& y : residual) y -= out.mean[0];
  const std::vector<double> solved = test::solve(covariance, residual);
  out.square = test::dot(residual, solved);
  for (std::size_t f = 1; f < rows.columns.size(); ++f) {
    out.mean.push_back(slope_variance[f - 1] * test::dot(rows.columns[f], solved));
    out.mean[0] -= out.mean[f] * test::dot(rows.columns[f], rows.columns[0]) / rows.count();
  }
  const auto size = static_cast<std::int64_t>(n);
  EXPECT_TRUE(cholesky(ThreadPool(1), {covariance.data(), size, size}));
  out.log_determinant = log_determinant({covariance.data(), size, size});
  return out;
}

TEST(MeanEquations, ShrunkSlopesAreThePosteriorMeanUnderTheMostLikelyPrior) {
  const Rows rows = draw(25, 3, 0.4, 2);
  const MeanSolution got = rows.shrunk();
  ASSERT_GT(got.prior, 0);
  const Evidence want = dense_evidence(rows, got.prior);
  EXPECT_NEAR(got.square, want.square, 1e-9 * want.square);
  EXPECT_NEAR(got.log_determinant, want.log_determinant, 1e-9);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(got.mean[i], want.mean[i], 1e-9);
  for (const double factor : {1e-3, 0.5, 0.97, 1.03, 2.0, 1e3}) {
    EXPECT_LT(want.deviance(25), dense_evidence(rows, factor * got.prior).deviance(25));
  }
}

TEST(MeanEquations, LittleIsLeftOfTheSlopesOfNoise) {
  double left = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Rows rows = draw(48, 16, 0, seed);
    left += slope_square(rows.shrunk());
    all += slope_square(rows.free());
  }
  EXPECT_LT(left, 0.1 * all);
}

TEST(MeanEquations, SlopesThatStandOutAreKept) {
  const Rows rows = draw(200, 4, 3, 3);
  const MeanSolution free = rows.free(), shrunk = rows.shrunk();
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(shrunk.mean[i], free.mean[i], 0.01);
}

TEST(MeanEquations, ColumnsThatSayNothingNewGetNoMoreThanTheirShare) {
  Rows rows = draw(60, 1, 1, 4);
  rows.columns.push_back(rows.columns[1]);
  for (double& x : rows.columns[2]) x = 5 - 2 * x;
  rows.columns.emplace_back(60, 7.0);
  const MeanSolution got = rows.shrunk();
  EXPECT_NEAR(got.mean[1], -2 * got.mean[2], 1e-6);
  EXPECT_NEAR(got.mean[1] - 2 * got.mean[2], 1, 0.3);
  EXPECT_EQ(got.mean[3], 0);
}

TEST(MeanEquations, TheUnitsOfTheColumnsDoNotMatter) {
  Rows rows = draw(30, 2, 0.5, 5);
  const MeanSolution want = rows.shrunk();
  for (double& x : rows.columns[2]) x *= 1e6;
  const MeanSolution got = rows.shrunk();
  EXPECT_NEAR(got.mean[1], want.mean[1], 1e-9);
  EXPECT_NEAR(got.mean[2] * 1e6, want.mean[2], 1e-9);
}

TEST(MeanEquations, ALabelThatIsLinearWithoutNoiseIsFound) {
  Rows rows = draw(20, 2, 0, 6);
  for (std::size_t i = 0; i < 20; ++i) rows.label[i] = 3 * rows.columns[1][i] - 1;
  const MeanSolution got = rows.shrunk();
  EXPECT_NEAR(got.mean[0], -1, 1e-6);
  EXPECT_NEAR(got.mean[1], 3, 1e-6);
  EXPECT_NEAR(got.mean[2], 0, 1e-6);
}

}  // namespace
}  // namespace pegnn
