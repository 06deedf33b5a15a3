// Models of several members, each trained with a seed and rows held back of its own.

#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"
#include "train/snapshot.h"

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
  o.choose = "dropout,ranks";      // three runs to choose by, then three members and a far one
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
    EXPECT_EQ(84 - stop_after, left) << "no step is taken twice";
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

// From some thousand rows on what members and trials read is found once for all of them.
TEST(Members, OfALargeTableTheyShareTheirRowsAndHaveTheSameBytesOnAnyNumberOfThreads) {
  const Table table = test::smooth_table(8'200);
  Options o = test::small_default(3, 2);
  o.choose = "encoder,ranks";
  const auto trained = [&](int threads) {
    return bytes_of(train(table, test::smooth_roles(), o, false, {.threads = threads}).model);
  };
  const std::string one = trained(1);
  EXPECT_EQ(one, trained(2));
  EXPECT_EQ(one, trained(3));
}

// Members train side by side on two threads, and in any state of both the run may be stopped.
TEST(Members, StoppedSideBySideTheyGoOnToTheSameBytesOnAnyNumberOfThreads) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_beside_" + std::to_string(::getpid()) + ".safetensors");
  const Table table = test::smooth_table(120);
  Options o = test::small_default(12, 3);
  o.choose = "none";
  o.evaluate_every = 2;
  o.part.set("far-members", 2);
  o.part.set("smoother", "none");
  const std::string whole =
      bytes_of(train(table, test::smooth_roles(), o, false, {.threads = 1}).model);
  for (const int stop_after : {3, 9, 14, 20, 27}) {
    int looks = 0;
    std::set<std::string> parts;
    RunSettings run{.threads = 2, .snapshot = snapshot, .snapshot_every = 3};
    run.progress = [&](const TrainProgress& p) {
      if (!p.measured) return;
      ++looks;
      parts.insert(p.part);
    };
    run.stop = [&] { return looks >= stop_after; };
    try {
      train(table, test::smooth_roles(), o, false, run);
      ADD_FAILURE() << "not stopped after " << stop_after;
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::interrupted, e.kind());
      EXPECT_NE(std::string(e.what()).find("--resume"), std::string::npos) << e.what();
    }
    EXPECT_EQ(1U, parts.count("member 1 of 3"));
    run.stop = {};
    run.resume = true;
    for (const int threads : {1, 2, 3}) {
      run.threads = threads;
      EXPECT_EQ(whole, bytes_of(train(table, test::smooth_roles(), o, false, run).model))
          << "stopped after " << stop_after << ", then on " << threads;
    }
  }
  std::filesystem::remove(snapshot);
}

TEST(Members, NotesComeInTheirOrder) {
  struct Notes final : Log {
    void note(std::string_view text) override {
      notes.emplace_back(text.substr(0, text.find(':')));
    }
    void warn(std::string_view) override {}
    void detail(std::string_view) override {}
    std::vector<std::string> notes;
  };
  Options o = with_members(3);
  o.part.set("far-members", 2);
  for (const int threads : {1, 2, 3}) {
    Notes log;
    train(test::smooth_table(120), test::smooth_roles(), o, false,
          {.threads = threads, .log = &log});
    EXPECT_EQ((std::vector<std::string>{"member 1 of 3", "member 2 of 3", "member 3 of 3",
                                        "far member 1 of 2", "far member 2 of 2"}),
              log.notes);
  }
}

// The error is that of the first member that fails, and what is kept goes on with another rate.
TEST(Members, OneThatDivergesEndsTheRunAsOnOneThread) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_wild_" + std::to_string(::getpid()) + ".safetensors");
  const Table table = test::smooth_table(60);
  Options o = test::small_model("mlp", 60);
  o.members = 4;
  o.patience = 0;
  o.schedule = "constant";
  RunSettings run{.threads = 1, .snapshot = snapshot, .snapshot_every = 10};
  int steps = 0;
  run.stop = [&] { return ++steps == 75; };  // in the second
  EXPECT_THROW(train(table, test::smooth_roles(), o, false, run), Error);
  Snapshot spoiled = load_snapshot(snapshot);
  TrainState& second = spoiled.begun.at("member 2");
  second.first_moment[0] = 3e38F;
  second.second_moment[0] = 0;
  run.stop = {};
  run.resume = true;
  std::string said;
  for (const int threads : {1, 2, 3}) {
    save_snapshot(spoiled, snapshot);
    run.threads = threads;
    try {
      train(table, test::smooth_roles(), o, false, run);
      ADD_FAILURE() << "it does not diverge";
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::failure, e.kind());
      if (said.empty()) said = e.what();
      EXPECT_EQ(said, e.what()) << "on " << threads;
    }
  }
  Snapshot kept = load_snapshot(snapshot);
  EXPECT_NE(spoiled.fingerprint, kept.fingerprint);
  EXPECT_TRUE(kept.done.contains("member 1"));
  kept.begun.at("member 2").first_moment[0] = 0;
  kept.begun.at("member 2").second_moment[0] = 1;
  save_snapshot(kept, snapshot);
  o.learning_rate /= 2;
  EXPECT_NO_THROW(train(table, test::smooth_roles(), o, false, run));
  std::filesystem::remove(snapshot);
}

// The first goes on when the second has failed, and what it has learned is in the snapshot.
TEST(Members, WhatIsDoneBesideOneThatFailsIsKept) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_done_beside_" + std::to_string(::getpid()) + ".safetensors");
  const Table table = test::smooth_table(60);
  Options o = test::small_model("mlp", 200);
  o.members = 2;
  o.patience = 0;
  o.schedule = "constant";
  RunSettings run{.threads = 2, .snapshot = snapshot, .snapshot_every = 10};
  bool both = false;
  std::set<std::string> parts;
  run.progress = [&](const TrainProgress& p) {
    parts.insert(p.part);
    both = both || (parts.size() == 2 && p.step > 20);
  };
  run.stop = [&] { return both; };
  EXPECT_THROW(train(table, test::smooth_roles(), o, false, run), Error);
  Snapshot spoiled = load_snapshot(snapshot);
  ASSERT_EQ(2U, spoiled.begun.size()) << "both keep what they have when they are stopped";
  spoiled.begun.at("member 2").first_moment[0] = 3e38F;
  spoiled.begun.at("member 2").second_moment[0] = 0;
  save_snapshot(spoiled, snapshot);
  run.stop = {};
  run.resume = true;
  run.snapshot_every = 0;
  EXPECT_THROW(train(table, test::smooth_roles(), o, false, run), Error);
  EXPECT_TRUE(load_snapshot(snapshot).done.contains("member 1"));
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
    if (trials) o.choose = "dropout";
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
