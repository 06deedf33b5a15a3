#include "paper/training_run.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "paper/run_file.h"
#include "support/options.h"
#include "support/paper.h"

namespace pegnn {
namespace {

RunSpec spec_of(const std::string& model, Task task = Task::regression) {
  return {.name = model,
          .dataset = "air-temperature",
          .task = task,
          .options = test::small_model(model),
          .keeps_predictions = false,
          .timed_threads = 0};
}

PaperRows air() { return test::small_set("air-temperature", 120); }

TEST(TrainingRun, IsScoredOnTheRowsOfThePapersSplit) {
  const PaperRows rows = air();
  EXPECT_EQ(24U, rows.test_rows.size());
  EXPECT_EQ(96, rows.training_rows());
  RunSpec spec = spec_of("knn");
  spec.keeps_predictions = true;
  const RunResult result = train_and_score(spec, rows, {});
  ASSERT_EQ(rows.test_rows.size(), result.predicted.size());
  const std::vector<double>& y = rows.data.table.find(rows.data.roles.target)->values;
  const auto [lo, hi] = std::minmax_element(y.begin(), y.end());
  double mse = 0;
  for (std::size_t i = 0; i < rows.test_rows.size(); ++i) {
    const double off =
        (result.predicted[i] - y[static_cast<std::size_t>(rows.test_rows[i])]) / (*hi - *lo);
    mse += off * off / 24;
  }
  EXPECT_NEAR(mse, result.errors.mse, 1e-12);
}

TEST(TrainingRun, InterpolationSeesNoFeatures) {
  const PaperRows rows = air();
  const RunResult with = train_and_score(spec_of("boosting", Task::regression), rows, {});
  const RunResult without = train_and_score(spec_of("boosting", Task::interpolation), rows, {});
  EXPECT_LT(with.errors.mse, without.errors.mse);
}

TEST(TrainingRun, OfANetworkKeepsTheTestErrorAsItLearns) {
  const RunResult result = train_and_score(spec_of("pe-gcn"), air(), {});
  ASSERT_EQ(2U, result.curve.size());
  EXPECT_EQ(20, result.curve.back().step);
  EXPECT_TRUE(std::isfinite(result.curve.back().watched));
  EXPECT_TRUE(std::isfinite(result.curve.back().main));
  EXPECT_GT(result.step_seconds(), 0);
}

TEST(TrainingRun, OfAModelWithSeveralTrainingsHasNoCurve) {
  RunSpec spec = spec_of("label_attention");
  spec.options.members = 2;
  EXPECT_TRUE(train_and_score(spec, air(), {}).curve.empty());
  EXPECT_TRUE(train_and_score(spec_of("kriging"), air(), {}).curve.empty());
}

TEST(TrainingRun, ThatIsTimedStopsAfterItsSteps) {
  for (const char* model : {"pe-gcn", "gp"}) {
    RunSpec spec = spec_of(model);
    spec.timed_threads = 1;
    const RunResult result = train_and_score(spec, air(), {.threads = 1});
    EXPECT_GT(result.step_seconds(), 0) << model;
    EXPECT_TRUE(std::isnan(result.errors.mse)) << model;
  }
}

TEST(TrainingRun, ThatIsTimedCanBeInterrupted) {
  RunSpec spec = spec_of("pe-gcn");
  spec.timed_threads = 1;
  RunSettings run;
  run.stop = [] { return true; };
  EXPECT_ANY_THROW((void)train_and_score(spec, air(), run));
}

TEST(TrainingRun, TheKeyTellsApartWhateverChangesTheOutcome) {
  const PaperRows rows = air(), others = test::small_set("air-temperature", 121);
  const RunSpec spec = spec_of("pe-gcn");
  const std::string key = key_of(spec, rows);
  EXPECT_EQ(key, key_of(spec, air()));
  EXPECT_NE(key, key_of(spec, others));
  EXPECT_NE(key, key_of(spec_of("pe-gcn", Task::interpolation), rows));
  RunSpec other = spec;
  other.options.seed = 1;
  EXPECT_NE(key, key_of(other, rows));
  other = spec;
  other.options.lambda = 0.5;
  EXPECT_NE(key, key_of(other, rows));
  other = spec;
  other.keeps_predictions = true;
  EXPECT_NE(key, key_of(other, rows));
}

TEST(TrainingRun, TheKeyDoesNotHangOnWhatTheModelIsCalled) {
  RunSpec other = spec_of("pe-gcn");
  other.name = "PE-GCN";
  EXPECT_EQ(key_of(spec_of("pe-gcn"), air()), key_of(other, air()));
}

class RunFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("run_file_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  const std::filesystem::path file_ = folder_ / "run.json";
};

TEST_F(RunFile, IsReadBackAsItWasWritten) {
  const RunSpec spec = spec_of("pe-gcn");
  RunResult result = train_and_score(spec, air(), {});
  result.predicted = {0.1, -1e300, 3};
  save_run(spec, result, file_);
  const std::optional<RunResult> read = load_run(file_);
  ASSERT_TRUE(read);
  EXPECT_EQ(result.errors.mse, read->errors.mse);
  EXPECT_EQ(result.errors.mae, read->errors.mae);
  EXPECT_EQ(result.predicted, read->predicted);
  ASSERT_EQ(result.curve.size(), read->curve.size());
  for (std::size_t i = 0; i < result.curve.size(); ++i) {
    EXPECT_EQ(result.curve[i].step, read->curve[i].step);
    EXPECT_EQ(result.curve[i].main, read->curve[i].main);
    EXPECT_EQ(result.curve[i].watched, read->curve[i].watched);
    EXPECT_TRUE(std::isnan(read->curve[i].sigma_main));
  }
}

TEST_F(RunFile, ThatIsNotThereOrDamagedIsNoRun) {
  EXPECT_FALSE(load_run(file_));
  for (const char* bytes : {"", "{", "[]", "{\"mse\": 1}", "{\"mse\": \"x\", \"mae\": 1}"}) {
    std::ofstream(file_) << bytes;
    EXPECT_FALSE(load_run(file_)) << bytes;
  }
}

TEST(StoredRun, WithAStepThatIsNoWholeNumberIsNoRun) {
  const auto run = [](const std::string& step) {
    return parse_run(R"({"mse": 1, "mae": 1, "seconds": 2, "predicted": [], "curve": [[)" + step +
                     ", 1, 2, 3, 4, 5, 6]]}");
  };
  ASSERT_TRUE(run("7"));
  EXPECT_EQ(7, run("7")->curve.at(0).step);
  for (const char* step : {"1e300", "7.5", "null", "9223372036854775808"}) {
    EXPECT_FALSE(run(step)) << step;
  }
}

}  // namespace
}  // namespace pegnn
