// Models of several members, each trained with a seed and rows held back of its own.

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

std::string bytes_of(const Model& model) { return encode_tensors(to_tensors(model.state())); }

Options with_members(std::int64_t members, std::int64_t seed = 3) {
  Options o = test::small_default(12, members);
  o.part.set("far-members", 0);
  o.choose = "none";
  o.seed = seed;
  return o;
}

Model fitted(const Options& options) {
  return train(test::smooth_table(150), test::smooth_roles(), options, false, {.threads = 2}).model;
}

TEST(Members, EachIsTheSingleModelOfItsSeed) {
  Options o = with_members(3);
  o.part.set("smoother", "none");  // its fit is drawn by the first member's seed
  const Model three = fitted(o);
  EXPECT_GT(three.info().best_step, 0) << "they have learned something";
  std::vector<float> single;
  o.members = 1;
  for (const std::int64_t seed : {3, 4, 5}) {
    o.seed = seed;
    const Model one = fitted(o);
    const std::vector<float>& its = one.state().parameters;
    single.insert(single.end(), its.begin(), its.end());
  }
  EXPECT_EQ(single, three.state().parameters);
}

TEST(Members, APredictionIsTheMeanOfTheirs) {
  Options o = with_members(3);
  o.part.set("smoother", "none");  // they could all be it
  const Model three = fitted(o);
  const Table places = test::smooth_table(60, 7);
  const std::vector<double> together = three.predict(places, {}, false, {});
  std::vector<double> mean(together.size(), 0.0);
  double apart = 0;
  for (std::ptrdiff_t m = 0; m < 3; ++m) {
    ModelState alone = three.state();
    const std::vector<float> all = alone.parameters;
    const auto size = static_cast<std::ptrdiff_t>(all.size() / 3);
    alone.parameters.assign(all.begin() + m * size, all.begin() + (m + 1) * size);
    alone.options.members = 1;
    const std::vector<double> one = Model(std::move(alone)).predict(places, {}, false, {});
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += one[i] / 3;
      apart = std::max(apart, std::abs(one[i] - together[i]));
    }
  }
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(mean[i], together[i], 1e-5) << i;
  EXPECT_GT(apart, 1e-3) << "they are not all the same";
}

TEST(Members, OtherNetworksHaveThemToo) {
  Options o = test::small_model("pe-gcn", 12);
  o.members = 3;
  const TrainResult r = train(test::smooth_table(150), test::smooth_roles(), o, false, {});
  // Every member held back rows of its own, so all rows are there for a prediction.
  EXPECT_EQ(150, r.model.info().training_points);
  EXPECT_EQ(ShownRows::validation, r.shown);
  EXPECT_GT(r.observed.size(), 30U);
  o.members = 1;
  EXPECT_EQ(3 * fitted(o).state().parameters.size(), r.model.state().parameters.size());
}

TEST(Members, SurviveTheirFile) {
  const Model model = fitted(with_members(3));
  const std::string bytes = bytes_of(model);
  const Model back(from_tensors(decode_tensors(bytes, "m")));
  const ModelState &was = model.state(), &is = back.state();
  EXPECT_EQ(was.parameters, is.parameters);
  EXPECT_EQ(was.labels, is.labels);
  EXPECT_EQ(was.label_model.unit, is.label_model.unit);
  EXPECT_EQ(was.label_model.blend, is.label_model.blend);
  EXPECT_EQ(was.label_model.kriging.mean, is.label_model.kriging.mean);
  EXPECT_EQ(was.label_model.kriging.process.range, is.label_model.kriging.process.range);
  EXPECT_EQ(bytes, bytes_of(back));
  const Table places = test::smooth_table(60, 7);
  EXPECT_EQ(model.predict(places, {}, false, {}), back.predict(places, {}, false, {.threads = 2}));
}

TEST(Members, FarOnesAnswerInGapsAndTheOthersInTheMidst) {
  Options o = with_members(2);
  o.part.set("far-members", 2);
  o.part.set("smoother", "none");  // which could do so well that no corrections of it are kept
  o.encoder = "grid";
  const Model both = fitted(o);
  EXPECT_LT(both.state().label_model.extrapolation_ratio, 1);
  ModelState without = both.state();
  without.options.part.set("far-members", 0);
  ModelState other = both.state();
  for (float& v : other.far_parameters) v *= 0.5F;
  const Model near(std::move(without)), changed(std::move(other));
  // The table lies within a few degrees; from afar all of it is in one direction.
  const Table midst = test::smooth_table(60, 7);
  std::vector<double> features{0.1, -0.2, 0.3, 0.4};
  features.resize(4 * both.info().roles.features.size(), 0.1);
  const std::vector<Point> beyond{{0, 80}, {-170, 0}, {90, -70}, {5, -60}};
  const auto inside = both.predict(midst, {}, false, {});
  const auto inside_near = near.predict(midst, {}, false, {});
  const auto inside_changed = changed.predict(midst, {}, false, {});
  std::size_t alone = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != inside_near[i]) continue;
    ++alone;
    EXPECT_EQ(inside[i], inside_changed[i]);
  }
  EXPECT_GT(alone, inside.size() / 3);
  const auto outside = both.predict(beyond, features, {});
  const auto outside_changed = changed.predict(beyond, features, {});
  for (std::size_t i = 0; i < beyond.size(); ++i) EXPECT_NE(outside[i], outside_changed[i]) << i;
}

TEST(Members, FarOnesSurviveTheirFileToo) {
  Options o = with_members(1);
  o.part.set("far-members", 2);
  o.encoder = "grid";  // which far members do not have
  const Model model = fitted(o);
  const Model back(from_tensors(decode_tensors(bytes_of(model), "m")));
  EXPECT_FALSE(model.state().far_parameters.empty());
  EXPECT_EQ(model.state().far_parameters, back.state().far_parameters);
  EXPECT_EQ(model.state().label_model.far_blend, back.state().label_model.far_blend);
  EXPECT_EQ(model.state().label_model.extrapolation_ratio,
            back.state().label_model.extrapolation_ratio);
  EXPECT_EQ(bytes_of(model), bytes_of(back));
}

TEST(Members, NetworksThatDoNotListenToLabelsHaveNoFarOnes) {
  Options o = test::small_model("pe-gcn", 12);
  const Model without = fitted(o);
  o.part.set("far-members", 3);
  const Model model = fitted(o);
  EXPECT_TRUE(model.state().far_parameters.empty());
  EXPECT_EQ(without.state().parameters, model.state().parameters);
  EXPECT_EQ(without.info().parameters, model.info().parameters);
}

TEST(Members, ARunStoppedInAnyOfThemOrInATrialGoesOnToTheSameBytes) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_members_" + std::to_string(::getpid()) + ".safetensors");
  const Table table = test::smooth_table(120);
  Options o = test::small_default(12, 3);
  o.validation = 0.5;              // enough rows to choose by
  o.choose = "encoder,ranks";      // three runs to choose by, then two members more and a far one
  o.part.set("smoother", "none");  // whose fit would be asked whether to stop as well
  const std::string whole =
      bytes_of(train(table, test::smooth_roles(), o, false, {.threads = 2}).model);
  for (const int stop_after : {5, 12, 13, 30, 41, 59, 66}) {
    int steps = 0;
    RunSettings run{.threads = 1, .snapshot = snapshot, .snapshot_every = 7};
    run.stop = [&] { return ++steps == stop_after; };
    EXPECT_THROW(train(table, test::smooth_roles(), o, false, run), Error) << stop_after;
    int left = 0;
    run.stop = [&] { return ++left < 0; };
    run.resume = true;
    EXPECT_EQ(whole, bytes_of(train(table, test::smooth_roles(), o, false, run).model))
        << "stopped after " << stop_after;
    EXPECT_EQ(72 - stop_after, left) << "no step is taken twice";
  }
  // Stopped twice, the second time in a later run than the first.
  RunSettings run{.threads = 1, .snapshot = snapshot, .snapshot_every = 7};
  int steps = 0;
  run.stop = [&] { return ++steps == 8; };
  EXPECT_THROW(train(table, test::smooth_roles(), o, false, run), Error);
  run.resume = true;
  steps = -20;
  EXPECT_THROW(train(table, test::smooth_roles(), o, false, run), Error);
  run.stop = {};
  EXPECT_EQ(whole, bytes_of(train(table, test::smooth_roles(), o, false, run).model));
  std::filesystem::remove(snapshot);
}

// The runs that are done had as many steps as were asked for then.
TEST(Members, ARunWithTrialsIsNotContinuedWithMoreSteps) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_longer_" + std::to_string(::getpid()) + ".safetensors");
  for (const bool trials : {false, true}) {
    Options o = with_members(trials ? 1 : 2);
    o.schedule = "constant";
    o.part.set("smoother", "none");
    o.validation = 0.5;
    if (trials) o.choose = "encoder";
    int steps = 0;
    RunSettings run{.threads = 1, .snapshot = snapshot};
    run.stop = [&] { return ++steps == 15; };
    EXPECT_THROW(train(test::smooth_table(120), test::smooth_roles(), o, false, run), Error);
    run.stop = {};
    run.resume = true;
    o.steps = 20;
    try {
      train(test::smooth_table(120), test::smooth_roles(), o, false, run);
      ADD_FAILURE() << "accepted, " << (trials ? "trials" : "members");
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::usage, e.kind());
    }
  }
  std::filesystem::remove(snapshot);
}

}  // namespace
}  // namespace pegnn
