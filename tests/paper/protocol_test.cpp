#include "paper/protocol.h"

#include <cmath>

#include <gtest/gtest.h>

#include "model/preset.h"
#include "pegnn/train.h"
#include "support/paper.h"

namespace pegnn {
namespace {

const ModelRow kSage{"PE-GraphSAGE λ=0.25", "pe-sage", 0.25, true};

TEST(Protocol, TrainsThePapersNetworksAsThePresetSays) {
  const PaperRows air = test::small_set("air-temperature", 100);
  const Options o = table_run(kSage, air, Task::interpolation, 3, {}).options;
  Options expected = named_model("pe-sage", "reference");
  expected.lambda = 0.25;
  expected.batch = 1024;
  expected.steps = 3000;
  expected.evaluate_every = 20;
  expected.seed = 3;
  expected.kernel = "gaussian";
  EXPECT_EQ(expected, o);
  Effort text;
  text.preset = "paper";
  EXPECT_EQ("shallow", table_run(kSage, air, Task::interpolation, 0, text).options.encoder_network);
}

TEST(Protocol, WhereLooksDecideWhenToStopTheyStayAsThePresetSays) {
  const PaperRows air = test::small_set("air-temperature", 100);
  Effort text;
  text.preset = "paper";
  const Options o = table_run(kSage, air, Task::interpolation, 0, text).options;
  EXPECT_EQ(preset("paper").evaluate_every, o.evaluate_every);
  EXPECT_EQ(preset("paper").patience, o.patience);
}

TEST(Protocol, TimedStepsSeeAllTrainingRows) {
  const PaperRows rows = test::small_set("california-housing", 100);
  for (const char* name : {"reference", "paper"}) {
    Effort effort;
    effort.preset = name;
    const Options o = timed_run(published_steps().front(), rows, 1, effort).options;
    EXPECT_EQ(0, o.batch);
    EXPECT_EQ(0, o.validation);
  }
}

TEST(Protocol, BatchesAndStepsAreThoseOfTheDataSet) {
  const struct {
    const char* name;
    std::int64_t batch;
  } kSets[] = {{"california-housing", 2048},
               {"election", 1024},
               {"air-temperature", 1024},
               {"3d-road", 2048}};
  for (const auto& set : kSets) {
    const PaperRows rows = test::small_set(set.name, 100);
    EXPECT_EQ(set.batch, table_run(kSage, rows, Task::interpolation, 0, {}).options.batch);
  }
  const PaperRows large = test::small_set("california-housing", 12'500);
  EXPECT_EQ(6000, table_run(kSage, large, Task::interpolation, 0, {}).options.steps);
  Effort given;
  given.steps = 77;
  EXPECT_EQ(77, table_run(kSage, large, Task::interpolation, 0, given).options.steps);
}

TEST(Protocol, PlainNetworksHaveNoAuxiliaryTask) {
  const PaperRows rows = test::small_set("election", 100);
  const Options o = table_run({"GCN", "gcn", kNotThere}, rows, Task::regression, 0, {}).options;
  EXPECT_EQ(0, o.lambda);
  EXPECT_EQ("none", o.encoder);
}

TEST(Protocol, EveryModelOfTheTablesCanBeTrained) {
  const PaperRows rows = test::small_set("election", 100);
  for (const Task task : {Task::interpolation, Task::regression}) {
    for (const PublishedRow& row : published_rows(task)) {
      const ModelRow model{std::string(row.name), std::string(row.model), row.lambda};
      EXPECT_NO_THROW(check_options(table_run(model, rows, task, 0, {}).options)) << row.name;
    }
    for (const ModelRow& row : further_rows()) {
      EXPECT_NO_THROW(check_options(table_run(row, rows, task, 0, {}).options)) << row.name;
    }
  }
}

TEST(Protocol, TheDefaultModelIsTheOneWeRecommend) {
  const PaperRows rows = test::small_set("election", 100);
  EXPECT_EQ(preset("default"),
            table_run(further_rows().back(), rows, Task::regression, 0, {}).options);
}

TEST(Protocol, FiveNeighboursAndTheUsualBatchAreTheRunOfTheTables) {
  const PaperRows rows = test::small_set("california-housing", 100);
  const RunSpec usual = table_run(kSage, rows, Task::interpolation, 0, {});
  EXPECT_EQ(key_of(usual, rows), key_of(sensitivity_run(kSage, rows, 5, 2048, {}), rows));
  EXPECT_EQ(10, sensitivity_run(kSage, rows, 10, 512, {}).options.k);
  EXPECT_EQ(512, sensitivity_run(kSage, rows, 10, 512, {}).options.batch);
}

TEST(Protocol, PredictionsAreKeptOnlyForTheMaps) {
  const PaperRows california = test::small_set("california-housing", 100);
  const PaperRows election = test::small_set("election", 100);
  EXPECT_TRUE(table_run(kSage, california, Task::regression, 0, {}).keeps_predictions);
  EXPECT_FALSE(table_run(kSage, california, Task::regression, 1, {}).keeps_predictions);
  EXPECT_FALSE(table_run(kSage, california, Task::interpolation, 0, {}).keeps_predictions);
  EXPECT_FALSE(table_run(kSage, election, Task::regression, 0, {}).keeps_predictions);
}

TEST(Protocol, AQuickOneTakesFarFewerSteps) {
  const PaperRows rows = test::small_set("california-housing", 12'500);
  Effort quick;
  quick.quick = true;
  double whole = 0, fast = 0;
  for (const PublishedRow& row : published_rows(Task::regression)) {
    const ModelRow model{std::string(row.name), std::string(row.model), row.lambda};
    if (model.model == "gp" || model.model == "svgp") continue;
    whole += expected_seconds(table_run(model, rows, Task::regression, 0, {}), rows);
    fast += expected_seconds(table_run(model, rows, Task::regression, 0, quick), rows);
  }
  EXPECT_LT(fast, whole / 30);
  EXPECT_LT(bar_runs(quick), bar_runs({}));
}

}  // namespace
}  // namespace pegnn
