#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

#include <unistd.h>

#include <gtest/gtest.h>

#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/metrics.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/refused.h"
#include "support/tables.h"
#include "train/fit.h"
#include "train/hold_out.h"
#include "train/snapshot.h"

namespace pegnn {
namespace {

class Collect final : public Log {
 public:
  void note(std::string_view) override {}
  void warn(std::string_view text) override { warnings += std::string(text) + "\n"; }
  void detail(std::string_view) override {}
  std::string warnings;
};

std::string bytes_of(const Model& model) { return encode_tensors(to_tensors(model.state())); }

Options quick() {
  Options o = test::small_model("pe-gcn", 60);
  o.evaluate_every = 20;
  o.batch = 100;
  return o;
}

TEST(Train, LearnsASmoothSurface) {
  Options o = quick();
  o.steps = 600;
  const TrainResult r =
      train(test::smooth_table(800), test::smooth_roles(), o, false, {.threads = 2});
  const Metrics m = compute_metrics(r.observed, r.predicted, 0, 1);
  EXPECT_EQ(ShownRows::validation, r.shown);
  EXPECT_EQ(80U, r.observed.size());
  EXPECT_GT(m["r2"], 0.7);
  EXPECT_LT(r.curve.back().validation, r.curve.front().validation);
}

TEST(Train, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const std::string name : {"default", "paper", "reference"}) {
    Options o = name == "default" ? test::small_default() : preset(name);
    if (name != "default") o.steps = 30;
    o.evaluate_every = 10;
    o.batch = 300;
    o.uncertainty_weights = name == "paper";
    const Table table = test::smooth_table(700);
    const std::string one =
        bytes_of(train(table, test::smooth_roles(), o, false, {.threads = 1}).model);
    for (const int threads : {2, 3}) {
      EXPECT_EQ(one,
                bytes_of(train(table, test::smooth_roles(), o, false, {.threads = threads}).model))
          << name << ", " << threads << " threads";
    }
  }
}

TEST(Train, AnotherSeedGivesAnotherModel) {
  Options o = quick();
  const Table table = test::smooth_table(200);
  const std::string first = bytes_of(train(table, test::smooth_roles(), o, false, {}).model);
  o.seed = 1;
  EXPECT_NE(first, bytes_of(train(table, test::smooth_roles(), o, false, {}).model));
}

TEST(Train, ARunStoppedAndResumedEndsWithTheSameBytes) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_snapshot_" + std::to_string(::getpid()) + ".safetensors");
  const Table table = test::smooth_table(300);
  Options o = quick();
  o.uncertainty_weights = true;
  const std::string whole =
      bytes_of(train(table, test::smooth_roles(), o, false, {.threads = 2}).model);
  for (const int stop_after : {1, 19, 20, 33, 59}) {
    int steps = 0;
    RunSettings run{.threads = 1, .snapshot = snapshot, .snapshot_every = 7};
    run.stop = [&] { return ++steps == stop_after; };
    EXPECT_THROW(train(table, test::smooth_roles(), o, false, run), Error);
    ASSERT_TRUE(std::filesystem::exists(snapshot));
    run.stop = {};
    run.resume = true;
    EXPECT_EQ(whole, bytes_of(train(table, test::smooth_roles(), o, false, run).model))
        << "stopped after " << stop_after;
  }
  std::filesystem::remove(snapshot);
}

TEST(Train, ARunResumedAtItsLastStepEndsLikeOneThatNeverStopped) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_last_" + std::to_string(::getpid()) + ".safetensors");
  const Table table = test::smooth_table(150);
  Options o = quick();
  o.evaluate_every = 50;
  o.steps = 200;
  train(table, test::smooth_roles(), o, false, {.snapshot = snapshot, .snapshot_every = 130});
  for (const std::int64_t steps : {130, 131, 200}) {
    o.steps = steps;
    const std::string whole = bytes_of(train(table, test::smooth_roles(), o, false, {}).model);
    const RunSettings resume{.snapshot = snapshot, .snapshot_every = 0, .resume = true};
    EXPECT_EQ(whole, bytes_of(train(table, test::smooth_roles(), o, false, resume).model)) << steps;
  }
  o.steps = 129;
  const RunSettings resume{.snapshot = snapshot, .resume = true};
  EXPECT_THROW(train(table, test::smooth_roles(), o, false, resume), Error);
  std::filesystem::remove(snapshot);
}

TEST(Train, AValidationShareLeavesEnoughRowsToTrainOn) {
  Options o = quick();
  o.validation = 0.9;
  const TrainResult r = train(test::smooth_table(8), test::smooth_roles(), o, false, {});
  EXPECT_EQ(3, r.model.info().training_points);
}

TEST(Train, ASnapshotOfOtherDataOrOptionsIsRefused) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_foreign_" + std::to_string(::getpid()) + ".safetensors");
  Options o = quick();
  train(test::smooth_table(100), test::smooth_roles(), o, false,
        {.snapshot = snapshot, .snapshot_every = 10});
  RunSettings resume{.snapshot = snapshot, .resume = true};
  EXPECT_THROW(train(test::smooth_table(100, 2), test::smooth_roles(), o, false, resume), Error);
  o.learning_rate = 0.1;
  EXPECT_THROW(train(test::smooth_table(100), test::smooth_roles(), o, false, resume), Error);
  std::filesystem::remove(snapshot);
}

TEST(Train, ASnapshotOfOtherWeightsOfRowsIsRefused) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_weights_" + std::to_string(::getpid()) + ".safetensors");
  const auto weighed = [](double heavy) {
    Table table = test::smooth_table(60);
    std::vector<double> weights(60, 1.0);
    weights[7] = heavy;
    table.add("w", weights);
    return table;
  };
  Roles roles = test::smooth_roles();
  roles.weight = "w";
  train(weighed(2), roles, quick(), false, {.snapshot = snapshot, .snapshot_every = 10});
  const RunSettings resume{.snapshot = snapshot, .resume = true};
  EXPECT_NO_THROW(train(weighed(2), roles, quick(), false, resume));
  for (const double heavy : {1.0, 3.0}) {
    EXPECT_NE(test::refusal([&] {
                train(weighed(heavy), roles, quick(), false, resume);
              }).find("belongs to a run on other data"),
              std::string::npos);
  }
  std::filesystem::remove(snapshot);
}

// Deep, and with steps far too long: its loss is a number at first, and then no longer.
Options astray() {
  Options o = test::small_model("mlp", 400);
  o.layers = 16;
  o.evaluate_every = 1;
  o.learning_rate = 10;
  o.dropout = 0;
  o.patience = 0;
  return o;
}

TEST(Train, ALossThatIsNoLongerANumberEndsTheRunAndKeepsTheLastGoodWeights) {
  const auto snapshot = std::filesystem::temp_directory_path() /
                        ("pegnn_astray_" + std::to_string(::getpid()) + ".safetensors");
  const Table table = test::smooth_table(60);
  Options o = astray();
  const auto run = [&](const RunSettings& settings) {
    return test::refusal([&] { train(table, test::smooth_roles(), o, false, settings); },
                         ErrorKind::failure);
  };
  const std::string message = run({.threads = 1, .snapshot = snapshot, .snapshot_every = 0});
  EXPECT_NE(message.find("no longer a number at learning rate 10; the weights of step "),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("--resume and a smaller --learning-rate than 10"), std::string::npos);
  const TrainState kept = load_snapshot(snapshot).begun.at("member 1");
  EXPECT_GT(kept.step, 0);
  EXPECT_NE(message.find("the weights of step " + std::to_string(kept.step) + " are kept"),
            std::string::npos)
      << message;
  ASSERT_FALSE(kept.curve.empty());
  EXPECT_EQ(kept.step, kept.curve.back().step);
  for (const TrainProgress& p : kept.curve) EXPECT_TRUE(std::isfinite(p.validation)) << p.step;
  // The same on more threads; where no snapshot is kept, what to try is said.
  EXPECT_EQ(message, run({.threads = 3, .snapshot = snapshot, .snapshot_every = 0}));
  EXPECT_NE(run({.threads = 1}).find("try a smaller --learning-rate than 10"), std::string::npos);
  // With the same rate it ends as before; other options are still another run's.
  const RunSettings resume{.threads = 1, .snapshot = snapshot, .snapshot_every = 0, .resume = true};
  EXPECT_EQ(message, run(resume));
  o.k = 3;
  EXPECT_THROW(train(table, test::smooth_roles(), o, false, resume), Error);
  std::filesystem::remove(snapshot);
}

TEST(Train, WhatARunGoneAstrayHasKeptIsContinuedWithAnotherRate) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("pegnn_kept_" + std::to_string(::getpid()) + ".safetensors");
  const Table table = test::smooth_table(60);
  Options o = quick();
  o.patience = 0;
  const auto run = [&] {
    return train(table, test::smooth_roles(), o, false,
                 {.threads = 1, .snapshot = file, .snapshot_every = 10, .resume = true});
  };
  train(table, test::smooth_roles(), o, false,
        {.threads = 1, .snapshot = file, .snapshot_every = 40});
  // At step 40 of 60 a moment is such that the next step leads out of this world.
  const Snapshot good = load_snapshot(file);
  Snapshot spoiled = good;
  TrainState& wild = spoiled.begun.at("member 1");
  ASSERT_EQ(40, wild.step);
  wild.first_moment[0] = 3e38F;
  wild.second_moment[0] = 0;
  save_snapshot(spoiled, file);
  const std::string message = test::refusal(run, ErrorKind::failure);
  EXPECT_NE(message.find("the weights of step " + std::to_string(wild.step) + " are kept"),
            std::string::npos)
      << message;
  Snapshot kept = load_snapshot(file);
  EXPECT_EQ(wild.parameters, kept.begun.at("member 1").parameters);
  EXPECT_NE(good.fingerprint, kept.fingerprint);
  kept.begun = good.begun;
  save_snapshot(kept, file);
  o.learning_rate /= 2;
  EXPECT_EQ(o.steps, run().model.info().steps);
  // One that did not go astray is not continued so.
  save_snapshot(good, file);
  EXPECT_NE(test::refusal(run).find("with other options"), std::string::npos);
  std::filesystem::remove(file);
}

TEST(Train, KeepsTheWeightsOfTheBestLook) {
  Options o = quick();
  o.learning_rate = 0.05;  // restless on purpose
  o.steps = 300;
  o.evaluate_every = 10;
  const TrainResult r = train(test::smooth_table(200), test::smooth_roles(), o, false, {});
  double best = INFINITY;
  std::int64_t step = 0;
  for (const TrainProgress& p : r.curve) {
    if (p.validation < best) {
      best = p.validation;
      step = p.step;
    }
  }
  EXPECT_EQ(step, r.model.info().best_step);
  EXPECT_EQ(best, r.model.info().best_validation);
  const ModelState& s = r.model.state();
  double mse = 0;
  for (std::size_t i = 0; i < r.observed.size(); ++i) {
    const double e = (r.observed[i] - r.predicted[i]) / s.scaler.target.linear.scale;
    mse += e * e / static_cast<double>(r.observed.size());
  }
  EXPECT_NEAR(best, mse, 1e-5 * best + 1e-9) << "the rows shown are predicted with those weights";
}

TEST(Train, StopsEarlyWhenValidationNoLongerGains) {
  Options o = quick();
  o.learning_rate = 10;  // hopeless
  o.steps = 5000;
  o.evaluate_every = 1;
  o.patience = 5;
  const TrainResult r = train(test::smooth_table(100), test::smooth_roles(), o, false, {});
  EXPECT_LT(r.model.info().steps, 5000);
  EXPECT_EQ(r.model.info().best_step + 5, r.model.info().steps);
}

TEST(Train, AConstantTargetIsPredictedAndTheAuxiliaryTaskSwitchedOff) {
  Table table("flat.csv");
  const Table smooth = test::smooth_table(50);
  table.add("lon", smooth.find("lon")->values);
  table.add("lat", smooth.find("lat")->values);
  table.add("y", std::vector<double>(50, 7.5));
  Collect log;
  Options o = quick();
  o.steps = 300;
  const TrainResult r = train(table, test::smooth_roles(false), o, false, {.log = &log});
  EXPECT_NE(log.warnings.find("constant"), std::string::npos);
  for (const double p : r.predicted) EXPECT_EQ(7.5, p);
}

TEST(Train, AllPointsInOnePlaceAndDuplicatesAreAllowed) {
  Table table("one_place.csv");
  std::vector<double> y(40);
  for (std::size_t i = 0; i < 40; ++i) y[i] = static_cast<double>(i % 7);
  table.add("lon", std::vector<double>(40, 12.0));
  table.add("lat", std::vector<double>(40, 90.0));
  table.add("y", y);
  const TrainResult r = train(table, test::smooth_roles(false), quick(), false, {});
  for (const double p : r.predicted) EXPECT_TRUE(std::isfinite(p));
}

TEST(Train, FewRowsWorkAndTooFewAreRefused) {
  Collect log;
  Options o = quick();
  EXPECT_EQ(
      3U,
      train(test::smooth_table(3), test::smooth_roles(), o, false, {.log = &log}).observed.size());
  EXPECT_EQ("", log.warnings) << "the number of neighbours was left to us";
  o.k = 5;
  train(test::smooth_table(3), test::smooth_roles(), o, false, {.log = &log});
  EXPECT_NE(log.warnings.find("--k 5"), std::string::npos) << log.warnings;
  for (const std::size_t rows : {1U, 2U}) {
    try {
      train(test::smooth_table(rows), test::smooth_roles(), quick(), false, {});
      FAIL() << "no error";
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::data, e.kind());
    }
  }
}

TEST(Train, ALossThatIsNoNumberStopsTheRunWithAHint) {
  const Table smooth = test::smooth_table(100);
  Table table("huge.csv");
  std::vector<double> y = smooth.find("y")->values;
  for (double& v : y) v *= 1e38;  // unscaled, beyond what a float holds
  table.add("lon", smooth.find("lon")->values);
  table.add("lat", smooth.find("lat")->values);
  table.add("y", y);
  Options o = quick();
  o.scaling = "none";
  try {
    train(table, test::smooth_roles(false), o, false, {});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::failure, e.kind());
    EXPECT_NE(std::string(e.what()).find("--learning-rate"), std::string::npos) << e.what();
  }
}

TEST(Train, MoreMemoryThanThereIsIsRefusedWithFigures) {
  Options o = quick();
  o.backbone = "kcn";
  o.k = 800;
  o.width = 4096;
  o.layers = 16;
  o.batch = 0;
  try {
    train(test::smooth_table(900), test::smooth_roles(), o, false, {.threads = 1});
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::memory, e.kind());
    EXPECT_NE(std::string(e.what()).find("training on 810 rows in batches of 810 needs"),
              std::string::npos)
        << e.what();
    EXPECT_NE(std::string(e.what()).find("--batch"), std::string::npos) << e.what();
  }
}

// Whether the table is kept or let go on the way.
TEST(Train, AGivenAndALentTableGiveTheSameModel) {
  Table table = test::smooth_table(200);
  const Roles roles = test::smooth_roles();
  const TrainResult lent = train(table, roles, quick(), false, {.threads = 1});
  EXPECT_EQ(200, table.rows());
  const TrainResult given = train(std::move(table), roles, quick(), false, {.threads = 1});
  EXPECT_EQ(bytes_of(lent.model), bytes_of(given.model));
  EXPECT_EQ(lent.shown_rows, given.shown_rows);
  EXPECT_EQ(lent.predicted, given.predicted);
}

TEST(Train, HoldsBackABoundedNumberOfRows) {
  Options o = quick();
  o.steps = 1;
  o.validation = 0.5;
  o.backbone = "mlp";
  const std::size_t rows = 2 * static_cast<std::size_t>(kMostValidationRows) + 1000;
  const TrainResult r =
      train(test::smooth_table(rows), test::smooth_roles(), o, false, {.threads = 2});
  EXPECT_EQ(static_cast<std::size_t>(kMostValidationRows), r.observed.size());
  EXPECT_EQ(static_cast<std::int64_t>(rows) - kMostValidationRows, r.model.info().training_points);
}

// Noughts and ones that nothing tells apart.
Table coins() {
  Table table = test::smooth_table(400);
  std::vector<double> y, w;
  for (std::size_t i = 0; i < 400; ++i) {
    y.push_back(i % 2 == 0 ? 1 : 0);
    w.push_back(i % 2 == 0 ? 9 : 1);
  }
  table.replace("y", y);
  table.add("w", w);
  return table;
}

TEST(Train, ANetworkIsPulledTowardsHeavyRows) {
  Options o = test::small_model("mlp", 300);
  o.learning_rate = 0.01;
  o.schedule = "constant";
  o.weight_decay = 0;
  const auto mean_of = [&](const char* weight) {
    Roles roles = test::smooth_roles(false);
    roles.weight = weight;
    const std::vector<double> all =
        train(coins(), roles, o, false, {.threads = 1}).model.predict(coins(), {}, false, {});
    double mean = 0;
    for (const double v : all) mean += v / static_cast<double>(all.size());
    return mean;
  };
  EXPECT_NEAR(0.5, mean_of(""), 0.1);
  EXPECT_NEAR(0.9, mean_of("w"), 0.1);
}

TEST(Train, TheDefaultPresetTakesWeightsOnAnyNumberOfThreads) {
  Table table = test::smooth_table(300);
  std::vector<double> w;
  for (std::size_t i = 0; i < 300; ++i) w.push_back(1 + static_cast<double>(i % 5));
  table.add("w", w);
  Roles roles = test::smooth_roles();
  const std::string plain = bytes_of(train(table, roles, test::small_default(), false, {}).model);
  roles.weight = "w";
  const auto bytes = [&](int threads) {
    return bytes_of(train(table, roles, test::small_default(), false, {.threads = threads}).model);
  };
  const std::string one = bytes(1);
  EXPECT_TRUE(one == bytes(3));
  EXPECT_FALSE(one == plain);
}

}  // namespace
}  // namespace pegnn
