#include "flow/results.h"

#include <sstream>

#include <gtest/gtest.h>

#include "support/json.h"

namespace pegnn {
namespace {

Evaluation evaluation(const std::string& model, double error, std::size_t folds) {
  Evaluation e;
  e.model = model;
  e.scheme.scheme = "random";
  e.folds.resize(folds);
  for (FoldScore& fold : e.folds) {
    fold.metrics.rows = fold.test_rows = 10;
    fold.metrics["mse"] = error;
    fold.train_rows = 40;
  }
  e.mean.rows = 50;
  for (const char* figure : {"mse", "mae", "rmse", "mse_minmax", "mae_minmax", "bias"}) {
    e.mean[figure] = error;
  }
  e.seconds = 1.5;
  return e;
}

Comparison league() {
  Comparison c;
  c.scheme.scheme = "random";
  c.folds = 5;
  c.rows.push_back(
      {.evaluation = evaluation("kriging", 1, 5), .verdict = Verdict::best, .reason = {}});
  c.rows.push_back({.evaluation = evaluation("mean", 4, 5),
                    .verdict = Verdict::worse,
                    .reason = {},
                    .lead = 3,
                    .p = 0.001,
                    .p_holm = 0.002});
  LeagueRow failed;
  failed.evaluation.model = "boosting";
  failed.reason = "this build has no XGBoost, " + std::string(200, 'x');
  c.rows.push_back(failed);
  c.warnings = {"feature 'a' copies the target"};
  return c;
}

TEST(EvaluationJson, HasTheFiguresByName) {
  const auto json = test::parse_json(evaluation_json({evaluation("mean", 4, 5)}));
  const auto& row = json.at("rows").at(0);
  EXPECT_EQ("mean", row.at("model"));
  EXPECT_EQ(5, row.at("folds"));
  EXPECT_EQ(50, row.at("test_rows"));
  EXPECT_EQ(4, row.at("mse"));
  EXPECT_TRUE(row.at("r2").is_null());
  EXPECT_EQ(5u, row.at("per_fold").size());
  EXPECT_EQ(10, row.at("per_fold").at(0).at("test_rows"));
}

TEST(EvaluationJson, OfOneSplitHasNoDeviations) {
  const auto json = test::parse_json(evaluation_json({evaluation("mean", 4, 1)}));
  EXPECT_FALSE(json.at("rows").at(0).contains("mse_sd"));
  EXPECT_FALSE(json.at("rows").at(0).contains("per_fold"));
}

TEST(ComparisonJson, RanksThoseThatWereTrained) {
  const auto json = test::parse_json(comparison_json(league(), "pegnn compare a.csv"));
  const auto& rows = json.at("rows");
  EXPECT_EQ(1, rows.at(0).at("rank"));
  EXPECT_EQ(2, rows.at(1).at("rank"));
  EXPECT_EQ("worse", rows.at(1).at("verdict"));
  EXPECT_FALSE(rows.at(2).contains("rank"));
  EXPECT_EQ(league().rows[2].reason, rows.at(2).at("error"));
  EXPECT_EQ("pegnn compare a.csv", json.at("command"));
  EXPECT_FALSE(json.contains("interrupted"));
}

TEST(ComparisonTable, StaysWithinAHundredColumns) {
  std::istringstream lines(comparison_table(league()));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_GT(count, 4u);
}

}  // namespace
}  // namespace pegnn
