// What must hold for every model that `--model` can name, from a table to predictions, with no line
// added per model: networks with and without encoder, and baselines.

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "baseline/baseline.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

std::vector<std::string> every_model() {
  std::vector<std::string> names = part_names(baselines());
  for (const std::string& backbone : part_names(backbones())) {
    names.push_back(backbone);
    names.push_back("pe-" + backbone);
  }
  return names;
}

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  // Small enough for a test of a second.
  static Options options() {
    Options o = test::small_model(GetParam(), 12);
    o.evaluate_every = 6;
    o.batch = 64;
    o.encoder_hidden = 16;
    o.gp_rows = 64;
    o.gp_steps = 10;
    o.inducing = 12;
    o.trees = 12;
    return o;
  }
  static TrainResult fit(const Table& table, bool features, int threads,
                         const Options& o = options()) {
    return train(table, test::smooth_roles(features), o, false, {.threads = threads});
  }
  static Options ranked_and_bent() {
    Options o = options();
    o.ranks = true;
    o.target_transform = "asinh";
    return o;
  }
  void SetUp() override {
    const BaselineEntry* baseline = find_baseline(GetParam());
    if (baseline != nullptr && baseline->available != nullptr && !baseline->available()) {
      GTEST_SKIP() << "this build lacks the library that " << GetParam() << " needs";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Registered, EveryModel, testing::ValuesIn(every_model()),
                         [](const auto& p) {
                           std::string name = p.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

std::string bytes_of(const Model& model) { return encode_tensors(to_tensors(model.state())); }

TEST_P(EveryModel, IsCalledByItsName) { EXPECT_EQ(GetParam(), model_name(options())); }

TEST_P(EveryModel, TrainsToTheSameBytesOnAnyNumberOfThreads) {
  const Table table = test::smooth_table(150);
  const std::string one = bytes_of(fit(table, true, 1).model);
  for (const int threads : {2, 3}) EXPECT_TRUE(one == bytes_of(fit(table, true, threads).model));
}

TEST_P(EveryModel, PredictsTheSameBitsAfterSavingAndLoading) {
  const Model model = fit(test::smooth_table(120), true, 2).model;
  const auto file = std::filesystem::temp_directory_path() /
                    ("pegnn-every-model-" + std::to_string(::getpid()) + ".safetensors");
  model.save(file);
  const Model loaded = Model::load(file);
  std::filesystem::remove(file);
  const Table places = test::smooth_table(40, 7);
  const Answer before = model.ask(places, {}, {.threads = 1});
  const Answer after = loaded.ask(places, {}, {.threads = 2});
  EXPECT_EQ(before.values, after.values);
  EXPECT_EQ(model.outputs(), before.columns);
  EXPECT_EQ(bytes_of(model), bytes_of(loaded));
}

// A code, a heavy-tailed feature and a heavy-tailed target.
Table tailed_table(std::size_t rows, std::uint64_t seed = 1) {
  const Table smooth = test::smooth_table(rows, seed);
  Table table("tailed.csv");
  for (const char* name : {"lon", "lat", "a", "b", "y"}) {
    std::vector<double> values = smooth.find(name)->values;
    for (double& v : values) {
      if (*name == 'a') v = v < 0.5 ? 0 : 9;
      if (*name == 'b') v = std::pow(v + 1e-4, -2);
      if (*name == 'y') v = std::sinh(v - 20);
    }
    table.add(name, values);
  }
  return table;
}

TEST_P(EveryModel, WorksWithRanksAndATransformedTarget) {
  const Table table = tailed_table(120), places = tailed_table(40, 7);
  const TrainResult trained = fit(table, true, 1, ranked_and_bent());
  const std::string bytes = bytes_of(trained.model);
  EXPECT_TRUE(bytes == bytes_of(fit(table, true, 3, ranked_and_bent()).model));
  const Model loaded(from_tensors(decode_tensors(bytes, "m")));
  const Answer before = trained.model.ask(places, {}, {});
  const Answer after = loaded.ask(places, {}, {.threads = 2});
  EXPECT_EQ(before.values, after.values);
  // In the target's units: within the widest reach of the training rows' target, well widened.
  for (const double v : before.mean()) EXPECT_LT(std::abs(v), 1e5);
  for (const double v : before.deviation()) EXPECT_TRUE(std::isfinite(v) && v > 0) << v;
  // What is told of the rows shown is in those units too.
  for (const double v : trained.predicted) EXPECT_LT(std::abs(v), 1e5);
  // Without features, and with as few rows as there may be.
  for (const std::size_t rows : {3UL, 12UL}) {
    for (const bool features : {false, true}) {
      const Table few = tailed_table(rows);
      const Model model = fit(few, features, 1, ranked_and_bent()).model;
      for (const double v : model.predict(few, {}, false, {})) EXPECT_TRUE(std::isfinite(v));
    }
  }
}

// The columns of a smooth table, and weights: of its rows by `weight`; between them stand rows of
// weight 0 that nothing can be made of.
template <class Weight>
Table weighed_table(std::size_t rows, bool with_zeros, Weight&& weight) {
  const Table smooth = test::smooth_table(rows);
  Table table("smooth.csv");
  for (const char* name : {"lon", "lat", "a", "b", "y", "w"}) {
    const bool weights = *name == 'w';
    std::vector<double> values;
    for (std::size_t i = 0; i < rows; ++i) {
      if (with_zeros && i % 3 == 0) values.push_back(weights ? 0 : i % 2 == 0 ? 1e9 : NAN);
      values.push_back(weights ? weight(i) : smooth.find(name)->values[i]);
    }
    table.add(name, values);
  }
  return table;
}
Roles weighed_roles() {
  Roles roles = test::smooth_roles();
  roles.weight = "w";
  return roles;
}

TEST_P(EveryModel, EqualWeightsAndRowsOfWeightZeroLeaveNoTrace) {
  const std::string plain = bytes_of(fit(test::smooth_table(90), true, 1).model);
  for (const bool with_zeros : {false, true}) {
    const Table table = weighed_table(90, with_zeros, [](std::size_t) { return 0.7; });
    EXPECT_TRUE(plain ==
                bytes_of(train(table, weighed_roles(), options(), false, {.threads = 2}).model))
        << with_zeros;
  }
}

TEST_P(EveryModel, UnequalWeightsCountOrAreRefused) {
  Options o = options();
  // Kriging, from which it would start and which so short a training does not leave, has no
  // weights.
  if (GetParam().ends_with("label_attention")) o.part.set("smoother", "none");
  const auto fit_by = [&](const Table& table, int threads) {
    return train(table, weighed_roles(), o, false, {.threads = threads});
  };
  const auto weight = [](std::size_t i) { return i % 4 == 0 ? 8.0 : 0.5; };
  const Table table = weighed_table(90, false, weight);
  const BaselineEntry* baseline = find_baseline(GetParam());
  if (baseline != nullptr && !baseline->weighs_rows) {
    try {
      fit_by(table, 1);
      FAIL() << "no error";
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::usage, e.kind());
      EXPECT_EQ(0U, std::string(e.what()).find(GetParam() + " cannot weigh rows")) << e.what();
    }
    return;
  }
  const TrainResult trained = fit_by(table, 1);
  const std::string bytes = bytes_of(trained.model);
  EXPECT_TRUE(bytes == bytes_of(fit_by(table, 3).model)) << "threads";
  EXPECT_TRUE(bytes == bytes_of(fit_by(weighed_table(90, true, weight), 2).model)) << "zeros";
  const Model plain = fit(test::smooth_table(90), true, 1, o).model;
  EXPECT_NE(plain.info().table_hash, trained.model.info().table_hash);
  EXPECT_EQ("w", trained.model.info().roles.weight);
  // A table for prediction needs no weights.
  const Table places = test::smooth_table(20, 7);
  const std::vector<double> predicted = trained.model.predict(places, {}, false, {});
  EXPECT_NE(plain.predict(places, {}, false, {}), predicted);
  const Model loaded(from_tensors(decode_tensors(bytes, "m")));
  EXPECT_EQ(predicted, loaded.predict(places, {}, false, {.threads = 2}));
}

TEST_P(EveryModel, APredictionDoesNotDependOnTheOtherRows) {
  const Model model = fit(test::smooth_table(120), false, 2).model;
  const Table places = test::smooth_table(60, 7);
  std::vector<Point> points;
  for (std::size_t i = 0; i < 60; ++i) {
    points.push_back({places.find("lon")->values[i], places.find("lat")->values[i]});
  }
  const std::vector<double> together = model.predict(points, {}, {.threads = 2});
  for (const std::size_t i : {0UL, 31UL, 59UL}) {
    EXPECT_EQ(together[i], model.predict({points[i]}, {}, {.threads = 1})[0]) << "row " << i;
  }
}

TEST_P(EveryModel, PredictsFinitelyOnAwkwardTables) {
  const double pole[] = {90, 90, -90, 89.9, -89.9, 90, 0, 0};
  const double seam[] = {180, -180, 179.9, -179.9, 0, 10, 180, -180};
  std::vector<double> lon, lat, same, a, y, constant;
  for (std::size_t i = 0; i < 24; ++i) {
    lon.push_back(seam[i % 8]);
    lat.push_back(pole[(i / 2) % 8]);
    same.push_back(5);
    a.push_back(1);  // a constant feature
    y.push_back(std::sin(static_cast<double>(i)));
    constant.push_back(3.25);
  }
  const auto table = [&](const std::vector<double>& x, const std::vector<double>& z,
                         const std::vector<double>& target) {
    Table t("awkward.csv");
    t.add("lon", x);
    t.add("lat", z);
    t.add("a", a);
    t.add("b", target);  // a feature that copies the target
    t.add("y", target);
    return t;
  };
  // Poles and the antimeridian with duplicates; every point at one place; a constant target.
  for (const Table& t : {table(lon, lat, y), table(same, same, y), table(lon, lat, constant)}) {
    for (const bool features : {false, true}) {
      for (const Options& o : {options(), ranked_and_bent()}) {
        const Model model = fit(t, features, 2, o).model;
        const Answer p = model.ask(t, {}, {});
        for (const double v : p.mean()) EXPECT_TRUE(std::isfinite(v));
        for (const double v : p.deviation()) EXPECT_TRUE(std::isfinite(v) && v >= 0) << v;
        if (t.find("y")->values[0] == 3.25) {
          for (const double v : p.mean()) EXPECT_EQ(3.25, v);
        }
      }
    }
  }
}

TEST_P(EveryModel, WorksWithFewRows) {
  for (const std::size_t rows : {3UL, 4UL, 6UL, 7UL, 11UL, 31UL}) {
    const Table table = test::smooth_table(rows);
    const Model model(from_tensors(to_tensors(fit(table, true, 1).model.state())));
    const std::vector<double> p = model.predict(table, {}, false, {});
    for (const double v : p) EXPECT_TRUE(std::isfinite(v)) << rows << " rows";
  }
  EXPECT_THROW(fit(test::smooth_table(2), true, 1), Error);
}

TEST_P(EveryModel, RefusesMissingValues) {
  Table table("gaps.csv");
  const Table whole = test::smooth_table(30);
  for (const char* name : {"lon", "lat", "a", "b", "y"}) {
    std::vector<double> values = whole.find(name)->values;
    if (std::string(name) == "y") values[4] = std::nan("");
    table.add(name, values);
  }
  try {
    fit(table, true, 1);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::data, e.kind());
  }
}

TEST_P(EveryModel, IsScoredOnHeldOutRows) {
  EvaluateSettings settings;
  settings.folds = 2;
  const Evaluation e =
      evaluate(test::smooth_table(90), test::smooth_roles(), options(), settings, {.threads = 2});
  EXPECT_EQ(GetParam(), e.model);
  EXPECT_EQ(90, e.mean.rows);
  EXPECT_TRUE(std::isfinite(e.mean["mse"]));
}

}  // namespace
}  // namespace pegnn
