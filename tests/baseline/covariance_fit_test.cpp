#include "baseline/covariance_fit.h"

#include <vector>

#include <gtest/gtest.h>

#include "support/spatial_rows.h"

namespace pegnn {
namespace {

constexpr SpatialModel kTruth{Covariance::exponential, 0.08, 4.0, 1.0};

SpatialModel fitted(const test::SpatialRows& data, const GivenCovariance& given) {
  const ThreadPool pool(1);
  const RunSettings run;
  FitProgress progress(run);
  const Observations o = make_observations(data.rows(), Space::plane, false);
  const VecchiaTerms terms = vecchia_terms(o, 12, 1000, 0, pool, progress);
  return fit_by_likelihood(o, terms, kTruth.kernel, given, measure_spacing(o, 0, pool), pool,
                           progress)
      .model;
}

// The likelihood of the fit against that of another model, which must not be better.
double log_likelihood(const test::SpatialRows& data, const SpatialModel& model) {
  const ThreadPool pool(1);
  const RunSettings run;
  const FitProgress progress(run);
  const Observations o = make_observations(data.rows(), Space::plane, false);
  const VecchiaTerms terms = vecchia_terms(o, 12, 1000, 0, pool, progress);
  return vecchia_fit(o, terms, model, model.variance(), pool, progress).log_likelihood;
}

TEST(CovarianceFit, FindsWhatTheFieldWasDrawnFrom) {
  const test::SpatialRows data = test::simulate(1000, kTruth, 0, 4, 11);
  const SpatialModel found = fitted(data, {});
  // A thousand correlated rows determine range and sill to a factor, the noise better.
  EXPECT_GT(found.range, kTruth.range / 1.8);
  EXPECT_LT(found.range, kTruth.range * 1.8);
  EXPECT_GT(found.sill, kTruth.sill / 1.6);
  EXPECT_LT(found.sill, kTruth.sill * 1.6);
  EXPECT_NEAR(found.nugget, kTruth.nugget, 0.25);
  EXPECT_GE(log_likelihood(data, found), log_likelihood(data, kTruth));
}

TEST(CovarianceFit, NoNeighbouringModelIsMoreLikely) {
  const test::SpatialRows data = test::simulate(400, kTruth, 0, 4, 12);
  const SpatialModel found = fitted(data, {});
  const double best = log_likelihood(data, found);
  for (const double factor : {0.95, 1.05}) {
    EXPECT_LT(log_likelihood(data, {found.kernel, factor * found.range, found.sill, found.nugget}),
              best);
    EXPECT_LT(log_likelihood(data, {found.kernel, found.range, factor * found.sill, found.nugget}),
              best);
    EXPECT_LT(log_likelihood(data, {found.kernel, found.range, found.sill, factor * found.nugget}),
              best);
  }
}

TEST(CovarianceFit, WhatIsGivenStaysAndTheRestFollows) {
  const test::SpatialRows data = test::simulate(300, kTruth, 0, 4, 13);
  const std::vector<GivenCovariance> cases = {{0.05, 0, -1}, {0, 2, -1},   {0, 0, 0.5},
                                              {0, 0, 0},     {0, 3, 0},    {0, 3, 1},
                                              {0.05, 0, 1},  {0.05, 3, -1}};
  for (const GivenCovariance& given : cases) {
    const SpatialModel found = fitted(data, given);
    EXPECT_TRUE(given.range == 0 || found.range == given.range);
    EXPECT_TRUE(given.sill == 0 || found.sill == given.sill);
    EXPECT_TRUE(given.nugget < 0 || found.nugget == given.nugget);
    EXPECT_GT(found.range, 0);
    EXPECT_GT(found.sill, 0);
    EXPECT_GE(found.nugget, 0);
    EXPECT_LT(found.variance(), 100);
  }
}

TEST(CovarianceFit, GivenParametersAreInUnitsOfTheTarget) {
  Options options;
  options.range = 7;
  options.sill = 8;
  options.nugget = 4;
  const GivenCovariance given = given_covariance(options, {100, 2});
  EXPECT_EQ(given.range, 7);
  EXPECT_EQ(given.sill, 2);
  EXPECT_EQ(given.nugget, 1);
  EXPECT_TRUE(given.complete());
  options.nugget = -1;
  EXPECT_FALSE(given_covariance(options, {100, 2}).complete());
}

TEST(CovarianceFit, ScalingTheTargetScalesTheVariances) {
  test::SpatialRows data = test::simulate(300, kTruth, 0, 4, 14);
  const SpatialModel plain = fitted(data, {});
  for (double& y : data.target) y = 1e4 * y + 5e6;
  const SpatialModel scaled = fitted(data, {});
  // The likelihood is flat where it is largest: its seventh digit is a per cent of the range.
  EXPECT_NEAR(scaled.range / plain.range, 1, 1e-2);
  EXPECT_NEAR(scaled.sill / plain.sill / 1e8, 1, 1e-2);
  EXPECT_NEAR(scaled.nugget / plain.nugget / 1e8, 1, 1e-2);
}

// So that one tolerance fits all tables, and losses can be compared.
TEST(CovarianceFit, TheLossDoesNotDependOnTheUnitOfTheTarget) {
  const ThreadPool pool(1);
  const RunSettings run;
  std::vector<double> first;
  for (const double unit : {1.0, 1e-6, 1e9}) {
    test::SpatialRows data = test::simulate(300, kTruth, 0, 4, 13);
    for (double& y : data.target) y *= unit;
    FitProgress progress(run);
    const Observations o = make_observations(data.rows(), Space::plane, false);
    const VecchiaTerms terms = vecchia_terms(o, 12, 1000, 0, pool, progress);
    fit_by_likelihood(o, terms, kTruth.kernel, {}, measure_spacing(o, 0, pool), pool, progress);
    first.push_back(progress.curve().front().loss);
  }
  EXPECT_NEAR(first[0], first[1], 1e-9);
  EXPECT_NEAR(first[0], first[2], 1e-9);
}

}  // namespace
}  // namespace pegnn
