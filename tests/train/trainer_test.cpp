#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/log.h"
#include "support/options.h"
#include "support/tables.h"
#include "train/setting.h"

namespace pegnn {
namespace {

// A run on a smooth surface, with what is fitted before it.
class SmallRun {
 public:
  explicit SmallRun(const Options& options, std::int64_t held_back = 0,
                    std::vector<double> weight = {})
      : data_(make_dataset(test::smooth_table(120), test::smooth_roles(), Space::sphere,
                           MissingRows::refuse, silent_log())) {
    data_.weight = std::move(weight);
    for (std::int64_t row = 0; row < data_.rows(); ++row) {
      (row < held_back ? held_ : rows_).push_back(row);
    }
    setting_ = make_setting(data_, rows_, options, nullptr, context_);
    trainer.emplace(data_, setting_.scaler, setting_.options, rows_, held_, setting_.labels,
                    context_.backend);
  }
  const Dataset& data() const { return data_; }
  const Scaler& scaler() const { return setting_.scaler; }
  std::vector<float> parameters() const {
    return {trainer->parameters().begin(), trainer->parameters().end()};
  }

 private:
  Dataset data_;
  const Context context_{RunSettings{.threads = 1}};
  std::vector<std::int64_t> rows_, held_;
  Setting setting_;

 public:
  std::optional<Trainer> trainer;
};

Options network(const std::string& name) {
  Options o = test::small_model(name, 100);
  o.learning_rate = 0.01;
  o.weight_decay = 0;
  o.clip = 0;
  o.averaging = 0;
  o.schedule = "constant";
  return o;
}

std::vector<double> moved(const std::vector<float>& from, const std::vector<float>& to) {
  std::vector<double> difference;
  for (std::size_t i = 0; i < from.size(); ++i) {
    difference.push_back(static_cast<double>(to[i]) - static_cast<double>(from[i]));
  }
  return difference;
}

// Adam's first step moves every parameter that has a gradient by the step size.
double first_step_size(const Options& options, std::int64_t number) {
  SmallRun run(options);
  const std::vector<float> before = run.parameters();
  run.trainer->step(number);
  double size = 0;
  for (const double d : moved(before, run.parameters())) size = std::max(size, std::abs(d));
  return size;
}

TEST(Trainer, OneCycleRisesOverATenthOfTheStepsAndFallsToNothing) {
  Options o = network("gcn");
  for (const std::int64_t step : {0, 50, 99}) {
    EXPECT_NEAR(o.learning_rate, first_step_size(o, step), 1e-5);
  }
  o.schedule = "one-cycle";
  EXPECT_NEAR(0.04 * o.learning_rate, first_step_size(o, 0), 1e-6);
  EXPECT_NEAR(0.52 * o.learning_rate, first_step_size(o, 5), 1e-5);
  EXPECT_NEAR(o.learning_rate, first_step_size(o, 10), 1e-5);
  EXPECT_NEAR(0.5 * o.learning_rate, first_step_size(o, 55), 1e-5);
  EXPECT_LT(first_step_size(o, 99), 0.001 * o.learning_rate);
}

// Where gradients are far smaller than Adam's epsilon of 1e-8, its step is their multiple: lr g /
// epsilon. So the length of the step tells that of the gradient.
TEST(Trainer, ALongGradientIsShortenedToTheLimit) {
  Options o = network("gcn");
  o.learning_rate = 100;
  for (const double clip : {1e-11, 3e-11}) {
    o.clip = clip;
    SmallRun run(o);
    const std::vector<float> before = run.parameters();
    run.trainer->step(0);
    double squares = 0;
    for (const double d : moved(before, run.parameters())) squares += d * d;
    EXPECT_NEAR(100 * clip / 1e-8, std::sqrt(squares), 0.01 * 100 * clip / 1e-8);
  }
}

TEST(Trainer, AShortGradientIsLeftAsItIs) {
  Options o = network("gcn");
  SmallRun plain(o);
  o.clip = 1e6;
  SmallRun clipped(o);
  for (std::int64_t step = 0; step < 5; ++step) {
    plain.trainer->step(step);
    clipped.trainer->step(step);
  }
  EXPECT_EQ(plain.parameters(), clipped.parameters());
}

TEST(Trainer, AveragedWeightsFollowThoseOfTheSteps) {
  Options o = network("label_attention");
  o.steps = 12;
  o.averaging = 0.5;  // reached at the eighth step
  SmallRun by_hand(o), run(o);
  std::vector<float> average = by_hand.parameters();
  for (std::int64_t step = 0; step < o.steps; ++step) {
    by_hand.trainer->step(step);
    // The first averages forget faster: 2/11, 3/12, ... of the old one are kept.
    const auto taken = static_cast<float>(step + 1);
    const float kept = std::min(0.5F, (1 + taken) / (10 + taken));
    const std::vector<float> now = by_hand.parameters();
    for (std::size_t i = 0; i < now.size(); ++i) {
      average[i] = kept * average[i] + (1 - kept) * now[i];
    }
  }
  run.trainer->run({}, {});
  const std::vector<float> got = run.parameters();
  EXPECT_NE(by_hand.parameters(), got);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(average[i], got[i], 1e-6) << i;
}

TEST(Trainer, RowsHeldBackAreJudgedByTheAveragedWeights) {
  Options o = network("label_attention");
  o.averaging = 0.9;
  SmallRun run(o, 30);
  run.trainer->run({}, {});
  // What is left afterwards are the best weights, and they give the error told of them.
  EXPECT_EQ(run.trainer->progress().best_validation, run.trainer->validate());
  const TrainedNetwork finished = run.trainer->finished();
  EXPECT_EQ(30U, finished.held.predicted.size());
  EXPECT_EQ(30U, finished.held.smooth.size());
  EXPECT_EQ(run.parameters(), finished.parameters);
}

TEST(Trainer, WhereTrainingOnlySpoilsTheStartTheStartIsKept) {
  Options o = network("label_attention");
  o.learning_rate = 10;  // hopeless
  SmallRun run(o, 30);
  const std::vector<float> start = run.parameters();
  std::vector<std::int64_t> looks;
  run.trainer->run({.progress =
                        [&](const TrainProgress& p) {
                          if (p.measured) looks.push_back(p.step);
                        }},
                   {});
  EXPECT_EQ(0, looks.front());
  EXPECT_EQ(100, looks.back());
  EXPECT_EQ(0, run.trainer->progress().best_step);
  EXPECT_EQ(start, run.parameters());
  const TrainedNetwork finished = run.trainer->finished();
  EXPECT_EQ(finished.held.smooth, finished.held.predicted) << "it starts as its smoother";
}

TEST(Trainer, WithoutASmootherThereIsNoneToComeBackTo) {
  Options o = network("label_attention");
  o.part.set("smoother", "none");
  o.steps = 5;
  SmallRun run(o, 30);
  run.trainer->run({}, {});
  EXPECT_EQ(30U, run.trainer->finished().held.predicted.size());
  EXPECT_TRUE(run.trainer->finished().held.smooth.empty());
}

TEST(Trainer, ARunThatWasStoredGoesOnAsIfNothingHadBeen) {
  Options o = network("label_attention");
  o.steps = 24;
  o.averaging = 0.9;
  o.schedule = "one-cycle";
  o.clip = 1;
  SmallRun whole(o, 30), first(o, 30), second(o, 30);
  whole.trainer->run({}, {});
  int steps = 0;
  const RunSettings stopping{.stop = [&] { return ++steps == 13; }};
  TrainState kept;
  EXPECT_THROW(first.trainer->run(stopping, [&](const TrainState& state, bool) { kept = state; }),
               Error);
  second.trainer->restore(kept, "kept");
  second.trainer->run({}, {});
  EXPECT_EQ(whole.parameters(), second.parameters());
  EXPECT_EQ(whole.trainer->progress().best_validation, second.trainer->progress().best_validation);
}

TEST(Trainer, RowsHeldBackAreJudgedByTheirWeights) {
  Options o = network("gcn");
  std::vector<double> weight;
  for (std::size_t i = 0; i < 120; ++i) weight.push_back(i % 2 == 0 ? 1.5 : 0.5);
  SmallRun run(o, 30, weight);
  for (std::int64_t step = 0; step < 5; ++step) run.trainer->step(step);
  const Array<float> predicted = run.trainer->predict_validation();
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    const double off =
        static_cast<double>(predicted[i]) - run.scaler().target.apply(run.data().y[i]);
    sum += weight[i] * off * off;
    total += weight[i];
  }
  EXPECT_NEAR(sum / total, run.trainer->validate(), 1e-5 * sum / total);
}

}  // namespace
}  // namespace pegnn
