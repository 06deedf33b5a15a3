// What must hold for every baseline in baselines.def, with no line added per baseline.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "baseline/baseline.h"
#include "pegnn/error.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

using test::Asked;
using test::SpatialRows;

// A smooth surface with a little noise, in a box of a few degrees or of as many units; the first
// feature helps, the others do not.
SpatialRows surface(std::size_t rows, std::int64_t features, std::uint64_t seed = 1) {
  const Rng rng{seed, Stream::sample};
  SpatialRows out;
  out.feature_count = features;
  for (std::size_t i = 0; i < rows; ++i) {
    const Point p{8 + 5 * rng.uniform(1, i), 45 + 4 * rng.uniform(2, i)};
    double y = std::sin(p.x) + std::cos(1.5 * p.y) + 0.1 * rng.normal(3, i);
    for (std::int64_t f = 0; f < features; ++f) {
      out.features.push_back(rng.normal(4 + static_cast<std::uint64_t>(f), i));
      if (f == 0) y += 0.5 * out.features.back();
    }
    out.points.push_back(p);
    out.target.push_back(y);
  }
  return out;
}

struct Case {
  Space space;
  std::int64_t features;
};
constexpr Case kCases[] = {
    {Space::sphere, 0}, {Space::sphere, 2}, {Space::plane, 0}, {Space::plane, 2}};

bool finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

class EveryBaseline : public testing::TestWithParam<const BaselineEntry*> {
 protected:
  using Made = std::unique_ptr<Baseline>;

  const BaselineEntry& entry() const { return *GetParam(); }

  // Small enough for a test of well under a second.
  BaselineSpec spec(const Case& c, std::int64_t rows) const {
    BaselineSpec spec;
    spec.options.model = entry().info.name;
    spec.options.gp_steps = 30;
    spec.options.gp_rows = 128;
    spec.options.inducing = 16;
    spec.options.trees = 20;
    entry().resolve(spec.options, rows);
    spec.space = c.space;
    spec.features = c.features;
    return spec;
  }

  // Held rows are of another draw of the same surface.
  Made fit(const Case& c, const SpatialRows& data, int threads = 1, const RunSettings& run = {},
           std::int64_t* steps = nullptr) const {
    const auto rows = static_cast<std::int64_t>(data.points.size());
    Made made = entry().make(spec(c, rows));
    const SpatialRows held = surface(entry().holds_back ? 8 : 0, c.features, 99);
    FitProgress progress(run);
    made->fit(data.rows(), held.rows(), ThreadPool(threads), progress);
    if (steps != nullptr) *steps = progress.steps_taken();
    return made;
  }

  Asked ask(const Baseline& made, const SpatialRows& queries, int threads = 1) const {
    Asked out;
    out.mean.resize(queries.points.size(), std::nan(""));
    if (entry().gives_deviation) out.deviation.resize(queries.points.size(), std::nan(""));
    BaselineRows rows = queries.rows();
    rows.target = {};
    made.predict(rows, ThreadPool(threads), out.mean, out.deviation);
    return out;
  }

  void expect_sound(const Asked& answer, const std::string& where) const {
    EXPECT_TRUE(finite(answer.mean)) << where;
    EXPECT_TRUE(finite(answer.deviation)) << where;
    for (const double d : answer.deviation) EXPECT_GE(d, 0.0) << where;
  }

  // Learns from `data` in every space, with and without features, and is asked there and elsewhere.
  void expect_sound_on(const std::function<void(SpatialRows&)>& change, std::size_t rows) const {
    for (const Case& c : kCases) {
      SpatialRows data = surface(rows, c.features);
      change(data);
      const Made made = fit(c, data);
      const std::string where =
          std::string(name_of(c.space)) + ", " + std::to_string(c.features) + " features";
      expect_sound(ask(*made, data), where + ", training rows");
      expect_sound(ask(*made, surface(20, c.features, 7)), where + ", other rows");
    }
  }

  void SetUp() override {
    if (entry().available != nullptr && !entry().available()) {
      GTEST_SKIP() << "this build lacks the library that " << entry().info.name << " needs";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Registered, EveryBaseline, testing::ValuesIn(baselines()),
                         [](const auto& p) { return std::string(p.param->info.name); });

TEST_P(EveryBaseline, SaysWhatItIs) {
  EXPECT_FALSE(entry().info.summary.empty());
  EXPECT_FALSE(entry().info.source.empty());
  EXPECT_EQ(find_baseline(std::string(entry().info.name)), &entry());
}

TEST_P(EveryBaseline, PredictsFiniteValuesAndSumsUpInOneLine) {
  for (const Case& c : kCases) {
    const Made made = fit(c, surface(60, c.features));
    expect_sound(ask(*made, surface(40, c.features, 7)), std::string(name_of(c.space)));
    const std::string summary = made->summary();
    EXPECT_EQ(summary.find('\n'), std::string::npos);
    EXPECT_EQ(summary.find("nan"), std::string::npos) << summary;
    EXPECT_EQ(summary.find("inf"), std::string::npos) << summary;
  }
}

TEST_P(EveryBaseline, SaysTheSameAfterSavingAndLoading) {
  for (const Case& c : kCases) {
    const Made made = fit(c, surface(60, c.features));
    Arrays stored, again;
    made->store(stored);
    const Made back = entry().make(spec(c, 60));
    back->restore({stored, "test"}, ThreadPool(1));
    back->store(again);
    EXPECT_TRUE(stored == again);
    EXPECT_EQ(made->summary(), back->summary());
    const SpatialRows queries = surface(40, c.features, 7);
    const Asked before = ask(*made, queries), after = ask(*back, queries);
    EXPECT_EQ(before.mean, after.mean);
    EXPECT_EQ(before.deviation, after.deviation);
  }
}

TEST_P(EveryBaseline, GivesTheSameBitsForAnyNumberOfThreads) {
  // More queries than a block of work holds.
  const Case c{Space::sphere, 2};
  const SpatialRows data = surface(150, c.features), queries = surface(1100, c.features, 7);
  const Made one = fit(c, data, 1);
  Arrays first;
  one->store(first);
  const Asked want = ask(*one, queries, 1);
  for (const int threads : {2, 3}) {
    const Made made = fit(c, data, threads);
    Arrays stored;
    made->store(stored);
    EXPECT_TRUE(first == stored) << threads << " threads";
    const Asked got = ask(*made, queries, threads);
    EXPECT_EQ(want.mean, got.mean) << threads << " threads";
    EXPECT_EQ(want.deviation, got.deviation) << threads << " threads";
  }
}

// Restored, so that what is put off until it is asked for is asked for by both at once.
TEST_P(EveryBaseline, IsAskedByTwoCallersAtTheSameTime) {
  const Case c{Space::sphere, 2};
  const SpatialRows queries = surface(700, c.features, 7);
  const Made made = fit(c, surface(150, c.features));
  const Asked want = ask(*made, queries);
  Arrays stored;
  made->store(stored);
  const Made back = entry().make(spec(c, 150));
  back->restore({stored, "test"}, ThreadPool(1));
  std::vector<Asked> found(2);
  std::vector<std::thread> callers;
  for (Asked& got : found) {
    callers.emplace_back([&] { got = ask(*back, queries, 2); });
  }
  for (std::thread& caller : callers) caller.join();
  for (const Asked& got : found) {
    EXPECT_EQ(want.mean, got.mean);
    EXPECT_EQ(want.deviation, got.deviation);
  }
}

TEST_P(EveryBaseline, APredictionDoesNotDependOnTheOtherQueries) {
  for (const Case& c : kCases) {
    const Made made = fit(c, surface(60, c.features));
    const SpatialRows queries = surface(30, c.features, 7);
    const Asked crowd = ask(*made, queries);
    for (const std::size_t i : {0UL, 1UL, 13UL, 29UL}) {
      const Asked alone = ask(*made, queries.picked({i}));
      EXPECT_EQ(crowd.mean[i], alone.mean[0]);
      if (entry().gives_deviation) {
        EXPECT_EQ(crowd.deviation[i], alone.deviation[0]);
      }
    }
  }
}

TEST_P(EveryBaseline, TheMeanIsTheSameWhetherTheDeviationIsAskedForOrNot) {
  const Case c{Space::sphere, 2};
  const Made made = fit(c, surface(60, c.features));
  const SpatialRows queries = surface(30, c.features, 7);
  std::vector<double> mean(30);
  made->predict(queries.rows(), ThreadPool(1), mean, {});
  EXPECT_EQ(mean, ask(*made, queries).mean);
}

TEST_P(EveryBaseline, TheOrderOfTheRowsDoesNotMatter) {
  // More rows than the Gaussian process learns from here: drawing them must not go by number.
  for (const Case& c : {Case{Space::sphere, 2}, Case{Space::plane, 0}}) {
    const SpatialRows data = surface(150, c.features), queries = surface(30, c.features, 7);
    std::vector<std::size_t> order(150);
    std::iota(order.begin(), order.end(), 0UL);
    shuffle(order.data(), 150, Rng{3, Stream::sample}, 0);
    const Asked given = ask(*fit(c, data), queries);
    const Asked shuffled = ask(*fit(c, data.picked(order)), queries);
    // The surface spreads over a few units; sums in another order differ in the last digits.
    for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(given.mean[i], shuffled.mean[i], 1e-6);
    for (std::size_t i = 0; i < given.deviation.size(); ++i) {
      EXPECT_NEAR(given.deviation[i], shuffled.deviation[i], 1e-6);
    }
  }
}

TEST_P(EveryBaseline, TheUnitsOfTargetAndPlaneDoNotMatter) {
  // Left unscaled, a target may have any mean and spread, and coordinates any extent. Parameters
  // found by an optimiser agree to its tolerance.
  const Case c{Space::plane, 1};
  const SpatialRows data = surface(80, 1), queries = surface(30, 1, 7);
  SpatialRows large = data, wide = data, wide_queries = queries;
  for (double& y : large.target) y = 5000 + 2000 * y;
  for (Point& p : wide.points) p = {1000 * p.x, 1000 * p.y};
  for (Point& p : wide_queries.points) p = {1000 * p.x, 1000 * p.y};
  // Rows held back lie where they always do; without them the two are learned alike.
  const auto learn = [&](const SpatialRows& rows) {
    Made made = entry().make(spec(c, 80));
    const RunSettings run;
    FitProgress progress(run);
    made->fit(rows.rows(), {}, ThreadPool(1), progress);
    return made;
  };
  const Asked plain = ask(*learn(data), queries);
  const Asked scaled = ask(*learn(large), queries), far = ask(*learn(wide), wide_queries);
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_NEAR(plain.mean[i], (scaled.mean[i] - 5000) / 2000, 0.02) << "target";
    EXPECT_NEAR(plain.mean[i], far.mean[i], 0.02) << "coordinates";
  }
  for (std::size_t i = 0; i < plain.deviation.size(); ++i) {
    EXPECT_NEAR(plain.deviation[i], scaled.deviation[i] / 2000, 0.02) << "target";
    EXPECT_NEAR(plain.deviation[i], far.deviation[i], 0.02) << "coordinates";
  }
}

TEST_P(EveryBaseline, BearsEveryRowTwiceWithAnotherLabel) {
  expect_sound_on(
      [](SpatialRows& data) {
        for (std::size_t i = 0; i + 1 < data.points.size(); i += 2) {
          data.points[i + 1] = data.points[i];
          for (std::int64_t f = 0; f < data.feature_count; ++f) {
            const auto at = static_cast<std::size_t>(f);
            const auto width = static_cast<std::size_t>(data.feature_count);
            data.features[(i + 1) * width + at] = data.features[i * width + at];
          }
        }
      },
      40);
}

TEST_P(EveryBaseline, BearsAllPointsAtOnePlace) {
  expect_sound_on([](SpatialRows& data) { data.points.assign(data.points.size(), {11, 46}); }, 40);
}

TEST_P(EveryBaseline, BearsPointsOnALine) {
  expect_sound_on(
      [](SpatialRows& data) {
        for (Point& p : data.points) p.y = 46;
      },
      40);
}

TEST_P(EveryBaseline, BearsAFeatureThatIsConstantAndOneThatCopiesTheTarget) {
  expect_sound_on(
      [](SpatialRows& data) {
        for (std::size_t i = 0; data.feature_count == 2 && i < data.points.size(); ++i) {
          data.features[2 * i] = 3;
          data.features[2 * i + 1] = data.target[i];
        }
      },
      40);
}

TEST_P(EveryBaseline, BearsFewRows) {
  Options own;
  entry().resolve(own, 1'000'000);
  for (const std::size_t rows : {2UL, 3UL, static_cast<std::size_t>(own.k) + 1}) {
    expect_sound_on([](SpatialRows&) {}, std::max<std::size_t>(rows, 2));
  }
}

TEST_P(EveryBaseline, PredictsAConstantTargetExactly) {
  // Standardised it is 0, unscaled it is what it is.
  for (const double constant : {0.0, 3.7, -1234.5}) {
    for (const Case& c : kCases) {
      SpatialRows data = surface(40, c.features);
      data.target.assign(40, constant);
      const Made made = fit(c, data);
      const Asked answer = ask(*made, surface(20, c.features, 7));
      expect_sound(answer, std::string(name_of(c.space)));
      const double scale = std::max(1.0, std::abs(constant));
      for (const double v : answer.mean) EXPECT_NEAR(v, constant, 1e-9 * scale);
      for (const double d : answer.deviation) EXPECT_LE(d, 1e-3 * scale);
    }
  }
}

TEST_P(EveryBaseline, APlaceOnTheSphereIsOnePlaceHoweverItIsWritten) {
  const Case c{Space::sphere, 0};
  const Rng rng{5, Stream::sample};
  SpatialRows data;
  for (std::size_t i = 0; i < 60; ++i) {
    const double x = 170 + 20 * rng.uniform(1, i), y = -90 + 180 * rng.uniform(2, i);
    data.points.push_back({x > 180 ? x - 360 : x, y});
    data.target.push_back(std::sin(y / 20) + std::cos(x / 5));
  }
  data.points[0] = {180, 10};
  data.points[1] = {-180, -20};
  data.points[2] = {33, 90};
  data.points[3] = {-120, -90};
  const Made made = fit(c, data);
  SpatialRows east, west;
  for (const double y : {-20.0, 0.0, 10.0, 63.5}) {
    east.points.push_back({180, y});
    west.points.push_back({-180, y});
  }
  east.points.insert(east.points.end(), {{0, 90}, {-75, -90}});
  west.points.insert(west.points.end(), {{140, 90}, {90, -90}});
  const Asked a = ask(*made, east), b = ask(*made, west);
  expect_sound(a, "seam and poles");
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.deviation, b.deviation);
}

TEST_P(EveryBaseline, RefusesToBeRestoredFromDamagedArrays) {
  const Case c{Space::sphere, 2};
  const Made made = fit(c, surface(40, c.features));
  Arrays stored;
  made->store(stored);
  const auto expect_refused = [&](std::size_t which, const std::string& how,
                                  const std::function<bool(NamedArray&)>& damage) {
    Arrays damaged;
    for (std::size_t i = 0; i < stored.list().size(); ++i) {
      NamedArray array = stored.list()[i];
      if (i != which || damage(array)) damaged.push(std::move(array));
    }
    const Made back = entry().make(spec(c, 40));
    try {
      back->restore({damaged, "test"}, ThreadPool(1));
      ADD_FAILURE() << "array " << stored.list()[which].name << " " << how << " was accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::model) << stored.list()[which].name << " " << how;
      EXPECT_NE(std::string(e.what()).find(stored.list()[which].name), std::string::npos)
          << e.what();
    }
  };
  for (std::size_t which = 0; which < stored.list().size(); ++which) {
    expect_refused(which, "dropped", [](NamedArray&) { return false; });
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      expect_refused(which, "not finite", [&](NamedArray& array) {
        array.values.back() = bad;
        return true;
      });
    }
  }
}

TEST_P(EveryBaseline, StopsWhenItIsAskedTo) {
  const Case c{Space::sphere, 2};
  const SpatialRows data = surface(60, c.features);
  std::int64_t steps = 0;
  fit(c, data, 1, {}, &steps);
  if (steps == 0) GTEST_SKIP() << "it takes no steps";
  std::int64_t told = 0;
  RunSettings run;
  run.progress = [&](const TrainProgress& p) {
    ++told;
    EXPECT_TRUE(std::isfinite(p.loss));
    EXPECT_LE(p.step, p.steps);
  };
  run.stop = [&] { return told == 2; };
  try {
    fit(c, data, 1, run);
    FAIL() << "it went on";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::interrupted);
    EXPECT_EQ(told, 2);
  }
}

TEST_P(EveryBaseline, ALeftOutRowDoesNotSeeItsOwnLabel) {
  if (!entry().leaves_out) GTEST_SKIP() << "it leaves none out";
  for (const Case& c : kCases) {
    const SpatialRows data = surface(60, c.features);
    const std::vector<std::int64_t> rows{0, 7, 59, 7};
    std::vector<double> left_out(4), again(4);
    const Made made = fit(c, data);
    made->predict_left_out(rows, ThreadPool(1), left_out);
    made->predict_left_out(rows, ThreadPool(2), again);
    EXPECT_EQ(left_out, again);
    EXPECT_TRUE(finite(left_out));
    EXPECT_EQ(left_out[1], left_out[3]);
    const Asked seen = ask(*made, data);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto row = static_cast<std::size_t>(rows[i]);
      EXPECT_NE(left_out[i], data.target[row]);
      EXPECT_NE(left_out[i], seen.mean[row]);
    }
  }
}

// Where parameters and rows can be told apart: told of its own rows again it is the same, told of
// others it knows those alone.
TEST_P(EveryBaseline, ToldOfOtherRowsItKnowsThoseAlone) {
  for (const Case& c : kCases) {
    const SpatialRows data = surface(120, c.features), places = surface(20, c.features, 7);
    SpatialRows changed = data;
    for (std::size_t i = 0; i < 60; ++i) changed.target[i] += 3;
    const Made made = fit(c, data);
    const ThreadPool pool(1);
    const Made same = made->conditioned_on(data.rows(), pool);
    if (same == nullptr) GTEST_SKIP() << "it is to be fitted anew";
    const Asked was = ask(*made, places), is = ask(*same, places);
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_NEAR(was.mean[i], is.mean[i], 1e-4);
      if (!entry().gives_deviation) continue;
      EXPECT_NEAR(was.deviation[i], is.deviation[i], 1e-4);
    }
    const auto half = [&](const SpatialRows& all) {
      BaselineRows rows = all.rows();
      rows.points = rows.points.subspan(60, 60);
      rows.features = rows.features.block(60, 60);
      rows.target = rows.target.subspan(60, 60);
      return rows;
    };
    const Asked known = ask(*made->conditioned_on(half(data), pool), places);
    EXPECT_EQ(known.mean, ask(*made->conditioned_on(half(changed), ThreadPool(2)), places).mean);
    EXPECT_NE(known.mean, was.mean);
    EXPECT_TRUE(finite(known.mean));
  }
}

}  // namespace
}  // namespace pegnn
