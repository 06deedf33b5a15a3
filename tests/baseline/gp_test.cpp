// The exact Gaussian process: its mathematics, its inputs and the baseline made of them.

#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "baseline/baseline.h"
#include "baseline/exact_gp.h"
#include "baseline/gp_inputs.h"
#include "baseline/gp_learning.h"
#include "pegnn/error.h"

namespace pegnn {

extern const BaselineEntry gp_baseline;

namespace {

const ThreadPool kPool(2);

// A smooth surface with a feature that helps and one that does not.
struct Data {
  std::vector<Point> points;
  std::vector<double> features, target;

  explicit Data(std::size_t rows, double noise = 0.05) : Data() {
    const Rng rng{3, Stream::sample};
    for (std::size_t i = 0; i < rows; ++i) {
      const Point p{10 + 4 * rng.uniform(0, i), 45 + 4 * rng.uniform(1, i)};
      const double a = rng.normal(2, i), b = rng.normal(3, i);
      add(p, a, b, std::sin(2 * p.x) + std::cos(p.y) + 0.8 * a + noise * rng.normal(4, i));
    }
  }
  Data() = default;

  void add(Point p, double a, double b, double y) {
    points.push_back(p);
    features.insert(features.end(), {a, b});
    target.push_back(y);
  }
  BaselineRows rows() const { return rows(0, points.size()); }
  BaselineRows rows(std::size_t begin, std::size_t end) const {
    return {std::span(points).subspan(begin, end - begin),
            {features.data() + 2 * begin, static_cast<std::int64_t>(end - begin), 2},
            std::span(target).subspan(begin, end - begin)};
  }
};

BaselineSpec spec_for(std::int64_t rows, Options options = {}) {
  gp_baseline.resolve(options, rows);
  return {.options = options, .space = Space::sphere, .features = 2, .target = {}};
}

std::unique_ptr<Baseline> fitted(const BaselineSpec& spec, const BaselineRows& rows,
                                 const ThreadPool& pool = kPool) {
  const RunSettings run;
  FitProgress progress(run);
  auto model = gp_baseline.make(spec);
  model->fit(rows, {}, pool, progress);
  return model;
}

struct Predicted {
  std::vector<double> mean, deviation;
  friend bool operator==(const Predicted&, const Predicted&) = default;
};

Predicted ask(Baseline& model, const BaselineRows& queries, const ThreadPool& pool = kPool) {
  const auto n = static_cast<std::size_t>(queries.rows());
  Predicted p{std::vector<double>(n), std::vector<double>(n)};
  model.predict(queries, pool, p.mean, p.deviation);
  return p;
}

double mean_square_error(const std::vector<double>& got, std::span<const double> want) {
  double sum = 0;
  for (std::size_t i = 0; i < got.size(); ++i) sum += (got[i] - want[i]) * (got[i] - want[i]);
  return sum / static_cast<double>(got.size());
}

// ---- the mathematics

struct Small {
  std::vector<double> x, y;
  Mat<const double> inputs() const { return {x.data(), static_cast<std::int64_t>(y.size()), 2}; }
};

Small small_set(std::size_t rows) {
  const Rng rng{11, Stream::sample};
  Small s;
  for (std::size_t i = 0; i < rows; ++i) {
    s.x.push_back(rng.normal(0, i));
    s.x.push_back(rng.normal(1, i));
    s.y.push_back(1.5 + s.x[2 * i] + 0.5 * rng.normal(2, i));
  }
  return s;
}

TEST(ExactGp, HasTheLikelihoodOfTwoRowsByHand) {
  const std::vector<double> x{0, 1}, y{1, 3};
  GpParameters p{.covariance = Covariance::gaussian,
                 .length_scales = {2.0},
                 .variance = 0.7,
                 .noise = 0.2,
                 .mean = 0.5};
  const double a = 0.9, b = 0.7 * std::exp(-0.125), det = a * a - b * b;
  const double square = (a * (0.25 + 6.25) - 2 * b * 0.5 * 2.5) / det;
  const double want = -0.5 * (square + std::log(det)) - std::log(2 * std::acos(-1.0));
  std::vector<double> work(4);
  const auto got =
      log_marginal_likelihood(kPool, p, false, {x.data(), 2, 1}, y, {work.data(), 2, 2}, {});
  ASSERT_TRUE(got);
  EXPECT_NEAR(want, *got, 1e-13);
}

TEST(ExactGp, GradientsAreThoseOfDifferences) {
  const Small s = small_set(50);
  const auto n = static_cast<std::int64_t>(s.y.size());
  std::vector<double> work(s.y.size() * s.y.size());
  for (const Covariance covariance : {Covariance::exponential, Covariance::matern32,
                                      Covariance::matern52, Covariance::gaussian}) {
    const auto value = [&](const std::vector<double>& theta, std::span<double> gradient) {
      GpParameters p{.covariance = covariance,
                     .length_scales = {std::exp(theta[0]), std::exp(theta[1])},
                     .variance = std::exp(theta[2]),
                     .noise = std::exp(theta[3])};
      return log_marginal_likelihood(kPool, p, true, s.inputs(), s.y, {work.data(), n, n}, gradient)
          .value();
    };
    const std::vector<double> theta{0.2, -0.4, 0.3, -1.5};
    std::vector<double> gradient(4);
    value(theta, gradient);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const double h = 1e-5;
      std::vector<double> up = theta, down = theta;
      up[i] += h;
      down[i] -= h;
      const double difference = (value(up, {}) - value(down, {})) / (2 * h);
      EXPECT_NEAR(difference, gradient[i], 1e-6 * (1 + std::abs(difference)))
          << name_of(covariance) << ", parameter " << i;
    }
  }
}

TEST(ExactGp, TakesTheMeanOfLargestLikelihood) {
  const Small s = small_set(30);
  std::vector<double> work(900);
  GpParameters p{.length_scales = {1.0, 2.0}, .variance = 0.8, .noise = 0.1};
  const auto at_best =
      log_marginal_likelihood(kPool, p, true, s.inputs(), s.y, {work.data(), 30, 30}, {});
  for (const double step : {-0.01, 0.01}) {
    GpParameters q = p;
    q.mean += step;
    EXPECT_LT(log_marginal_likelihood(kPool, q, false, s.inputs(), s.y, {work.data(), 30, 30}, {}),
              at_best);
  }
}

TEST(ExactGp, TellsWhereTheMatrixIsSingularAndRaisesTheNoiseToFactoriseIt) {
  const std::vector<double> x{0, 0, 1}, y{1, 2, 3};
  GpParameters p{.length_scales = {1.0}, .variance = 1, .noise = 0};
  std::vector<double> work(9);
  EXPECT_FALSE(
      log_marginal_likelihood(kPool, p, true, {x.data(), 3, 1}, y, {work.data(), 3, 3}, {}));
  ExactGp gp;
  gp.condition(kPool, p, true, {x.data(), 3, 1}, y);
  EXPECT_GT(gp.parameters().noise, 0);
  EXPECT_LT(gp.parameters().noise, 1e-6);
  std::vector<double> mean(3), variance(3);
  gp.predict(kPool, {x.data(), 3, 1}, mean, variance);
  EXPECT_NEAR(1.5, mean[0], 1e-4) << "rows at one place are averaged";
  EXPECT_NEAR(3.0, mean[2], 1e-4);
}

TEST(ExactGp, PredictionsAreTheSameOnAnyNumberOfThreadsAndOneByOne) {
  const Small s = small_set(300);
  const GpParameters p{.length_scales = {1.0, 2.0}, .variance = 0.8, .noise = 0.1};
  ExactGp one, two;
  one.condition(ThreadPool(1), p, true, s.inputs(), s.y);
  two.condition(ThreadPool(3), p, true, s.inputs(), s.y);
  EXPECT_EQ(one.alpha(), two.alpha());
  std::vector<double> mean(300), variance(300), mean2(300), variance2(300);
  one.predict(ThreadPool(1), s.inputs(), mean, variance);
  two.predict(ThreadPool(3), s.inputs(), mean2, variance2);
  EXPECT_EQ(mean, mean2);
  EXPECT_EQ(variance, variance2);
  for (const std::int64_t row : {0, 17, 299}) {
    double m = 0, v = 0;
    one.predict(kPool, s.inputs().block(row, 1), {&m, 1}, {&v, 1});
    EXPECT_EQ(mean[static_cast<std::size_t>(row)], m);
    EXPECT_EQ(variance[static_cast<std::size_t>(row)], v);
  }
}

TEST(ExactGp, FarAwayItPredictsTheMeanAndTheWholeVariance) {
  const Small s = small_set(20);
  ExactGp gp;
  gp.condition(kPool, {.length_scales = {1.0, 2.0}, .variance = 0.8, .noise = 0.1}, true,
               s.inputs(), s.y);
  const std::vector<double> far{1e200, -1e300};
  double mean = 0, variance = 0;
  gp.predict(kPool, {far.data(), 1, 2}, {&mean, 1}, {&variance, 1});
  EXPECT_EQ(gp.parameters().mean, mean);
  EXPECT_EQ(0.8, variance);
}

// ---- the inputs

TEST(GpInputs, AreOfOrderOneAndKeepTheShapeOfThePlace) {
  const Data data(200);
  GpInputs inputs(spec_for(200));
  inputs.fit(data.rows());
  std::vector<double> values(200 * 5);
  inputs.fill(data.rows(), kPool, {values.data(), 200, 5});
  std::vector<double> square(5, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) square[i % 5] += values[i] * values[i] / 200;
  EXPECT_NEAR(1.0, square[0] + square[1] + square[2], 1e-9);
  EXPECT_NEAR(1.0, square[3], 1e-9);
  EXPECT_NEAR(1.0, square[4], 1e-9);
}

TEST(GpInputs, LengthScalesFollowArd) {
  Options options;
  const auto scales = [&](const char* ard) {
    options.ard = ard;
    const GpInputs inputs(spec_for(10, options));
    std::vector<std::int64_t> found;
    for (std::int64_t c = 0; c < inputs.columns(); ++c) found.push_back(inputs.scale_of(c));
    return found;
  };
  EXPECT_EQ(scales("none"), (std::vector<std::int64_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(scales("features"), (std::vector<std::int64_t>{0, 0, 0, 1, 2}));
  EXPECT_EQ(scales("all"), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

TEST(GpInputs, AColumnThatNeverVariedSaysNothing) {
  Data data;
  for (int i = 0; i < 7; ++i) data.add({1.0 * i, 2}, 0.1, i, 0);
  GpInputs inputs(spec_for(7));
  inputs.fit(data.rows());
  Data other;
  other.add({3, 2}, 55, 3, 0);
  std::vector<double> values(5);
  inputs.fill(other.rows(), kPool, {values.data(), 1, 5});
  EXPECT_EQ(0.0, values[3]);
}

// ---- rows to learn from

TEST(GpLearning, TakesEveryOtherRowNextToTheOneBefore) {
  std::vector<Point> points;  // pairs, far from each other
  for (int i = 0; i < 500; ++i) {
    points.push_back({1.0 * i, 0});
    points.push_back({1.0 * i + 0.01, 0});
  }
  const std::vector<std::int64_t> rows = learning_rows(points, Space::plane, 100, 7, kPool);
  ASSERT_EQ(100U, rows.size());
  for (std::size_t i = 0; i < rows.size(); i += 2) EXPECT_EQ(rows[i] / 2, rows[i + 1] / 2);
  EXPECT_NE(rows, learning_rows(points, Space::plane, 100, 8, kPool)) << "the seed decides";
}

// ---- the baseline

TEST(Gp, FindsASmoothSurfaceAndItsNoise) {
  const Data data(400, 0.1);
  const auto model = fitted(spec_for(300), data.rows(0, 300));
  const Predicted p = ask(*model, data.rows(300, 400));
  EXPECT_LT(mean_square_error(p.mean, data.rows(300, 400).target), 0.03);
  double score = 0;  // squared errors in units of what the model expects
  for (std::size_t i = 0; i < 100; ++i) {
    score += std::pow((p.mean[i] - data.target[300 + i]) / p.deviation[i], 2) / 100;
  }
  EXPECT_GT(score, 0.6);
  EXPECT_LT(score, 1.6);
}

TEST(Gp, DoesNotDependOnTheScaleOfTargetOrFeatures) {
  const Data data(150);
  Data scaled = data;
  for (double& y : scaled.target) y = 4096 * y + 65536;  // powers of two round alike
  for (double& f : scaled.features) f = 1024 * f;
  const Predicted a = ask(*fitted(spec_for(120), data.rows(0, 120)), data.rows(120, 150));
  const Predicted b = ask(*fitted(spec_for(120), scaled.rows(0, 120)), scaled.rows(120, 150));
  for (std::size_t i = 0; i < a.mean.size(); ++i) {
    EXPECT_NEAR(a.mean[i], (b.mean[i] - 65536) / 4096, 1e-4);
    EXPECT_NEAR(a.deviation[i], b.deviation[i] / 4096, 1e-4);
  }
}

TEST(Gp, TheOrderOfTheRowsDoesNotMatter) {
  const Data data(100);
  Data turned;
  for (std::size_t i = 80; i-- > 0;) {
    turned.add(data.points[i], data.features[2 * i], data.features[2 * i + 1], data.target[i]);
  }
  Options few;
  few.gp_rows = 40;
  const BaselineSpec spec = spec_for(80, few);
  EXPECT_EQ(ask(*fitted(spec, data.rows(0, 80)), data.rows(80, 100)),
            ask(*fitted(spec, turned.rows()), data.rows(80, 100)));
}

TEST(Gp, IsTheSameOnAnyNumberOfThreadsAndAfterRestoring) {
  const Data data(120);
  const BaselineSpec spec = spec_for(100);
  const auto model = fitted(spec, data.rows(0, 100), ThreadPool(1));
  const Predicted want = ask(*model, data.rows(100, 120));
  EXPECT_EQ(want, ask(*fitted(spec, data.rows(0, 100), ThreadPool(3)), data.rows(100, 120)));
  Arrays arrays;
  model->store(arrays);
  const auto back = gp_baseline.make(spec);
  back->restore(ArrayReader(arrays, "test"), kPool);
  EXPECT_EQ(want, ask(*back, data.rows(100, 120)));
  EXPECT_EQ(model->summary(), back->summary());
  Arrays again;
  back->store(again);
  EXPECT_EQ(arrays, again);
}

TEST(Gp, RefusesArraysThatDoNotFit) {
  const Data data(20);
  const BaselineSpec spec = spec_for(20);
  Arrays arrays;
  fitted(spec, data.rows())->store(arrays);
  for (const char* broken : {"alpha", "length_scales", "variance", "noise", "inputs"}) {
    Arrays changed;
    for (NamedArray array : arrays.list()) {
      if (array.name == broken) {
        if (array.values.size() == 1) {
          array.values[0] = -1;
        } else if (array.rows == 1) {
          array.values[0] = 0;
        } else {
          array.rows -= 1;
          array.values.resize(static_cast<std::size_t>(array.rows * array.cols));
        }
      }
      changed.push(array);
    }
    EXPECT_THROW(gp_baseline.make(spec)->restore(ArrayReader(changed, "test"), kPool), Error)
        << broken;
  }
}

TEST(Gp, LeftOutPredictionsAreThoseOfAProcessWithoutTheRow) {
  const Data data(60);
  const BaselineSpec spec = spec_for(60);
  const auto model = fitted(spec, data.rows());
  std::vector<std::int64_t> rows{41, 3, 59, 0, 3};
  std::vector<double> got(rows.size());
  model->predict_left_out(rows, kPool, got);

  Arrays arrays;
  model->store(arrays);
  const ArrayReader reader(arrays, "test");
  const GpParameters p{.covariance = Covariance::matern32,
                       .length_scales = reader.matrix("length_scales", 1, 5).values,
                       .variance = reader.number("variance"),
                       .noise = reader.number("noise"),
                       .mean = reader.number("mean")};
  GpInputs inputs(spec);
  inputs.restore(reader);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Data others;
    for (std::size_t j = 0; j < 60; ++j) {
      if (static_cast<std::int64_t>(j) == rows[i]) continue;
      others.add(data.points[j], data.features[2 * j], data.features[2 * j + 1], data.target[j]);
    }
    std::vector<double> values(60 * 5);
    inputs.fill(others.rows(), kPool, {values.data(), 59, 5});
    ExactGp gp;
    gp.condition(kPool, p, false, {values.data(), 59, 5}, others.target);
    const auto row = static_cast<std::size_t>(rows[i]);
    std::vector<double> query(5);
    inputs.fill(data.rows(row, row + 1), kPool, {query.data(), 1, 5});
    double mean = 0;
    gp.predict(kPool, {query.data(), 1, 5}, {&mean, 1}, {});
    EXPECT_NEAR(mean, got[i], 1e-8) << "row " << row;
  }
}

TEST(Gp, AConstantTargetIsPredictedWithCertainty) {
  Data data(30);
  for (double& y : data.target) y = 0.1;
  const auto model = fitted(spec_for(20), data.rows(0, 20));
  const Predicted p = ask(*model, data.rows(20, 30));
  for (const double m : p.mean) EXPECT_NEAR(0.1, m, 1e-15);
  for (const double d : p.deviation) EXPECT_EQ(0.0, d);
  std::vector<double> left_out(1);
  model->predict_left_out(std::vector<std::int64_t>{7}, kPool, left_out);
  EXPECT_EQ(0.1, left_out[0]);
}

void expect_finite(const Data& data) {
  const auto n = static_cast<std::int64_t>(data.points.size());
  const auto model = fitted(spec_for(n), data.rows());
  const Predicted p = ask(*model, Data(5).rows());
  for (const double m : p.mean) EXPECT_TRUE(std::isfinite(m));
  for (const double d : p.deviation) EXPECT_TRUE(std::isfinite(d) && d >= 0);
  std::vector<std::int64_t> all(data.points.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<double> left_out(all.size());
  model->predict_left_out(all, kPool, left_out);
  for (const double m : left_out) EXPECT_TRUE(std::isfinite(m));
  EXPECT_FALSE(model->summary().empty());
}

TEST(Gp, SurvivesDegenerateTables) {
  Data three;
  for (int i = 0; i < 3; ++i) three.add({1.0 * i, 1}, 0, i, i * i);
  expect_finite(three);
  Data one_place;
  for (int i = 0; i < 12; ++i) one_place.add({5, 5}, 0, 0, i % 3);
  expect_finite(one_place);
  Data doubled(20);
  for (std::size_t i = 0; i < 20; ++i) {  // the same rows again
    doubled.add(doubled.points[i], doubled.features[2 * i], doubled.features[2 * i + 1],
                doubled.target[i]);
  }
  expect_finite(doubled);
  Data noise;  // a target that nothing explains
  for (std::size_t i = 0; i < 40; ++i) {
    noise.add({Rng{1}.uniform(0, i), Rng{1}.uniform(1, i)}, 0, 0, Rng{1}.normal(2, i));
  }
  expect_finite(noise);
}

TEST(Gp, RefusesATableWhoseMatrixNoMachineHolds) {
  const std::vector<Point> points(2'000'000);
  const BaselineRows rows{points, {nullptr, 2'000'000, 0}, {}};
  try {
    fitted(spec_for(2'000'000), rows);
    FAIL() << "a matrix of 32 TB is refused";
  } catch (const Error& error) {
    EXPECT_EQ(ErrorKind::memory, error.kind());
    EXPECT_NE(std::string(error.what()).find("svgp"), std::string::npos) << error.what();
  }
}

TEST(ExactGp, HasNoFactorAfterOneThatFailed) {
  ExactGp gp;
  const std::vector<double> x{0, 0, 1};  // two rows at one place, and no noise to tell them apart
  gp.restore({.length_scales = {1.0}, .variance = 1, .noise = 0, .mean = 0}, {x.data(), 3, 1},
             {1, 2, 3});
  std::vector<double> mean(1), variance(1);
  const double query = 0.5;
  for (int time = 0; time < 2; ++time) {
    EXPECT_THROW(gp.predict(kPool, {&query, 1, 1}, mean, variance), Error) << time;
    EXPECT_FALSE(gp.has_factor());
  }
}

TEST(Gp, StopsWhenAsked) {
  const Data data(50);
  RunSettings run;
  run.stop = [] { return true; };
  FitProgress progress(run);
  EXPECT_THROW(gp_baseline.make(spec_for(50))->fit(data.rows(), {}, kPool, progress), Error);
}

TEST(Gp, TellsItsParametersInUnitsOfTheTarget) {
  const Data data(100);
  BaselineSpec spec = spec_for(100);
  const std::string plain = fitted(spec, data.rows())->summary();
  EXPECT_NE(plain.find("matern32, length scale "), std::string::npos) << plain;
  EXPECT_NE(plain.find(" km, features "), std::string::npos) << plain;
  spec.target.linear.scale = 10;
  EXPECT_NE(plain, fitted(spec, data.rows())->summary());
}

}  // namespace
}  // namespace pegnn
