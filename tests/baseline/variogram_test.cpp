#include "baseline/variogram.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/spatial_rows.h"

namespace pegnn {
namespace {

std::vector<VariogramBin> variogram_of(const test::SpatialRows& data, int threads = 1) {
  const ThreadPool pool(threads);
  const RunSettings run;
  const FitProgress progress(run);
  const Observations o = make_observations(data.rows(), Space::plane, false);
  return empirical_variogram(o, measure_spacing(o, 0, pool), 0, pool, progress);
}

TEST(Variogram, OfThreePointsOnALineByHand) {
  const std::vector<VariogramBin> bins =
      variogram_of({.points = {{0, 0}, {1, 0}, {2, 0}}, .features = {}, .target = {1, 3, 4}});
  ASSERT_EQ(bins.size(), 2U);
  EXPECT_DOUBLE_EQ(bins[0].distance, 1);
  EXPECT_DOUBLE_EQ(bins[0].semivariance, 0.5 * (4 + 1) / 2);
  EXPECT_EQ(bins[0].pairs, 2);
  EXPECT_DOUBLE_EQ(bins[1].distance, 2);
  EXPECT_DOUBLE_EQ(bins[1].semivariance, 0.5 * 9);
  EXPECT_EQ(bins[1].pairs, 1);
}

TEST(Variogram, RowsOfOnePlaceCountAsPairsOfRows) {
  const std::vector<VariogramBin> bins =
      variogram_of({.points = {{0, 0}, {0, 0}, {1, 0}}, .features = {}, .target = {1, 3, 7}});
  ASSERT_EQ(bins.size(), 2U);
  EXPECT_EQ(bins[0].distance, 0);
  EXPECT_DOUBLE_EQ(bins[0].semivariance, 0.5 * 4);
  EXPECT_EQ(bins[0].pairs, 1);
  EXPECT_DOUBLE_EQ(bins[1].semivariance, 0.5 * (36 + 16) / 2);
  EXPECT_EQ(bins[1].pairs, 2);
}

TEST(Variogram, OfALargeTableHasShortDistancesToo) {
  const Rng rng{3, Stream::sample};
  test::SpatialRows data;
  for (std::size_t i = 0; i < 4000; ++i) {
    data.points.push_back({rng.uniform(1, i), rng.uniform(2, i)});
    data.target.push_back(rng.normal(3, i));
  }
  const std::vector<VariogramBin> bins = variogram_of(data);
  EXPECT_LT(bins[0].distance, 0.01);
  EXPECT_GT(bins[0].pairs, 500);
  for (const VariogramBin& bin : bins) EXPECT_NEAR(bin.semivariance, 1, 0.15) << bin.distance;
  const std::vector<VariogramBin> other = variogram_of(data, 3);
  ASSERT_EQ(other.size(), bins.size());
  for (std::size_t b = 0; b < bins.size(); ++b) {
    EXPECT_EQ(bins[b].semivariance, other[b].semivariance);
  }
}

class FitToCurve : public ::testing::TestWithParam<Covariance> {};

TEST_P(FitToCurve, FindsTheModelThatMadeIt) {
  const SpatialModel truth{GetParam(), 12, 3, 0.5};
  Array<VariogramBin> bins;
  for (double d = 1; d < 60; d *= 1.3) {
    bins.push_back(
        {d, truth.nugget + truth.sill * (1 - correlation(truth.kernel, d / truth.range)), 100 * d});
  }
  const Spacing spacing{1, 1, 180};
  const RunSettings run;
  FitProgress progress(run);
  const SpatialModel all = fit_by_variogram(bins, truth.kernel, {}, spacing, 4, progress);
  EXPECT_NEAR(all.range, 12, 0.05);
  EXPECT_NEAR(all.sill, 3, 0.02);
  EXPECT_NEAR(all.nugget, 0.5, 0.02);
  const SpatialModel part = fit_by_variogram(bins, truth.kernel, {0, 3, 0.5}, spacing, 4, progress);
  EXPECT_NEAR(part.range, 12, 0.01);
  EXPECT_EQ(part.nugget, 0.5);
  EXPECT_EQ(part.sill, 3);
  EXPECT_EQ(fit_by_variogram(bins, truth.kernel, {0, 0, 0}, spacing, 4, progress).nugget, 0);
}

INSTANTIATE_TEST_SUITE_P(Variogram, FitToCurve,
                         ::testing::Values(Covariance::exponential, Covariance::matern32,
                                           Covariance::matern52, Covariance::gaussian),
                         [](const auto& kernel) { return std::string(name_of(kernel.param)); });

}  // namespace
}  // namespace pegnn
