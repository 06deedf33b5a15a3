// The default as the preset has it: a network beside models of other kinds.

#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

#include "baseline/baseline.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

std::string bytes_of(const Model& model) { return encode_tensors(to_tensors(model.state())); }

bool learns_trees() { return find_baseline("boosting")->available(); }

// A network of few steps, beside which others have something to say.
Options combined() {
  Options o = test::small_combined();
  o.part.set("smoother", "none");
  o.choose = "none";
  return o;
}

Model fitted(const Options& options, int threads = 2, bool features = true) {
  return train(test::smooth_table(400), test::smooth_roles(features), options, false,
               {.threads = threads})
      .model;
}

std::set<std::string> kinds_of(const Model& model) {
  std::set<std::string> kinds;
  for (const ModelState& part : model.state().parts) kinds.insert(part.options.model);
  return kinds;
}

TEST(CombinedFit, OthersAnswerBesideAPoorNetwork) {
  const Model model = fitted(combined());
  const std::set<std::string> kinds = kinds_of(model);
  EXPECT_TRUE(kinds.contains("network"));
  EXPECT_TRUE(kinds.contains("svgp")) << "the surface is smooth";
  Options network = combined();
  network.combine = "none";
  const Model alone = fitted(network);
  EXPECT_TRUE(alone.state().parts.empty());
  const Table places = test::smooth_table(200, 7);
  const auto error = [&](const Model& m) {
    const std::vector<double> predicted = m.predict(places, {}, false, {});
    const std::vector<double>& y = places.find("y")->values;
    double square = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      square += (y[i] - predicted[i]) * (y[i] - predicted[i]);
    return square;
  };
  EXPECT_LT(error(model), 0.5 * error(alone));
}

TEST(CombinedFit, HasTheSameBytesOnAnyNumberOfThreads) {
  const std::string one = bytes_of(fitted(combined(), 1));
  EXPECT_EQ(one, bytes_of(fitted(combined(), 2)));
  EXPECT_EQ(one, bytes_of(fitted(combined(), 3)));
}

TEST(CombinedFit, SurvivesItsFile) {
  const Model model = fitted(combined());
  const std::string bytes = model.bytes();
  const Model back = Model::from_bytes(bytes);
  EXPECT_EQ(bytes, back.bytes());
  const Table places = test::smooth_table(60, 7);
  EXPECT_EQ(model.predict(places, {}, false, {}), back.predict(places, {}, false, {.threads = 2}));
}

TEST(CombinedFit, TakesTreesOnlyWhereThereAreFeatures) {
  if (!learns_trees()) GTEST_SKIP() << "this build lacks the library that boosting needs";
  EXPECT_FALSE(kinds_of(fitted(combined(), 2, false)).contains("boosting"));
  // A feature that only trees see through.
  Table table = test::smooth_table(400);
  const std::vector<double> a = table.find("a")->values;
  std::vector<double> steps;
  for (const double v : a) steps.push_back(std::fmod(std::floor(16 * v), 2) * 10);
  table.add("z", steps);
  Roles roles = test::smooth_roles();
  roles.target = "z";
  EXPECT_TRUE(kinds_of(train(table, roles, combined(), false, {}).model).contains("boosting"));
}

TEST(CombinedFit, TakesOnlyModelsThatWeighWhereRowsAreWeighed) {
  Table table = test::smooth_table(400);
  std::vector<double> w;
  for (std::size_t i = 0; i < 400; ++i) w.push_back(1 + static_cast<double>(i % 5));
  table.add("w", w);
  Roles roles = test::smooth_roles();
  roles.weight = "w";
  EXPECT_FALSE(kinds_of(train(table, roles, combined(), false, {}).model).contains("svgp"));
}

TEST(CombinedFit, IsLeftOutByWordByNameAndByOtherHeads) {
  EXPECT_EQ("auto", preset("default").combine);
  EXPECT_EQ("none", named_model("label_attention").combine);
  Options o = combined();
  o.combine = "none";
  EXPECT_TRUE(fitted(o).state().parts.empty());
  const Options normal = options_for({.given = {{"head", "gaussian"}, {"steps", "6"}}});
  EXPECT_TRUE(fitted(normal).state().parts.empty()) << "its deviation is the network's own";
  Options all = combined();
  all.validation = 0;
  EXPECT_TRUE(fitted(all).state().parts.empty()) << "no row is held out";
}

TEST(CombinedFit, ShowsRowsThatNoModelLearnedFrom) {
  const TrainResult r =
      train(test::smooth_table(400), test::smooth_roles(), combined(), false, {.threads = 2});
  EXPECT_EQ(ShownRows::validation, r.shown);
  const std::set<std::int64_t> once(r.shown_rows.begin(), r.shown_rows.end());
  EXPECT_EQ(once.size(), r.shown_rows.size());
  EXPECT_GT(once.size(), 40U);
  EXPECT_EQ(r.observed.size(), r.predicted.size());
  for (const double p : r.predicted) EXPECT_TRUE(std::isfinite(p));
}

TEST(CombinedFit, AnswersEverywhere) {
  const Model model = fitted(combined());
  const std::vector<Point> places{{0, 90}, {180, 0}, {-180, 0}, {77, -90}, {12, 47}};
  for (const double p : model.predict(places, std::vector<double>(10, 0.5), {})) {
    EXPECT_TRUE(std::isfinite(p));
  }
}

// In any of the networks, and while others are fitted beside them. How often a run asks whether to
// stop depends on the clock there, but not what comes of it.
TEST(CombinedFit, StoppedAnywhereItGoesOnToTheSameBytes) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_combined_" + std::to_string(::getpid()) + ".safetensors");
  const Table table = test::smooth_table(150);
  const Options o = combined();
  const auto bytes = [&](const RunSettings& run) {
    return bytes_of(train(table, test::smooth_roles(), o, false, run).model);
  };
  const std::string whole = bytes({.threads = 1});
  int stopped = 0;
  for (int stop_after = 2;; stop_after *= 3) {
    std::filesystem::remove(snapshot);
    int asked = 0;
    RunSettings run{.threads = 1, .snapshot = snapshot, .snapshot_every = 5};
    run.stop = [&] { return ++asked >= stop_after; };
    try {
      bytes(run);
      break;
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::interrupted, e.kind());
      EXPECT_NE(std::string(e.what()).find("--resume"), std::string::npos) << e.what();
    }
    ++stopped;
    run.resume = std::filesystem::exists(snapshot);
    run.stop = {};
    EXPECT_EQ(whole, bytes(run)) << stop_after;
  }
  EXPECT_GT(stopped, 3);
  std::filesystem::remove(snapshot);
}

}  // namespace
}  // namespace pegnn
