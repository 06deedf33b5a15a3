#include "linalg/cholesky.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "linalg/matrices.h"
#include "support/targets.h"

namespace pegnn {
namespace {

using test::covariance;
using test::lower_covariance;
using test::random_matrix;
using test::Spaced;

// Around the strips of 32 rows, the tiles of 96 and 192 and the panels of 256.
const std::vector<std::int64_t> kSizes = {1,   2,   7,   31,  32,  33,  63,  64,  65,  95,  97,
                                          191, 192, 193, 255, 256, 257, 300, 449, 512, 513, 600};

bool above_is_untouched(const Spaced& a) {
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    for (std::int64_t j = i + 1; j < a.cols(); ++j) {
      if (!a.untouched(i, j)) return false;
    }
  }
  return a.gaps_are_untouched();
}

// Largest element of L L^T - A; the elements of A are at most 1.2.
double factor_error(const Spaced& l) {
  double worst = 0;
  for (std::int64_t i = 0; i < l.rows(); ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      double sum = -covariance(i, j);
      for (std::int64_t p = 0; p <= j; ++p) sum += l(i, p) * l(j, p);
      worst = std::abs(sum) <= worst ? worst : std::abs(sum);  // a NaN is kept
    }
  }
  return worst;
}

// Largest element of W A - I, for the symmetric W given by its lower triangle and every `step`-th
// row.
double inverse_error(const Spaced& w, std::int64_t step) {
  const std::int64_t n = w.rows();
  const Spaced a = lower_covariance(n);
  const auto full = [](const Spaced& x, std::int64_t i, std::int64_t j) {
    return i >= j ? x(i, j) : x(j, i);
  };
  double worst = 0;
  for (std::int64_t i = 0; i < n; i += step) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = i == j ? -1 : 0;
      for (std::int64_t p = 0; p < n; ++p) sum += full(w, i, p) * full(a, p, j);
      worst = std::abs(sum) <= worst ? worst : std::abs(sum);
    }
  }
  return worst;
}

Spaced factor(const ThreadPool& pool, std::int64_t n, double above = test::kUnread) {
  Spaced l = lower_covariance(n, above);
  EXPECT_TRUE(cholesky(pool, l.mat())) << n;
  return l;
}

TEST(Cholesky, TimesItsTransposeIsTheMatrix) {
  const ThreadPool pool(2);
  for (const std::int64_t n : kSizes) {
    const Spaced l = factor(pool, n);
    EXPECT_LE(factor_error(l), 1e-14) << n;
  }
}

TEST(Cholesky, OfASmallMatrixIsWhatIsComputedByHand) {
  // (2 0; 1 3) (2 1; 0 3) = (4 2; 2 10)
  double a[4] = {4, -7, 2, 10};
  ASSERT_TRUE(cholesky(ThreadPool(1), {a, 2, 2}));
  EXPECT_EQ(a[0], 2);
  EXPECT_EQ(a[1], -7);
  EXPECT_EQ(a[2], 1);
  EXPECT_EQ(a[3], 3);
  EXPECT_DOUBLE_EQ(log_determinant({a, 2, 2}), std::log(36));
}

TEST(Cholesky, SaysWhenTheMatrixIsNotPositiveDefinite) {
  const ThreadPool pool(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{40}, std::int64_t{600}}) {
    for (const double bad : {0.0, -1.0, nan, infinity}) {
      for (const std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
        Spaced a = lower_covariance(n);
        a(at, at) = bad;
        EXPECT_FALSE(cholesky(pool, a.mat())) << n << ' ' << bad << ' ' << at;
      }
    }
  }
  Spaced a = lower_covariance(600);
  a(599, 3) = nan;
  EXPECT_FALSE(cholesky(pool, a.mat()));
}

TEST(Cholesky, SaysThatTwoEqualPlacesWithoutANuggetAreNotPositiveDefinite) {
  double a[4] = {1, 0, 1, 1};
  EXPECT_FALSE(cholesky(ThreadPool(1), {a, 2, 2}));
}

TEST(Cholesky, OfNothingIsNothing) {
  const ThreadPool pool(2);
  EXPECT_TRUE(cholesky(pool, {}));
  invert_from_cholesky(pool, {});
  double b = 7;
  solve_lower(pool, {}, {&b, 0, 1});
  solve_lower_transposed(pool, {}, {&b, 0, 1});
  const Spaced l = factor(pool, 40);
  Spaced none(40, 0);
  solve_lower(pool, l.mat(), none.mat());
  solve_lower_transposed(pool, l.mat(), none.mat());
  EXPECT_EQ(b, 7);
  EXPECT_EQ(log_determinant({}), 0);
}

TEST(Solve, UndoesMultiplicationByTheFactorAndByItsTranspose) {
  const ThreadPool pool(2);
  for (const std::int64_t n : kSizes) {
    const Spaced l = factor(pool, n);
    for (const std::int64_t m : {std::int64_t{1}, std::int64_t{5}, std::int64_t{33}}) {
      const Spaced b = random_matrix(n, m, 9, test::kUnwritten);
      Spaced x = b, y = b;
      solve_lower(pool, l.mat(), x.mat());
      solve_lower_transposed(pool, l.mat(), y.mat());
      double worst = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t c = 0; c < m; ++c) {
          double down = -b(i, c), up = -b(i, c);
          for (std::int64_t p = 0; p <= i; ++p) down += l(i, p) * x(p, c);
          for (std::int64_t p = i; p < n; ++p) up += l(p, i) * y(p, c);
          const double error = std::abs(down) + std::abs(up);
          worst = error <= worst ? worst : error;
        }
      }
      EXPECT_LE(worst, 1e-13) << n << " x " << m;
      EXPECT_TRUE(x.gaps_are_untouched() && y.gaps_are_untouched());
    }
  }
}

TEST(Inverse, TimesTheMatrixIsTheIdentity) {
  const ThreadPool pool(2);
  for (const std::int64_t n : kSizes) {
    Spaced w = factor(pool, n);
    invert_from_cholesky(pool, w.mat());
    EXPECT_LE(inverse_error(w, n > 300 ? 17 : 1), 1e-12) << n;  // the condition is about 100
  }
}

TEST(Cholesky, AndInverseLeaveWhatStandsAboveTheDiagonal) {
  const ThreadPool pool(2);
  for (const std::int64_t n : kSizes) {
    Spaced a = factor(pool, n, test::kUnwritten);
    EXPECT_TRUE(above_is_untouched(a)) << n;
    invert_from_cholesky(pool, a.mat());
    EXPECT_TRUE(above_is_untouched(a)) << n;
  }
}

TEST(Cholesky, SolvesAndInverseHaveTheSameBitsForAnyNumberOfThreads) {
  constexpr std::int64_t kRows = 650;
  std::vector<std::vector<std::uint64_t>> results[3];
  for (const int threads : {1, 2, 3}) {
    const ThreadPool pool(threads);
    auto& bits = results[threads - 1];
    Spaced l = factor(pool, kRows);
    bits.push_back(l.bits());
    for (const std::int64_t m : {std::int64_t{1}, std::int64_t{100}}) {
      Spaced x = random_matrix(kRows, m, 9);
      solve_lower(pool, l.mat(), x.mat());
      bits.push_back(x.bits());
      solve_lower_transposed(pool, l.mat(), x.mat());
      bits.push_back(x.bits());
    }
    invert_from_cholesky(pool, l.mat());
    bits.push_back(l.bits());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// What a machine without AVX-512, or without AVX2, computes.
TEST(Cholesky, IsRightWithEveryInstructionSetOfThisMachine) {
  const ThreadPool pool(2);
  test::for_every_target([&](const char*) {
    Spaced l = factor(pool, 300);
    EXPECT_LE(factor_error(l), 1e-14);
    invert_from_cholesky(pool, l.mat());
    EXPECT_LE(inverse_error(l, 7), 1e-12);
  });
}

}  // namespace
}  // namespace pegnn
