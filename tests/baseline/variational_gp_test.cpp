#include "baseline/variational_gp.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "linalg/cholesky.h"

namespace pegnn {
namespace {

constexpr Covariance kCovariances[] = {Covariance::exponential, Covariance::matern32,
                                       Covariance::matern52, Covariance::gaussian};

// Rows of three columns; the first two share a length scale.
struct Case {
  std::int64_t rows, inducing;
  std::vector<double> x, y;
  VariationalGp gp;

  Case(Covariance covariance, std::int64_t n, std::int64_t m)
      : rows(n), inducing(m), gp(covariance, {0, 0, 1}, 2, m) {
    const Rng rng{7, Stream::sample};
    for (std::int64_t i = 0; i < n; ++i) {
      const auto b = static_cast<std::uint64_t>(i);
      for (std::uint64_t c = 0; c < 3; ++c) x.push_back(rng.normal(c, b));
      y.push_back(std::sin(2 * x[x.size() - 3]) + 0.5 * x.back() + 0.2 * rng.normal(3, b));
    }
    for (std::int64_t i = 0; i < m * 3; ++i) {
      gp.parameters()[static_cast<std::size_t>(i)] = x[static_cast<std::size_t>(i)];
    }
    gp.log_length_scales()[0] = std::log(0.9);
    gp.log_length_scales()[1] = std::log(1.7);
    gp.log_variance() = std::log(1.3);
    gp.log_noise() = std::log(0.2);
    gp.mean() = 0.1;
  }

  Mat<const double> inputs(std::int64_t first, std::int64_t count) const {
    return Mat<const double>(x.data(), rows, 3).block(first, count);
  }
  std::span<const double> labels(std::int64_t first, std::int64_t count) const {
    return std::span(y).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  }
  double correlation_of(Covariance covariance, const double* a, const double* b) const {
    const double d0 = (a[0] - b[0]) / 0.9, d1 = (a[1] - b[1]) / 0.9, d2 = (a[2] - b[2]) / 1.7;
    return correlation(covariance, std::sqrt(d0 * d0 + d1 * d1 + d2 * d2));
  }
};

// log N(y | m, cov), cov given as a full matrix.
double log_density(std::vector<double> cov, std::span<const double> y, double m) {
  const ThreadPool pool(1);
  const auto n = static_cast<std::int64_t>(y.size());
  const Mat<double> c(cov.data(), n, n);
  EXPECT_TRUE(cholesky(pool, c));
  std::vector<double> r;
  for (const double v : y) r.push_back(v - m);
  solve_lower(pool, c, {r.data(), n, 1});
  double square = 0;
  for (const double v : r) square += v * v;
  return -0.5 *
         (square + log_determinant(c) + static_cast<double>(n) * std::log(2 * std::numbers::pi));
}

TEST(VariationalGp, GradientsAgreeWithFiniteDifferencesForEveryCovariance) {
  const ThreadPool pool(1);
  for (const Covariance covariance : kCovariances) {
    Case c(covariance, 9, 4);
    VariationalGp& gp = c.gp;
    // Away from the rows, where the exponential has a kink.
    for (std::size_t i = 0; i < 12; ++i) gp.parameters()[i] += 0.05 * static_cast<double>(i % 5);
    gp.attend(pool, c.inputs(0, 4), c.labels(0, 4), 9);
    gp.follow(pool, 0.6);
    const auto value = [&] {
      gp.attend(pool, c.inputs(3, 6), c.labels(3, 6), 9);
      return gp.bound();
    };
    Array<double> gradient(gp.parameters().size());
    gp.attend(pool, c.inputs(3, 6), c.labels(3, 6), 9);
    gp.gradient(pool, gradient);
    ASSERT_EQ(gradient.size(), 12U + 2 + 3);
    for (std::int64_t p = 0; p < gradient.size(); ++p) {
      const double at = gp.parameters()[p], h = 1e-5;
      gp.parameters()[p] = at + h;
      const double above = value();
      gp.parameters()[p] = at - h;
      const double below = value();
      gp.parameters()[p] = at;
      // Differences of values near 50 at this step are good to about 1e-9.
      EXPECT_NEAR(gradient[p], (above - below) / (2 * h), 1e-6 * (1 + std::abs(gradient[p])))
          << name_of(covariance) << ", parameter " << p;
    }
  }
}

TEST(VariationalGp, BestPosteriorGivesTheBoundOfTitsias) {
  const ThreadPool pool(1);
  for (const Covariance covariance : kCovariances) {
    const std::int64_t n = 10, m = 4;
    Case c(covariance, n, m);
    c.gp.attend(pool, c.inputs(0, n), c.labels(0, n), n);
    c.gp.follow(pool, 1);
    const double bound = c.gp.bound();

    // Q = K_xz K_zz^-1 K_zx, through the factor of K_zz.
    std::vector<double> zz(m * m), zx(m * n), q(n * n);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < m; ++j) {
        zz[static_cast<std::size_t>(i * m + j)] =
            1.3 * (c.correlation_of(covariance, c.inputs(i, 1).data, c.inputs(j, 1).data) +
                   (i == j ? 1e-6 : 0));
      }
      for (std::int64_t j = 0; j < n; ++j) {
        zx[static_cast<std::size_t>(i * n + j)] =
            1.3 * c.correlation_of(covariance, c.inputs(i, 1).data, c.inputs(j, 1).data);
      }
    }
    ASSERT_TRUE(cholesky(pool, {zz.data(), m, m}));
    solve_lower(pool, {zz.data(), m, m}, {zx.data(), m, n});
    double missing = static_cast<double>(n) * 1.3;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
        double& v = q[i * static_cast<std::size_t>(n) + j];
        for (std::size_t k = 0; k < static_cast<std::size_t>(m); ++k) {
          v += zx[k * static_cast<std::size_t>(n) + i] * zx[k * static_cast<std::size_t>(n) + j];
        }
        if (i == j) missing -= v;
        if (i == j) v += 0.2;
      }
    }
    EXPECT_NEAR(bound, log_density(q, c.y, 0.1) - missing / (2 * 0.2), 1e-9) << name_of(covariance);
  }
}

TEST(VariationalGp, ShortStepsOnAllRowsClimbToTheBestPosterior) {
  const ThreadPool pool(1);
  Case c(Covariance::matern32, 20, 6);
  c.gp.attend(pool, c.inputs(0, 20), c.labels(0, 20), 20);
  double before = c.gp.bound();
  for (int step = 0; step < 20; ++step) {
    c.gp.follow(pool, 0.3);
    const double now = c.gp.bound();
    EXPECT_GT(now, before);
    before = now;
  }
  c.gp.follow(pool, 1);
  const double best = c.gp.bound();
  EXPECT_GE(best, before);
  EXPECT_NEAR(best, before, 1e-2);
}

TEST(VariationalGp, InducingPointsOnAllRowsGiveTheExactProcess) {
  const ThreadPool pool(1);
  const std::int64_t n = 12;
  Case c(Covariance::matern32, n, n);
  c.gp.settle(pool, c.inputs(0, n), c.y);
  std::vector<double> weights(n), reduction(n * n);
  c.gp.predictor(pool, weights, {reduction.data(), n, n});

  std::vector<double> k(n * n), r(c.y);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      k[static_cast<std::size_t>(i * n + j)] =
          1.3 * c.correlation_of(Covariance::matern32, c.inputs(i, 1).data, c.inputs(j, 1).data) +
          (i == j ? 0.2 : 0.0);
    }
    r[static_cast<std::size_t>(i)] -= 0.1;
  }
  ASSERT_TRUE(cholesky(pool, {k.data(), n, n}));
  solve_lower(pool, {k.data(), n, n}, {r.data(), n, 1});
  const double query[3] = {0.3, -0.2, 0.7};
  std::vector<double> at;  // covariances of the query with the rows
  for (std::int64_t i = 0; i < n; ++i) {
    at.push_back(1.3 * c.correlation_of(Covariance::matern32, query, c.inputs(i, 1).data));
  }
  double mean = 0.1;
  double variance = 1;
  for (std::size_t i = 0; i < at.size(); ++i) {
    mean += at[i] / 1.3 * weights[i];
    for (std::size_t j = 0; j < at.size(); ++j) {
      variance -= at[i] / 1.3 * reduction[i * at.size() + j] * at[j] / 1.3;
    }
  }
  variance *= 1.3;
  solve_lower(pool, {k.data(), n, n}, {at.data(), n, 1});
  double exact_mean = 0.1, exact_variance = 1.3;
  for (std::size_t i = 0; i < at.size(); ++i) {
    exact_mean += at[i] * r[i];
    exact_variance -= at[i] * at[i];
  }
  // The jitter of K_zz, a millionth of the variance, is what remains between them.
  EXPECT_NEAR(mean, exact_mean, 1e-5);
  EXPECT_NEAR(variance, exact_variance, 1e-5);
}

TEST(VariationalGp, SettlesInPiecesAsOnAllRowsAtOnce) {
  const ThreadPool pool(1);
  const std::int64_t n = 5000, m = 5;  // more than two pieces
  Case a(Covariance::matern52, n, m), b(Covariance::matern52, n, m);
  a.gp.settle(pool, a.inputs(0, n), a.y);
  b.gp.attend(pool, b.inputs(0, n), b.y, n);
  b.gp.follow(pool, 1);
  std::vector<double> one(m), other(m), room(m * m);
  a.gp.predictor(pool, one, {room.data(), m, m});
  b.gp.predictor(pool, other, {room.data(), m, m});
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-8);
  EXPECT_NEAR(a.gp.bound(), b.gp.bound(), 1e-9 * std::abs(b.gp.bound()));
}

TEST(VariationalGp, BalanceFindsTheNoiseThatMakesTheBoundHighest) {
  const ThreadPool pool(1);
  const std::int64_t n = 400;
  Case c(Covariance::matern32, n, 6);
  const auto bound_at = [&](double log_noise) {
    c.gp.log_noise() = log_noise;
    c.gp.settle(pool, c.inputs(0, n), c.y);
    return c.gp.bound();
  };
  bound_at(std::log(5.0));
  c.gp.balance(pool, 1e-6);
  const double found = c.gp.log_noise(), bound = c.gp.bound();
  EXPECT_GT(bound, bound_at(found + 0.02));
  EXPECT_GT(bound, bound_at(found - 0.02));
  EXPECT_NEAR(bound, bound_at(found), 1e-9 * std::abs(bound));
  c.gp.balance(pool, 3);
  EXPECT_NEAR(c.gp.log_noise(), std::log(3.0), 1e-12);
}

TEST(VariationalGp, StandsInducingPointsOnTopOfEachOther) {
  const ThreadPool pool(1);
  Case c(Covariance::gaussian, 30, 8);
  for (std::int64_t i = 1; i < 8; ++i) {
    for (std::int64_t k = 0; k < 3; ++k) c.gp.locations()(i, k) = c.gp.locations()(0, k);
  }
  Array<double> gradient(c.gp.parameters().size());
  c.gp.attend(pool, c.inputs(0, 30), c.y, 30);
  c.gp.follow(pool, 1);
  c.gp.gradient(pool, gradient);
  EXPECT_TRUE(std::isfinite(c.gp.bound()));
  for (const double g : gradient) EXPECT_TRUE(std::isfinite(g));
}

TEST(VariationalGp, GivesTheSameBitsForAnyNumberOfThreads) {
  std::vector<double> first;
  for (const int threads : {1, 2, 3}) {
    const ThreadPool pool(threads);
    Case c(Covariance::matern32, 600, 70);
    Array<double> gradient(c.gp.parameters().size());
    c.gp.attend(pool, c.inputs(0, 300), c.labels(0, 300), 600);
    c.gp.follow(pool, 0.5);
    c.gp.attend(pool, c.inputs(300, 300), c.labels(300, 300), 600);
    c.gp.follow(pool, 0.5);
    c.gp.gradient(pool, gradient);
    gradient.push_back(c.gp.bound());
    if (first.empty()) first = gradient;
    EXPECT_EQ(gradient, first) << threads << " threads";
  }
}

}  // namespace
}  // namespace pegnn
