// The sparse variational Gaussian process as a baseline. Its mathematics: variational_gp_test.cpp.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "baseline/baseline.h"
#include "baseline/inducing.h"
#include "pegnn/error.h"
#include "support/spatial_rows.h"

namespace pegnn {

extern const BaselineEntry svgp_baseline;

namespace {

using test::Asked;
using test::SpatialRows;

const ThreadPool kPool(2);

// A surface of the place and of the first of two features, with noise of deviation `noise`.
SpatialRows surface(std::size_t rows, double noise, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  SpatialRows out;
  out.feature_count = 2;
  for (std::size_t i = 0; i < rows; ++i) {
    const Point p{10 + 4 * rng.uniform(0, i), 45 + 4 * rng.uniform(1, i)};
    const double a = rng.normal(2, i), b = rng.normal(3, i);
    out.points.push_back(p);
    out.features.insert(out.features.end(), {a, b});
    out.target.push_back(std::sin(2 * p.x) + std::cos(p.y) + 0.8 * a + noise * rng.normal(4, i));
  }
  return out;
}

Options quick() {
  Options options;
  options.inducing = 40;
  options.gp_steps = 60;
  return options;
}

std::unique_ptr<Baseline> fitted(Options options, const SpatialRows& data) {
  const RunSettings run;
  FitProgress progress(run);
  svgp_baseline.resolve(options, static_cast<std::int64_t>(data.points.size()));
  auto model = svgp_baseline.make(
      {.options = options, .space = Space::sphere, .features = data.feature_count, .target = {}});
  model->fit(data.rows(), {}, kPool, progress);
  return model;
}

Asked ask(Baseline& model, const SpatialRows& queries) {
  Asked out;
  out.mean.resize(queries.points.size());
  out.deviation.resize(queries.points.size());
  model.predict(queries.rows(), kPool, out.mean, out.deviation);
  return out;
}

double mean_square_error(const Asked& answer, const SpatialRows& truth) {
  double sum = 0;
  for (std::size_t i = 0; i < truth.target.size(); ++i) {
    sum += (answer.mean[i] - truth.target[i]) * (answer.mean[i] - truth.target[i]);
  }
  return sum / static_cast<double>(truth.target.size());
}

const NamedArray& array(const Arrays& arrays, const std::string& name) {
  return *std::find_if(arrays.list().begin(), arrays.list().end(),
                       [&](const NamedArray& a) { return a.name == name; });
}

Arrays stored(const Baseline& model) {
  Arrays arrays;
  model.store(arrays);
  return arrays;
}

TEST(Svgp, PredictsASmoothSurfaceNearlyToItsNoise) {
  const SpatialRows data = surface(300, 0.1, 3), fresh = surface(300, 0, 4);
  for (const char* kernel : {"exponential", "matern32", "matern52", "gaussian"}) {
    Options options = quick();
    options.kernel = kernel;
    const auto model = fitted(options, data);
    // The surface has a variance of about 1.6; forty points with the rough paths of the exponential
    // between them tell it worst.
    const double most = std::string(kernel) == "exponential" ? 0.1 : 0.05;
    EXPECT_LT(mean_square_error(ask(*model, fresh), fresh), most) << kernel;
  }
}

TEST(Svgp, DeviationsAreThoseOfObservations) {
  const SpatialRows data = surface(600, 0.3, 3), fresh = surface(600, 0.3, 4);
  const Asked answer = ask(*fitted(quick(), data), fresh);
  double square = 0;
  for (std::size_t i = 0; i < fresh.target.size(); ++i) {
    const double z = (fresh.target[i] - answer.mean[i]) / answer.deviation[i];
    square += z * z;
  }
  // The mean of 600 squared standard normals has a deviation of 0.06; the bound prefers too much
  // noise to too little.
  EXPECT_GT(square / 600, 0.6);
  EXPECT_LT(square / 600, 1.3);
}

TEST(Svgp, IsLessCertainFarFromTheRows) {
  const auto model = fitted(quick(), surface(300, 0.1, 3));
  SpatialRows places;
  places.feature_count = 2;
  places.points = {{12, 47}, {100, -40}};
  places.features.assign(4, 0.0);
  const Asked answer = ask(*model, places);
  EXPECT_GT(answer.deviation[1], 2 * answer.deviation[0]);
}

TEST(Svgp, LearnsFromBatchesNearlyAsFromAllRows) {
  const SpatialRows data = surface(700, 0.1, 3), fresh = surface(300, 0, 4);
  Options options = quick();
  options.batch = 0;
  const double all = mean_square_error(ask(*fitted(options, data), fresh), fresh);
  options.batch = 200;
  const double batches = mean_square_error(ask(*fitted(options, data), fresh), fresh);
  EXPECT_LT(all, 0.05);
  EXPECT_LT(batches, 0.08);
}

TEST(Svgp, MoreStepsAndMoreInducingPointsTellMore) {
  const SpatialRows data = surface(400, 0.1, 3), fresh = surface(300, 0, 4);
  Options few = quick(), many = quick();
  few.inducing = 8;
  few.gp_steps = 5;
  EXPECT_LT(mean_square_error(ask(*fitted(many, data), fresh), fresh),
            0.5 * mean_square_error(ask(*fitted(few, data), fresh), fresh));
}

TEST(Svgp, AUselessFeatureGetsALongLengthScale) {
  const Arrays arrays = stored(*fitted(quick(), surface(500, 0.1, 3)));
  const std::vector<double>& lengths = array(arrays, "length_scales").values;
  ASSERT_EQ(lengths.size(), 3U);  // the place, the feature that helps, the one that does not
  EXPECT_GT(lengths[2], 2 * lengths[1]);
}

TEST(Svgp, HasOneLengthScaleForAllFeaturesWithoutArd) {
  Options options = quick();
  options.ard = "none";
  const Arrays none = stored(*fitted(options, surface(100, 0.1, 3)));
  EXPECT_EQ(array(none, "length_scales").values.size(), 2U);
  options.ard = "all";
  const Arrays all = stored(*fitted(options, surface(100, 0.1, 3)));
  EXPECT_EQ(array(all, "length_scales").values.size(), 5U);
}

TEST(Svgp, TakesNoMoreInducingPointsThanThereAreDifferentRows) {
  SpatialRows data = surface(12, 0.1, 3);
  for (std::size_t i = 4; i < 12; ++i) {
    data.points[i] = data.points[i % 4];
    std::copy_n(data.features.begin() + static_cast<std::ptrdiff_t>(2 * (i % 4)), 2,
                data.features.begin() + static_cast<std::ptrdiff_t>(2 * i));
  }
  EXPECT_EQ(array(stored(*fitted(quick(), data)), "locations").rows, 4);
}

TEST(Svgp, AnotherSeedDrawsOtherInducingPoints) {
  const SpatialRows data = surface(200, 0.1, 3);
  Options options = quick();
  options.inducing = 20;
  options.gp_steps = 2;
  const Arrays first = stored(*fitted(options, data)), again = stored(*fitted(options, data));
  options.seed = 1;
  const Arrays other = stored(*fitted(options, data));
  EXPECT_TRUE(first == again);
  EXPECT_NE(array(first, "locations").values, array(other, "locations").values);
}

TEST(Svgp, ResolvesWhatWasLeftToIt) {
  Options options;
  svgp_baseline.resolve(options, 100);
  EXPECT_EQ(options.kernel, "matern32");
  EXPECT_GT(options.gp_steps, 0);
  EXPECT_EQ(options.inducing, 100);
  options.gp_steps = 7;
  svgp_baseline.resolve(options, 100);
  EXPECT_EQ(options.gp_steps, 7);
}

TEST(Svgp, RefusesALengthScaleThatIsNotPositive) {
  const SpatialRows data = surface(40, 0.1, 3);
  const Arrays good = stored(*fitted(quick(), data));
  for (const auto& [name, value] :
       {std::pair{"length_scales", 0.0}, {"variance", -1.0}, {"noise", -1.0}}) {
    Arrays bad;
    for (NamedArray a : good.list()) {
      if (a.name == name) a.values[0] = value;
      bad.push(std::move(a));
    }
    const auto model = fitted(quick(), data);
    EXPECT_THROW(model->restore({bad, "test"}, kPool), Error) << name;
  }
}

TEST(Svgp, InducingPointsAreDrawnFromCrowdsAndOutliersAlike) {
  // Ninety rows within 1, ten far apart: all but one of the first are nearly known from the others.
  std::vector<double> x;
  for (int i = 0; i < 90; ++i) x.push_back(i / 90.0);
  for (int i = 0; i < 10; ++i) x.push_back(100 + 10 * i);
  const std::vector<double> lengths{1};
  const Mat<const double> inputs(x.data(), 100, 1);
  const auto rows = draw_inducing(kPool, Covariance::gaussian, inputs, lengths, 14, 0);
  ASSERT_EQ(rows.size(), 14U);
  EXPECT_EQ(std::set<std::int64_t>(rows.begin(), rows.end()).size(), 14U);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](std::int64_t r) { return r >= 90; }), 10);
}

}  // namespace
}  // namespace pegnn
