// What is special to boosted trees; the rest is in conformance_test.cpp.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "baseline/baseline.h"
#include "baseline/tree_learner.h"
#include "pegnn/error.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

using test::SpatialRows;

class Boosting : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_learn_trees()) GTEST_SKIP() << "this build has no XGBoost";
  }

  static Options options(std::int64_t trees, double rate, std::int64_t leaves = 31) {
    Options o;
    o.trees = trees;
    o.tree_rate = rate;
    o.tree_leaves = leaves;
    return o;
  }

  struct Outcome {
    std::unique_ptr<Baseline> made;
    std::vector<TrainProgress> curve;
    std::int64_t best_step = 0;
    double best_validation = 0;
  };
  static Outcome fit(const Options& options, const SpatialRows& rows, const SpatialRows& held,
                     Space space = Space::plane) {
    Outcome out{find_baseline("boosting")->make({options, space, rows.feature_count, {}}), {}};
    const RunSettings run;
    FitProgress progress(run);
    out.made->fit(rows.rows(), held.rows(), ThreadPool(1), progress);
    out.curve = progress.curve();
    out.best_step = progress.best_step();
    out.best_validation = progress.best_validation();
    return out;
  }

  static std::vector<double> ask(Baseline& made, const SpatialRows& queries) {
    std::vector<double> mean(queries.points.size());
    made.predict(queries.rows(), ThreadPool(1), mean, {});
    return mean;
  }
};

// A step along x: 0 to the left of it, 1 to the right.
SpatialRows step(std::size_t rows) {
  SpatialRows out;
  for (std::size_t i = 0; i < rows; ++i) {
    out.points.push_back({static_cast<double>(i), 5});
    out.target.push_back(i < rows / 2 ? 0 : 1);
  }
  return out;
}

SpatialRows noise(std::size_t rows, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  SpatialRows out;
  for (std::size_t i = 0; i < rows; ++i) {
    out.points.push_back({rng.uniform(1, i), rng.uniform(2, i)});
    out.target.push_back(std::sin(6 * out.points[i].x) + 0.5 * rng.normal(3, i));
  }
  return out;
}

TEST_F(Boosting, OneHugeValueDoesNotHideTheOthersOfItsColumn) {
  SpatialRows rows;
  rows.feature_count = 1;
  for (std::size_t i = 0; i < 200; ++i) {
    rows.points.push_back({0, static_cast<double>(i % 7)});
    rows.features.push_back(static_cast<double>(i % 2));
    rows.target.push_back(static_cast<double>(i % 2));
  }
  rows.features[0] = 1e15;
  const Outcome out = fit(options(60, 0.3), rows, {});
  const std::vector<double> mean = ask(*out.made, rows.picked({10, 11}));
  EXPECT_NEAR(0, mean[0], 0.1);
  EXPECT_NEAR(1, mean[1], 0.1);
}

TEST_F(Boosting, OneTreeTakesTheShrunkenMeanOfItsLeaves) {
  // Mean 0.5; the residuals +-0.5 of four rows each end in one leaf, which answers
  // sum / (rows + 1), the 1 being the library's ridge on a leaf: 0.5 * 4 / 5 = 0.4.
  const Outcome out = fit(options(1, 1.0), step(8), {});
  SpatialRows queries;
  queries.points = {{-100, 5}, {3, 5}, {4, 5}, {1e40, 5}};
  const std::vector<double> got = ask(*out.made, queries);
  const double want[] = {0.1, 0.1, 0.9, 0.9};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(got[i], want[i], 1e-6);
}

TEST_F(Boosting, ALeafTakesTheWeightedMeanOfItsRows) {
  // Two rows at each of two places; weights of 3 to 1. The tree parts the places: a leaf answers
  // sum w r / (sum w + 1) of the scaled residuals.
  SpatialRows rows;
  for (const double x : {0.0, 1.0}) {
    for (const double y : {0.0, 1.0}) {
      rows.points.push_back({x, 5});
      rows.target.push_back(x + y);
      rows.weight.push_back(y == 0 ? 1.5 : 0.5);
    }
  }
  const std::vector<double> got = ask(*fit(options(1, 1.0, 2), rows, {}).made, rows);
  // The weighted mean is 0.75; those of the places are 0.25 and 1.25, shrunken by 2 / 3.
  EXPECT_NEAR(got[0], 0.75 - 0.5 * 2 / 3, 1e-6);
  EXPECT_NEAR(got[2], 0.75 + 0.5 * 2 / 3, 1e-6);
}

TEST_F(Boosting, HeldRowsJudgeByTheirWeights) {
  const SpatialRows rows = noise(120, 1);
  SpatialRows held = noise(60, 2);
  const Outcome plain = fit(options(40, 0.2), rows, held);
  // As good as the first half alone.
  std::vector<std::size_t> half;
  for (std::size_t i = 0; i < 60; ++i) {
    if (i < 30) half.push_back(i);
    held.weight.push_back(i < 30 ? 2 - 1e-12 : 1e-12);
  }
  const Outcome weighed = fit(options(40, 0.2), rows, held);
  const Outcome first = fit(options(40, 0.2), rows, noise(60, 2).picked(half));
  EXPECT_NEAR(weighed.curve[9].validation, first.curve[9].validation, 1e-6);
  EXPECT_GT(std::abs(weighed.curve[9].validation - plain.curve[9].validation), 1e-4);
}

TEST_F(Boosting, TheRateIsTheShareOfATreeThatIsTaken) {
  const Outcome out = fit(options(1, 0.25), step(8), {});
  SpatialRows queries;
  queries.points = {{0, 5}, {7, 5}};
  const std::vector<double> got = ask(*out.made, queries);
  EXPECT_NEAR(got[0], 0.5 - 0.25 * 0.4, 1e-6);
  EXPECT_NEAR(got[1], 0.5 + 0.25 * 0.4, 1e-6);
}

TEST_F(Boosting, ATreeHasNoMoreLeavesThanAllowed) {
  const SpatialRows rows = noise(200, 1);
  for (const std::int64_t leaves : {2, 5}) {
    std::vector<double> got = ask(*fit(options(1, 1.0, leaves), rows, {}).made, rows);
    std::sort(got.begin(), got.end());
    got.erase(std::unique(got.begin(), got.end()), got.end());
    EXPECT_EQ(static_cast<std::int64_t>(got.size()), leaves);
  }
}

TEST_F(Boosting, KeepsTheTreesUpToTheLowestErrorOnTheHeldRows) {
  const SpatialRows rows = noise(120, 1), held = noise(60, 2);
  const Outcome out = fit(options(2000, 0.2), rows, held);
  std::size_t best = 0;
  for (std::size_t i = 0; i < out.curve.size(); ++i) {
    if (out.curve[i].validation < out.curve[best].validation) best = i;
  }
  EXPECT_EQ(out.curve.size(), best + 1 + 50);  // looked on for 50 rounds
  EXPECT_EQ(out.curve.front().steps, 2000);
  EXPECT_EQ(out.best_step, static_cast<std::int64_t>(best) + 1);
  EXPECT_EQ(out.best_validation, out.curve[best].validation);
  EXPECT_EQ(out.made->summary(), std::to_string(best + 1) + " trees of up to 31 leaves");
  // The same trees come of asking for just that many.
  const Outcome exact = fit(options(static_cast<std::int64_t>(best) + 1, 0.2), rows, held);
  EXPECT_EQ(ask(*out.made, held), ask(*exact.made, held));
}

double mean_squared_error(const std::vector<double>& got, const SpatialRows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < got.size(); ++i) sum += std::pow(got[i] - rows.target[i], 2);
  return sum / static_cast<double>(got.size());
}

TEST_F(Boosting, TheCurveIsTheMeanSquaredErrorOfTheRowsLearnedFromAndOfThoseHeldBack) {
  const SpatialRows rows = noise(120, 1), held = noise(60, 2);
  const Outcome out = fit(options(1, 0.2), rows, held);
  EXPECT_NEAR(out.curve.back().loss, mean_squared_error(ask(*out.made, rows), rows), 1e-6);
  EXPECT_NEAR(out.curve.back().validation, mean_squared_error(ask(*out.made, held), held), 1e-6);
}

TEST_F(Boosting, WithoutHeldRowsThereIsNoErrorOnThem) {
  const SpatialRows rows = noise(120, 1);
  const Outcome out = fit(options(3, 0.2), rows, {});
  EXPECT_NEAR(out.curve.back().loss, mean_squared_error(ask(*out.made, rows), rows), 1e-6);
  EXPECT_TRUE(std::isnan(out.curve.back().validation));
  EXPECT_TRUE(std::isnan(out.best_validation));
  EXPECT_EQ(out.best_step, 3);
}

TEST_F(Boosting, WithoutHeldRowsTheRateDecidesHowManyTreesThereAre) {
  EXPECT_EQ(fit(options(2000, 0.5), noise(50, 1), {}).curve.size(), 30U);
  EXPECT_EQ(fit(options(12, 0.5), noise(50, 1), {}).curve.size(), 12U);
}

TEST_F(Boosting, ARegionAcrossTheAntimeridianIsOneRegion) {
  // High between 170 and -170, low elsewhere: one cut across the globe is enough.
  SpatialRows rows;
  for (int x = -179; x < 180; x += 2) {
    rows.points.push_back({static_cast<double>(x), 0});
    rows.target.push_back(std::abs(x) > 170 ? 1 : 0);
  }
  const Outcome out = fit(options(1, 1.0, 2), rows, {}, Space::sphere);
  SpatialRows queries;
  queries.points = {{175, 0}, {180, 0}, {-180, 0}, {-175, 0}, {150, 0}, {-150, 0}};
  const std::vector<double> got = ask(*out.made, queries);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(got[i], got[0]);
  EXPECT_GT(got[0], 0.8);
  EXPECT_LT(got[4], 0.1);
  EXPECT_LT(got[5], 0.1);
}

TEST_F(Boosting, TheAntimeridianHasOneLongitude) {
  // High in the east, low in the west: cut by longitude, 180 and -180 would be far apart.
  SpatialRows rows;
  for (int x = -179; x < 180; x += 2) {
    rows.points.push_back({static_cast<double>(x), 0});
    rows.target.push_back(x > 0 ? 1 : 0);
  }
  const Outcome out = fit(options(30, 0.5), rows, {}, Space::sphere);
  SpatialRows queries;
  queries.points = {{180, 0}, {-180, 0}};
  const std::vector<double> got = ask(*out.made, queries);
  EXPECT_EQ(got[0], got[1]);
}

TEST_F(Boosting, TellsNearPlacesFarFromZeroApart) {
  // As projected coordinates are: a metre's difference at five million metres.
  SpatialRows rows = step(20);
  for (Point& p : rows.points) p = {5e6 + 0.1 * p.x, 6e6};
  const std::vector<double> got = ask(*fit(options(1, 1.0), rows, {}).made, rows);
  EXPECT_LT(got[9], 0.2);
  EXPECT_GT(got[10], 0.8);
}

#ifdef __linux__
TEST_F(Boosting, StartsNoThreadsOfItsOwn) {
  // The library would start as many as there are cores, and let them spin.
  const auto threads = [] {
    const std::filesystem::directory_iterator all("/proc/self/task");
    return std::distance(begin(all), end(all));
  };
  const auto before = threads();
  const SpatialRows rows = noise(300, 1);
  const Outcome out = fit(options(20, 0.2), rows, noise(30, 2));
  Arrays stored;
  out.made->store(stored);
  const auto back = find_baseline("boosting")->make({options(20, 0.2), Space::plane, 0, {}});
  back->restore({stored, "test"}, ThreadPool(1));
  EXPECT_EQ(ask(*out.made, rows), ask(*back, rows));
  EXPECT_EQ(threads(), before);
}
#endif

TEST_F(Boosting, RefusesTreesLearnedFromMoreColumns) {
  SpatialRows rows = noise(30, 1);
  rows.feature_count = 1;  // which alone says what the target is
  for (const double y : rows.target) rows.features.push_back(y);
  Arrays stored, narrower;
  fit(options(2, 0.5), rows, {}).made->store(stored);
  for (NamedArray array : stored.list()) {
    if (array.name == "columns") {
      array.rows = 2;
      array.values.resize(4);
    }
    narrower.push(std::move(array));
  }
  const auto made = find_baseline("boosting")->make({options(2, 0.5), Space::plane, 0, {}});
  try {
    made->restore({narrower, "test"}, ThreadPool(1));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::model);
    EXPECT_NE(std::string(e.what()).find("asks for a column that is not there"), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace pegnn
