#include "baseline/kriging_model.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "baseline/kriging_weights.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

KrigingModel fitted(const test::SpatialRows& data, std::int64_t k = 12,
                    const std::string& kernel = "auto", int threads = 1,
                    const KrigingSample& sample = {}, Space space = Space::plane) {
  const ThreadPool pool(threads);
  const RunSettings run;
  FitProgress progress(run);
  BaselineSpec spec;
  spec.options.k = k;
  spec.options.kernel = kernel;
  spec.space = space;
  spec.features = data.feature_count;
  return fit_kriging_model(data.rows(), spec, pool, progress, sample);
}

void expect_same(const KrigingModel& a, const KrigingModel& b) {
  EXPECT_EQ(a.process.kernel, b.process.kernel);
  EXPECT_EQ(a.process.range, b.process.range);
  EXPECT_EQ(a.process.sill, b.process.sill);
  EXPECT_EQ(a.process.nugget, b.process.nugget);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.left_out_error, b.left_out_error);
}

void expect_usable(const KrigingModel& model, std::int64_t features) {
  EXPECT_GT(model.process.range, 0);
  EXPECT_TRUE(std::isfinite(model.process.range));
  EXPECT_GE(model.process.sill, 0);
  EXPECT_GE(model.process.nugget, 0);
  EXPECT_TRUE(std::isfinite(model.process.variance()));
  ASSERT_EQ(std::ssize(model.mean), features + 1);
  for (const double b : model.mean) EXPECT_TRUE(std::isfinite(b));
  EXPECT_TRUE(std::isfinite(model.left_out_error));
}

TEST(KrigingModel, TellsARoughFieldFromASmoothOne) {
  const test::SpatialRows rough =
      test::simulate(900, {Covariance::exponential, 0.3, 1.0, 0.001}, 0, 0, 1);
  EXPECT_EQ(fitted(rough).process.kernel, Covariance::exponential);
  const test::SpatialRows smooth =
      test::simulate(900, {Covariance::matern52, 0.3, 1.0, 0.0}, 0, 0, 2);
  const KrigingModel found = fitted(smooth);
  EXPECT_EQ(found.process.kernel, Covariance::matern52);
  // Which pays.
  EXPECT_LT(found.left_out_error, 0.5 * fitted(smooth, 12, "exponential").left_out_error);
}

TEST(KrigingModel, TakesTheKernelItIsGiven) {
  const test::SpatialRows data =
      test::simulate(200, {Covariance::exponential, 0.3, 1.0, 0.1}, 0, 0, 3);
  for (const char* kernel : {"exponential", "matern32", "matern52", "gaussian"}) {
    EXPECT_EQ(name_of(fitted(data, 12, kernel).process.kernel), std::string(kernel));
  }
}

TEST(KrigingModel, CoefficientsAreOfFeaturesAsTheyCome) {
  test::SpatialRows data = test::simulate(800, {Covariance::exponential, 0.2, 1.0, 0.2}, 2, 9, 4);
  for (double& x : data.features) x += 10;
  const KrigingModel model = fitted(data);
  EXPECT_NEAR(model.mean[1], 1, 0.2);
  EXPECT_NEAR(model.mean[2], 2, 0.2);
  EXPECT_NEAR(model.mean[0], -30, 4);  // less 10 times either
}

TEST(KrigingModel, TheErrorIsThatOfRowsPredictedWithoutThemselves) {
  const test::SpatialRows data =
      test::simulate(70, {Covariance::exponential, 0.3, 1.0, 0.1}, 1, 0, 5);
  constexpr std::int64_t kNeighbours = 9;
  const KrigingModel model = fitted(data, kNeighbours);
  const ThreadPool pool(1);
  double sum = 0;
  for (std::size_t left = 0; left < 70; ++left) {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < 70; ++i) {
      if (i != left) rest.push_back(i);
    }
    const test::SpatialRows others = data.picked(rest);
    NearestIndex index;
    index.build(others.points, Space::plane, pool);
    Neighbours found;
    index.search({&data.points[left], 1}, kNeighbours, false, pool, found);
    std::vector<float> weights(kNeighbours), variance(1);
    KrigingWeights(model.process, Space::plane)
        .solve({&data.points[left], 1}, found, places_of(Space::plane, others.points), pool,
               weights, variance);
    double mean = model.mean[0] + model.mean[1] * data.features[left];
    for (std::size_t j = 0; j < kNeighbours; ++j) {
      const auto row = static_cast<std::size_t>(found.rows[j]);
      mean += static_cast<double>(weights[j]) *
              (others.target[row] - model.mean[0] - model.mean[1] * others.features[row]);
    }
    sum += (mean - data.target[left]) * (mean - data.target[left]);
  }
  EXPECT_NEAR(model.left_out_error, sum / 70, 1e-6 * sum / 70);
}

TEST(KrigingModel, NothingDependsOnTheOrderOfTheRowsOrTheThreads) {
  std::vector<std::size_t> turned(600);
  for (std::size_t i = 0; i < 600; ++i) turned[i] = (i * 7) % 600;
  const auto check = [&](const KrigingSample& sample, std::size_t repeat) {
    const test::SpatialRows data =
        test::simulate(600, {Covariance::matern32, 0.2, 1.0, 0.1}, 2, repeat, 6);
    const KrigingModel want = fitted(data, 12, "auto", 1, sample);
    expect_same(fitted(data, 12, "auto", 3, sample), want);
    expect_same(fitted(data.picked(turned), 12, "auto", 1, sample), want);
  };
  check({}, 7);
  check({400, 4, 120}, 0);  // by neighbourhoods, without rows at the same distance
}

TEST(KrigingModel, NeighbourhoodsTellWhatAllRowsDo) {
  const SpatialModel truth{Covariance::matern52, 0.1, 1.0, 0.01};
  const test::SpatialRows data = test::simulate(1500, truth, 1, 0, 7);
  const KrigingModel part = fitted(data, 12, "auto", 1, {1000, 8, 100});
  EXPECT_NE(part.process.kernel, Covariance::exponential);
  EXPECT_NEAR(part.mean[1], 1, 0.1);
  // Rows of the table are as near to each other there; the error would be much greater if not.
  const KrigingModel whole = fitted(data);
  EXPECT_NEAR(part.left_out_error / whole.left_out_error, 1, 0.3);
  EXPECT_NEAR(part.process.nugget, truth.nugget, 0.005);
}

TEST(KrigingModel, SeesTheGlobe) {
  test::SpatialRows data = test::simulate(300, {Covariance::exponential, 0.3, 1.0, 0.1}, 0, 0, 8);
  for (Point& p : data.points) p = {p.x < 0.5 ? 180 - p.x : p.x - 181, 88.5 + 1.5 * p.y};
  data.points[0].y = 90;
  expect_usable(fitted(data, 12, "auto", 1, {}, Space::sphere), 0);
}

TEST(KrigingModel, TheLeastOfTablesGivesFiniteNumbers) {
  for (const std::int64_t features : {0, 2}) {
    for (const std::size_t n : {2U, 3U, 4U, 8U, 9U, 20U}) {
      SCOPED_TRACE(n);
      test::SpatialRows data =
          test::simulate(n, {Covariance::exponential, 0.3, 1.0, 0.1}, features, 0, 9);
      expect_usable(fitted(data, 24), features);
      test::SpatialRows flat = data;
      for (Point& p : flat.points) p = {3, 4};
      expect_usable(fitted(flat, 24), features);
      test::SpatialRows constant = data;
      for (double& y : constant.target) y = 5;
      const KrigingModel model = fitted(constant, 24);
      expect_usable(model, features);
      EXPECT_EQ(model.mean[0], 5);
      EXPECT_NEAR(model.left_out_error, 0, 1e-10);
    }
  }
}

TEST(KrigingModel, FeaturesThatSayTheSameTwiceDoNoHarm) {
  test::SpatialRows data = test::simulate(150, {Covariance::exponential, 0.3, 1.0, 0.1}, 1, 0, 10);
  std::vector<double> wide;
  for (const double x : data.features) wide.insert(wide.end(), {x, 2 * x - 1, 7.0});
  const double once = fitted(data).left_out_error;
  data.features = wide;
  data.feature_count = 3;
  const KrigingModel model = fitted(data);
  expect_usable(model, 3);
  EXPECT_NEAR(model.left_out_error, once, 1e-4 * once);
}

// Rows with features, whose labels are noise of variance 1 alone.
test::SpatialRows noise(std::size_t n, std::int64_t features, std::uint64_t seed) {
  test::SpatialRows data =
      test::simulate(n, {Covariance::exponential, 0.3, 1.0, 0.1}, features, 0, seed);
  const Rng rng{seed, Stream::sample};
  for (std::size_t i = 0; i < n; ++i) data.target[i] = 3 + rng.normal(99, i);
  return data;
}

TEST(KrigingModel, NoiseIsPredictedByItsMean) {
  int fields = 0;
  double excess = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const KrigingModel model = fitted(noise(60, 4, seed), 24);
    fields += model.process.sill > 0;
    // What the mean adds to the error of a new row: features have variance 1/3.
    excess += (model.mean[0] - 3) * (model.mean[0] - 3) / 20;
    for (std::size_t f = 1; f < 5; ++f) excess += model.mean[f] * model.mean[f] / 60;
  }
  EXPECT_LE(fields, 5);
  EXPECT_LT(excess, 0.045);  // 1/60 is the intercept's; free slopes would have 4/60 more
}

TEST(KrigingModel, AFieldIsKeptWhereThereIsOne) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const test::SpatialRows data =
        test::simulate(60, {Covariance::matern32, 0.4, 1.0, 0.1}, 2, 0, seed);
    EXPECT_GT(fitted(data, 24).process.sill, 0);
  }
}

TEST(KrigingModel, MoreFeaturesThanRowsAreLeftOut) {
  const KrigingModel model = fitted(noise(20, 19, 1));
  expect_usable(model, 19);
  for (std::size_t f = 1; f < 20; ++f) EXPECT_EQ(model.mean[f], 0);
  expect_usable(fitted(noise(20, 18, 1)), 18);
}

}  // namespace
}  // namespace pegnn
