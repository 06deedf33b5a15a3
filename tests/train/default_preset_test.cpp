// What `--preset default` does with tables of every kind, trials and members included.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "model/state.h"
#include "pegnn/evaluate.h"
#include "pegnn/stats.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

// Trains and predicts the table's own rows and four places far from them.
std::vector<double> expect_finite(const Table& table, const Roles& roles) {
  const Model model = train(table, roles, test::small_default(), false, {.threads = 2}).model;
  std::vector<double> predicted = model.predict(table, {}, false, {.threads = 2});
  EXPECT_EQ(static_cast<std::size_t>(table.rows()), predicted.size());
  std::vector<Point> far{{0, 90}, {180, 0}, {-180, 0}, {77, -90}};
  if (!roles.geographic) far = {{1e9, -1e9}, {0, 0}, {-1e100, 1e100}, {1e-9, 5}};
  const std::vector<double> beyond =
      model.predict(far, std::vector<double>(4 * roles.features.size(), 0.5), {});
  predicted.insert(predicted.end(), beyond.begin(), beyond.end());
  for (const double p : predicted) EXPECT_TRUE(std::isfinite(p)) << p;
  return predicted;
}

// As many columns of random numbers as named, after places in a box of this size.
Table random_table(std::size_t rows, double size, const std::vector<std::string>& names) {
  const Rng rng{9, Stream::sample};
  Table table("random.csv");
  std::uint64_t column = 0;
  const auto numbers = [&](double scale) {
    std::vector<double> values(rows);
    for (std::size_t i = 0; i < rows; ++i) values[i] = scale * rng.uniform(column, i);
    ++column;
    return values;
  };
  table.add("lon", numbers(size));
  table.add("lat", numbers(size));
  for (const std::string& name : names) table.add(name, numbers(1));
  return table;
}

TEST(DefaultPreset, TakesAnyMetric) {
  for (const char* metric : {"great-circle", "degrees"}) {
    Options o = test::small_default();
    o.metric = metric;
    o.part.set("thinning", 0.5);
    const Model model =
        train(test::smooth_table(300), test::smooth_roles(), o, false, {.threads = 2}).model;
    for (const double v : model.predict(test::smooth_table(40, 7), {}, false, {})) {
      EXPECT_TRUE(std::isfinite(v)) << metric;
    }
  }
}

// Stations that were measured twice do not lie in gaps.
TEST(DefaultPreset, RowsWithATwinDoNotChangeWhatIsOrdinary) {
  Table once = test::smooth_table(150), twice("twice.csv");
  for (const Column& column : once.columns()) {
    std::vector<double> values = column.values;
    values.insert(values.end(), column.values.begin(), column.values.end());
    twice.add(column.name, values);
  }
  Options o = test::small_default();
  o.k = 12;
  const auto midst = [&](const Table& table, std::int64_t k) {
    o.k = k;
    return train(table, test::smooth_roles(), o, false, {})
        .model.state()
        .label_model.extrapolation_ratio;
  };
  EXPECT_NEAR(midst(once, 12), midst(twice, 24), 0.05);
}

TEST(DefaultPreset, LearnsFromAsFewRowsAsThereMayBe) {
  for (const std::size_t rows : {3UL, 4UL, 6UL, 10UL, 30UL}) {
    SCOPED_TRACE(rows);
    for (const bool features : {false, true}) {
      expect_finite(test::smooth_table(rows), test::smooth_roles(features));
    }
  }
}

TEST(DefaultPreset, LearnsFromTwelveRowsWithThreeFeatures) {
  Roles roles = test::smooth_roles();
  roles.features = {"a", "b", "c"};
  expect_finite(random_table(12, 10, {"a", "b", "c", "y"}), roles);
}

TEST(DefaultPreset, LearnsFromRowsAllInOnePlace) {
  Table table = random_table(25, 0, {"a", "b", "y"});  // on the equator
  for (const bool features : {false, true}) expect_finite(table, test::smooth_roles(features));
}

TEST(DefaultPreset, PredictsAConstantTargetExactly) {
  Table table = random_table(40, 10, {"a", "b"});
  table.add("y", std::vector<double>(40, 7.5));
  for (const double p : expect_finite(table, test::smooth_roles())) EXPECT_EQ(7.5, p);
}

TEST(DefaultPreset, LearnsInThePlane) {
  for (const double size : {1e-6, 1.0, 5e6}) {
    SCOPED_TRACE(size);
    Roles roles = test::smooth_roles(false);
    roles.geographic = false;
    expect_finite(random_table(50, size, {"y"}), roles);
  }
}

TEST(DefaultPreset, FindsTheNeighboursOverTheAntimeridian) {
  // A step at the Greenwich side of the world, and none at the antimeridian.
  Table box = random_table(200, 4, {"a"});
  std::vector<double> lon, y;
  for (const double x : box.find("lon")->values) {
    lon.push_back(x < 2 ? 178 + x : x - 182);
    y.push_back(x);
  }
  Table table("seam.csv");
  table.add("lon", lon);
  table.add("lat", box.find("lat")->values);
  table.add("y", y);
  const Model model =
      train(table, test::smooth_roles(false), test::small_default(), false, {}).model;
  const std::vector<double> p =
      model.predict({{179.9, 2}, {180, 2}, {-180, 2}, {-179.9, 2}}, {}, {});
  for (const double v : p) EXPECT_NEAR(2, v, 0.5);
  EXPECT_EQ(p[1], p[2]);
}

TEST(DefaultPreset, PredictsARowAloneAsAmongOthersToTheLastBit) {
  const Model model = train(test::smooth_table(200), test::smooth_roles(), test::small_default(),
                            false, {.threads = 2})
                          .model;
  const Table places = test::smooth_table(300, 5);
  std::vector<Point> points;
  std::vector<double> features;
  for (std::size_t i = 0; i < 300; ++i) {
    points.push_back({places.find("lon")->values[i], places.find("lat")->values[i]});
    features.insert(features.end(), {places.find("a")->values[i], places.find("b")->values[i]});
  }
  const std::vector<double> together = model.predict(points, features, {.threads = 2});
  for (std::size_t i = 0; i < 300; i += 13) {
    EXPECT_EQ(together[i], model.predict({points[i]}, {features[2 * i], features[2 * i + 1]},
                                         {.threads = 1})[0]);
  }
}

TEST(DefaultPreset, WithoutASmootherWhatTheNetworkSaysIsKeptWhole) {
  Options o = test::small_default();
  o.part.set("smoother", "none");
  const Model model = train(test::smooth_table(80), test::smooth_roles(), o, false, {}).model;
  EXPECT_EQ(1, model.state().label_model.blend);
  EXPECT_TRUE(model.state().label_model.kriging.mean.empty());
  const Model back(from_tensors(to_tensors(model.state())));
  const Table places = test::smooth_table(30, 7);
  EXPECT_EQ(model.predict(places, {}, false, {}), back.predict(places, {}, false, {}));
}

TEST(DefaultPreset, OnAFewRowsOfNoiseItStaysNearTheMean) {
  // Nothing can be learned, and the best is the mean. Forty rows bend a line of five coefficients
  // by an eighth of the variance; a network that learned them by heart would double it.
  Roles roles = test::smooth_roles();
  Options o = test::small_default(100);
  o.choose = "none";
  EvaluateSettings settings;
  settings.folds = 3;
  const Table table = random_table(60, 10, {"a", "b", "y"});
  const double mse = evaluate(table, roles, o, settings, {.threads = 2}).mean["mse"];
  const double mean =
      evaluate(table, roles, test::small_model("mean"), settings, {.threads = 2}).mean["mse"];
  EXPECT_LT(mse, 1.5 * mean);
}

TEST(DefaultPreset, IsAtLeastAsGoodAsTheKrigingItStartsFromWhereFeaturesTellMore) {
  // Kriging knows the linear part of what the feature says; the rest is for the network.
  Table table = random_table(400, 10, {"a", "b"});
  std::vector<double> y;
  for (std::size_t i = 0; i < 400; ++i) {
    y.push_back(std::sin(table.find("lon")->values[i]) +
                4 * std::abs(table.find("a")->values[i] - 0.5));
  }
  table.add("y", y);
  Options o = test::small_default(150);
  o.choose = "none";
  o.width = 32;
  const TrainResult r = train(table, test::smooth_roles(), o, false, {.threads = 2});
  const ModelState& s = r.model.state();
  EXPECT_GT(s.best_step, 0);
  EXPECT_GT(s.label_model.blend, 0.5);
  EXPECT_GT(compute_metrics(r.observed, r.predicted, 0, 1)["r2"], 0.8);
  EXPECT_LT(r.curve.back().validation, 0.5 * r.curve.front().validation);
}

}  // namespace
}  // namespace pegnn
