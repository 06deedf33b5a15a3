#include "baseline/vecchia.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/spatial_rows.h"

namespace pegnn {
namespace {

constexpr SpatialModel kTruth{Covariance::exponential, 0.2, 1.5, 0.3};

class VecchiaTest : public ::testing::Test {
 protected:
  VecchiaTerms terms(const Observations& o, std::int64_t parents, std::int64_t most) const {
    return vecchia_terms(o, parents, most, 4, pool, progress);
  }
  VecchiaFit fit(const Observations& o, const VecchiaTerms& t, const SpatialModel& shape,
                 double variance) const {
    return vecchia_fit(o, t, shape, variance, pool, progress);
  }

  ThreadPool pool{1};
  RunSettings run;
  FitProgress progress{run};
};

// Of all rows with their dense covariance, the mean by generalised least squares.
struct Dense {
  double log_likelihood;
  std::vector<double> mean;
};

Dense dense_likelihood(const test::SpatialRows& data, const SpatialModel& model, bool features) {
  const std::size_t n = data.target.size();
  const std::size_t p = features ? 1 + static_cast<std::size_t>(data.feature_count) : 1;
  const std::vector<double> c = test::covariances(data.points, model);
  std::vector<std::vector<double>> x(p, std::vector<double>(n, 1.0)), solved;
  for (std::size_t f = 1; f < p; ++f) {
    for (std::size_t i = 0; i < n; ++i) x[f][i] = data.features[i * (p - 1) + f - 1];
  }
  for (const auto& column : x) solved.push_back(test::solve(c, column));
  std::vector<double> normal, right;
  for (std::size_t a = 0; a < p; ++a) {
    for (std::size_t b = 0; b < p; ++b) normal.push_back(test::dot(x[a], solved[b]));
    right.push_back(test::dot(solved[a], data.target));
  }
  Dense out{0, test::solve(normal, right)};
  std::vector<double> residual = data.target;
  for (std::size_t a = 0; a < p; ++a) {
    for (std::size_t i = 0; i < n; ++i) residual[i] -= out.mean[a] * x[a][i];
  }
  std::vector<double> factor = c;
  const ThreadPool pool(1);
  const auto size = static_cast<std::int64_t>(n);
  EXPECT_TRUE(cholesky(pool, {factor.data(), size, size}));
  out.log_likelihood = -0.5 * (static_cast<double>(n) * std::log(2 * std::numbers::pi) +
                               log_determinant({factor.data(), size, size}) +
                               test::dot(residual, test::solve(c, residual)));
  return out;
}

TEST_F(VecchiaTest, WithAllEarlierParentsItIsTheExactLikelihood) {
  const test::SpatialRows data = test::simulate(90, kTruth, 2, 0, 1);
  for (const Covariance kernel : {Covariance::exponential, Covariance::matern32}) {
    const SpatialModel model{kernel, 0.1, 1.0, 0.2};
    for (const bool features : {false, true}) {
      const Observations o = make_observations(data.rows(), Space::plane, features);
      const VecchiaFit got = fit(o, terms(o, 89, 90), model, model.variance());
      const Dense want = dense_likelihood(data, model, features);
      EXPECT_NEAR(got.log_likelihood, want.log_likelihood, 1e-9 * std::abs(want.log_likelihood));
      for (std::size_t f = 1; f < want.mean.size(); ++f) {
        EXPECT_NEAR(got.mean[f], want.mean[f], 1e-9);
      }
    }
  }
}

TEST_F(VecchiaTest, MergedRowsCountAsTheyWouldApart) {
  const test::SpatialRows data = test::simulate(80, kTruth, 0, 3, 2);
  const Observations o = make_observations(data.rows(), Space::plane, false);
  ASSERT_LT(o.size(), 60);
  const VecchiaFit got = fit(o, terms(o, 79, 80), kTruth, kTruth.variance());
  const Dense want = dense_likelihood(data, kTruth, false);
  EXPECT_NEAR(got.log_likelihood, want.log_likelihood, 1e-9 * std::abs(want.log_likelihood));
  EXPECT_NEAR(got.mean[0] + o.offset, want.mean[0], 1e-9);
}

TEST_F(VecchiaTest, TheVarianceLeftOpenIsTheMostLikely) {
  const test::SpatialRows data = test::simulate(300, kTruth, 1, 5, 3);
  const Observations o = make_observations(data.rows(), Space::plane, false);
  const VecchiaTerms t = terms(o, 10, 1000);
  const VecchiaFit best = fit(o, t, kTruth, 0);
  EXPECT_GT(best.variance, 0);
  EXPECT_NEAR(fit(o, t, kTruth, best.variance).log_likelihood, best.log_likelihood, 1e-9);
  for (const double factor : {0.98, 1.02}) {
    EXPECT_LT(fit(o, t, kTruth, factor * best.variance).log_likelihood, best.log_likelihood);
  }
}

TEST_F(VecchiaTest, ParentsComeEarlierAndAreNearlyTheNearest) {
  const test::SpatialRows data = test::simulate(700, kTruth, 0, 0, 4);
  const Observations o = make_observations(data.rows(), Space::plane, false);
  const VecchiaTerms t = terms(o, 6, 700);
  ASSERT_EQ(t.size(), 700);
  // Terms stand in the order that was drawn.
  std::vector<std::int64_t> position(700);
  for (std::size_t i = 0; i < 700; ++i) {
    position[static_cast<std::size_t>(t.children[i])] = static_cast<std::int64_t>(i);
  }
  EXPECT_EQ(t.parents[0], -1);
  std::int64_t nearest = 0, all = 0;
  for (std::size_t i = 1; i < 700; ++i) {
    const Place& own = o.places[static_cast<std::size_t>(t.children[i])];
    std::vector<double> earlier;
    for (std::size_t j = 0; j < i; ++j) {
      earlier.push_back(squared_distance(own, o.places[static_cast<std::size_t>(t.children[j])]));
    }
    std::sort(earlier.begin(), earlier.end());
    for (std::size_t j = 0; j < 6; ++j) {
      const std::int32_t parent = t.parents[i * 6 + j];
      ASSERT_EQ(parent >= 0, j < i);
      if (parent < 0) continue;
      EXPECT_LT(position[static_cast<std::size_t>(parent)], static_cast<std::int64_t>(i));
      ++all;
      nearest += squared_distance(own, o.places[static_cast<std::size_t>(parent)]) <=
                 earlier[std::min<std::size_t>(i, 6) - 1];
    }
  }
  EXPECT_GT(nearest, all * 8 / 10);
}

TEST_F(VecchiaTest, ASampleOfTheTermsHasTheirParentsAmongAll) {
  const test::SpatialRows data = test::simulate(900, kTruth, 0, 0, 5);
  const Observations o = make_observations(data.rows(), Space::plane, false);
  const VecchiaTerms all = terms(o, 8, 900), some = terms(o, 8, 100);
  ASSERT_EQ(some.size(), 100);
  for (std::size_t i = 0; i < 100; ++i) {
    const auto at = static_cast<std::size_t>(
        std::find(all.children.begin(), all.children.end(), some.children[i]) -
        all.children.begin());
    ASSERT_LT(at, 900U);
    EXPECT_TRUE(std::equal(some.parents.begin() + static_cast<std::ptrdiff_t>(8 * i),
                           some.parents.begin() + static_cast<std::ptrdiff_t>(8 * i + 8),
                           all.parents.begin() + static_cast<std::ptrdiff_t>(8 * at)));
  }
}

TEST_F(VecchiaTest, TheNumberOfThreadsDoesNotShow) {
  const test::SpatialRows data = test::simulate(1000, kTruth, 2, 7, 6);
  const Observations o = make_observations(data.rows(), Space::plane, true);
  const VecchiaFit one = fit(o, terms(o, 9, 1000), kTruth, 0);
  const ThreadPool three(3);
  const VecchiaTerms t = vecchia_terms(o, 9, 1000, 4, three, progress);
  EXPECT_EQ(t.parents, terms(o, 9, 1000).parents);
  const VecchiaFit other = vecchia_fit(o, t, kTruth, 0, three, progress);
  EXPECT_EQ(one.log_likelihood, other.log_likelihood);
  EXPECT_EQ(one.mean, other.mean);
}

TEST_F(VecchiaTest, AColumnThatOthersDetermineGetsNoWeight) {
  test::SpatialRows data = test::simulate(120, kTruth, 1, 0, 7);
  std::vector<double> wide;
  for (const double x : data.features) wide.insert(wide.end(), {x, 3 * x + 1, 5.0});
  const Observations narrow = make_observations(data.rows(), Space::plane, true);
  const VecchiaFit want = fit(narrow, terms(narrow, 9, 200), kTruth, 0);
  data.features = wide;
  data.feature_count = 3;
  const Observations o = make_observations(data.rows(), Space::plane, true);
  const VecchiaFit got = fit(o, terms(o, 9, 200), kTruth, 0);
  EXPECT_NEAR(got.mean[1], want.mean[1], 1e-9);
  EXPECT_EQ(got.mean[2], 0);
  EXPECT_EQ(got.mean[3], 0);
  EXPECT_NEAR(got.log_likelihood, want.log_likelihood, 1e-8);
}

TEST_F(VecchiaTest, RowsThatCoincideWithoutNoiseLeaveItFinite) {
  const test::SpatialRows data = test::simulate(60, kTruth, 1, 2, 8);
  const Observations o = make_observations(data.rows(), Space::plane, true);
  const SpatialModel bare{Covariance::gaussian, 0.2, 1.0, 0.0};
  EXPECT_TRUE(std::isfinite(fit(o, terms(o, 20, 60), bare, 0).log_likelihood));
}

}  // namespace
}  // namespace pegnn
