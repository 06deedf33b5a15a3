#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

Options quick() { return test::small_model("pe-gcn"); }

TEST(Evaluate, EveryRowIsPredictedOnceInCrossValidation) {
  for (const char* scheme : {"random", "block"}) {
    EvaluateSettings settings;
    settings.scheme = scheme;
    settings.folds = 3;
    const Evaluation e =
        evaluate(test::smooth_table(150), test::smooth_roles(), quick(), settings, {});
    EXPECT_EQ(3U, e.folds.size());
    EXPECT_EQ(150, e.mean.rows);
    for (const double p : e.predicted) EXPECT_TRUE(std::isfinite(p));
    for (std::int64_t fold = 0; fold < 3; ++fold) {
      EXPECT_EQ(e.folds[static_cast<std::size_t>(fold)].test_rows,
                std::count(e.fold.begin(), e.fold.end(), fold));
    }
    EXPECT_GT(e.sd["mse"], 0);
    EXPECT_EQ(std::string(scheme) == "block", e.scheme.block_size > 0);
  }
}

TEST(Evaluate, GivenTestRowsAreTheOnesScored) {
  EvaluateSettings settings;
  settings.test_rows = {3, 1, 77};
  const Evaluation e =
      evaluate(test::smooth_table(100), test::smooth_roles(), quick(), settings, {});
  EXPECT_EQ("test-rows", e.scheme.scheme);
  EXPECT_EQ(3, e.mean.rows);
  EXPECT_EQ(97, e.folds[0].train_rows);
  for (std::size_t row = 0; row < 100; ++row) {
    const bool held_out = row == 1 || row == 3 || row == 77;
    EXPECT_EQ(held_out, std::isfinite(e.predicted[row]));
    EXPECT_EQ(held_out ? 0 : -1, e.fold[row]);
  }
}

TEST(Evaluate, MinmaxMetricsUseTheRangeOfAllRows) {
  const Table table = test::smooth_table(100);
  EvaluateSettings settings;
  settings.folds = 1;
  const Evaluation e = evaluate(table, test::smooth_roles(), quick(), settings, {});
  const auto& y = table.find("y")->values;
  const auto [lo, hi] = std::minmax_element(y.begin(), y.end());
  const double range = *hi - *lo;
  EXPECT_NEAR(e.mean["mse"] / (range * range), e.mean["mse_minmax"], 1e-12);
  EXPECT_NEAR(e.mean["mae"] / range, e.mean["mae_minmax"], 1e-12);
  EXPECT_EQ(20, e.mean.rows);
}

TEST(Evaluate, WatchingTheRowsHeldOutShowsTheirErrorAndChangesNothing) {
  Options options = quick();
  options.scaling = "minmax";
  options.scale_over = "all";
  options.validation = 0;
  for (const char* graph : {"train", "test-only"}) {
    options.graph = graph;
    EvaluateSettings settings;
    settings.folds = 1;
    const Table table = test::smooth_table(150);
    const Evaluation unwatched = evaluate(table, test::smooth_roles(), options, settings, {});
    settings.watch = true;
    std::vector<double> curve;
    RunSettings run;
    run.progress = [&](const TrainProgress& p) {
      if (p.measured) curve.push_back(p.watched);
    };
    const Evaluation watched = evaluate(table, test::smooth_roles(), options, settings, run);
    ASSERT_GT(curve.size(), 1U);
    EXPECT_GT(curve.front(), curve.back());
    EXPECT_NEAR(watched.mean["mse_minmax"], curve.back(), 1e-6);
    EXPECT_EQ(unwatched.mean["mse"], watched.mean["mse"]);
  }
}

TEST(Evaluate, TheSameSeedGivesTheSameFoldsAndScores) {
  EvaluateSettings settings;
  settings.folds = 2;
  const Table table = test::smooth_table(100);
  const Evaluation a = evaluate(table, test::smooth_roles(), quick(), settings, {.threads = 1});
  const Evaluation b = evaluate(table, test::smooth_roles(), quick(), settings, {.threads = 3});
  EXPECT_EQ(a.predicted, b.predicted);
}

TEST(Evaluate, AnUnknownSchemeIsRefused) {
  EvaluateSettings settings;
  settings.scheme = "blok";
  try {
    evaluate(test::smooth_table(50), test::smooth_roles(), quick(), settings, {});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::usage, e.kind());
    EXPECT_NE(std::string(e.what()).find("did you mean 'block'"), std::string::npos);
  }
}

TEST(Evaluate, ModelsAreNamedAfterEncoderAndBackbone) {
  Options o;
  EXPECT_EQ("pe-gcn", model_name(o));
  o.encoder = "none";
  o.backbone = "mlp";
  EXPECT_EQ("mlp", model_name(o));
}

TEST(Evaluate, WeightsActInTrainingAndNotInTheScore) {
  Table table = test::smooth_table(60);
  std::vector<double> w(60, 1.0);
  for (std::size_t i = 0; i < 60; i += 3) w[i] = 5;
  w[7] = 0;
  table.add("w", w);
  Roles roles = test::smooth_roles();
  roles.weight = "w";
  EvaluateSettings settings;
  settings.folds = 3;
  const Evaluation e = evaluate(table, roles, named_model("mean"), settings, {});
  EXPECT_EQ(59, e.mean.rows);
  EXPECT_TRUE(std::isnan(e.predicted[7])) << "a row of weight 0 is not there";
  const std::vector<double>& y = table.find("y")->values;
  double mse = 0;
  for (std::size_t fold = 0; fold < 3; ++fold) {
    double sum = 0, total = 0, held = 0, off = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      if (i == 7) continue;
      if (e.fold[i] == static_cast<std::int64_t>(fold)) {
        off += (y[i] - e.predicted[i]) * (y[i] - e.predicted[i]);
        ++held;
      } else {
        sum += w[i] * y[i];
        total += w[i];
      }
    }
    mse += off / held / 3;
    for (std::size_t i = 0; i < 60; ++i) {
      if (e.fold[i] == static_cast<std::int64_t>(fold)) {
        EXPECT_NEAR(sum / total, e.predicted[i], 1e-9);
      }
    }
  }
  EXPECT_NEAR(mse, e.mean["mse"], 1e-9);
}

TEST(Evaluate, ATestRowOfWeightZeroIsRefused) {
  Table table = test::smooth_table(40);
  std::vector<double> w(40, 1.0);
  w[3] = 0;
  table.add("w", w);
  Roles roles = test::smooth_roles();
  roles.weight = "w";
  EvaluateSettings settings;
  settings.test_rows = {1, 3};
  try {
    evaluate(table, roles, named_model("mean"), settings, {});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("test row 3 was left out"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace pegnn
