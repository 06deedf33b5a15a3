#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/log.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

Options quick() { return test::small_model("pe-gcn"); }

CompareEntry named(const std::string& name) { return {name, test::small_model(name)}; }

EvaluateSettings folds(std::int64_t count, std::int64_t repeats = 1) {
  EvaluateSettings settings;
  settings.folds = count;
  settings.repeats = repeats;
  return settings;
}

Comparison league(const std::vector<std::string>& names, const EvaluateSettings& settings,
                  const RunSettings& run = {}) {
  std::vector<CompareEntry> entries;
  for (const std::string& name : names) entries.push_back(named(name));
  return compare(test::smooth_table(150), test::smooth_roles(), entries, settings, run);
}

class Words final : public Log {
 public:
  void note(std::string_view) override {}
  void warn(std::string_view text) override { warnings += std::string(text) + "\n"; }
  void detail(std::string_view) override {}
  std::string warnings;
};

TEST(Compare, RanksFromTheLowestErrorUp) {
  const Comparison c = league({"mean", "knn", "kriging"}, folds(3));
  ASSERT_EQ(c.rows.size(), 3U);
  EXPECT_EQ(c.rows.front().verdict, Verdict::best);
  EXPECT_EQ(c.rows.front().lead, 0);
  EXPECT_EQ(c.rows.back().evaluation.model, "mean");
  EXPECT_EQ(c.rows.back().verdict, Verdict::worse);
  EXPECT_LT(c.rows.back().p_holm, 0.05);
  for (std::size_t i = 1; i < c.rows.size(); ++i) {
    const double now = c.rows[i].evaluation.mean["mse"], best = c.rows[0].evaluation.mean["mse"];
    EXPECT_LE(c.rows[i - 1].evaluation.mean["mse"], now);
    EXPECT_NEAR(c.rows[i].lead, now / best - 1, 1e-12);
  }
}

TEST(Compare, AModelIsTiedWithItself) {
  const std::vector<CompareEntry> twice{{"one", named("knn").options},
                                        {"two", named("knn").options}};
  const Comparison c =
      compare(test::smooth_table(150), test::smooth_roles(), twice, folds(4, 2), {});
  EXPECT_EQ(c.rows[0].evaluation.model, "one");
  EXPECT_EQ(c.rows[1].verdict, Verdict::tied);
  EXPECT_EQ(c.rows[1].p, 1.0);
  EXPECT_EQ(c.rows[1].lead, 0.0);
}

TEST(Compare, EveryModelIsScoredOnTheFoldsItHasAlone) {
  const Comparison c = league({"knn", "idw", "pe-gcn"}, folds(3));
  for (const LeagueRow& row : c.rows) {
    const Evaluation alone = evaluate(test::smooth_table(150), test::smooth_roles(),
                                      named(row.evaluation.model).options, folds(3), {});
    EXPECT_EQ(alone.predicted, row.evaluation.predicted) << row.evaluation.model;
    EXPECT_EQ(alone.mean["mse"], row.evaluation.mean["mse"]);
  }
}

TEST(Compare, AModelThatCannotBeTrainedIsARowWithTheReason) {
  CompareEntry broken = named("pe-gat");
  broken.options.heads = 5;  // no divisor of the width
  const Comparison c =
      compare(test::smooth_table(80), test::smooth_roles(), {broken, named("knn")}, folds(2), {});
  ASSERT_EQ(c.rows.size(), 2U);
  EXPECT_EQ(c.rows[0].evaluation.model, "knn");
  EXPECT_EQ(c.rows[1].verdict, Verdict::not_trained);
  EXPECT_NE(c.rows[1].reason.find("head"), std::string::npos) << c.rows[1].reason;
}

TEST(Compare, WhereNoModelCanBeTrainedTheErrorIsTheFirst) {
  try {
    compare(test::smooth_table(4), test::smooth_roles(), {named("knn"), named("mean")}, folds(2),
            {});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::data);
  }
  EXPECT_THROW(compare(test::smooth_table(40), test::smooth_roles(), {}, folds(2), {}), Error);
}

TEST(Compare, AnInterruptedLeagueKeepsWhatIsDone) {
  int asked = 0;
  RunSettings run;
  run.stop = [&] { return ++asked > 25; };  // the first network takes 20 steps in one fold
  const Comparison c = league({"knn", "pe-gcn", "pe-sage"}, folds(1), run);
  EXPECT_TRUE(c.interrupted);
  EXPECT_LT(c.rows.size(), 3U);
  EXPECT_GE(c.rows.size(), 1U);
  run.stop = [] { return true; };
  EXPECT_THROW(league({"pe-gcn", "knn"}, folds(1), run), Error);
}

TEST(Compare, ThreadsChangeNothing) {
  const Comparison a = league({"knn", "pe-gcn", "nngp"}, folds(2, 2), {.threads = 1});
  const Comparison b = league({"knn", "pe-gcn", "nngp"}, folds(2, 2), {.threads = 3});
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    EXPECT_EQ(a.rows[i].evaluation.model, b.rows[i].evaluation.model);
    EXPECT_EQ(a.rows[i].evaluation.predicted, b.rows[i].evaluation.predicted);
    EXPECT_EQ(a.rows[i].evaluation.residual_moran, b.rows[i].evaluation.residual_moran);
    EXPECT_EQ(i == 0, std::isnan(a.rows[i].p_holm));
    EXPECT_TRUE(i == 0 || a.rows[i].p_holm == b.rows[i].p_holm);
  }
}

TEST(Compare, RowsWithAMissingFeatureAreLeftOutForAllModelsAlike) {
  Table table("missing.csv");
  const Table smooth = test::smooth_table(60);
  for (Column column : smooth.columns()) {
    if (column.name == "a") column.values[7] = std::nan("");
    table.add(column);
  }
  EvaluateSettings settings = folds(2);
  settings.drop_missing = true;
  const Comparison c =
      compare(table, test::smooth_roles(), {named("knn"), named("pe-gcn")}, settings, {});
  for (const LeagueRow& row : c.rows) {
    EXPECT_EQ(row.evaluation.mean.rows, 59);
    EXPECT_TRUE(std::isnan(row.evaluation.predicted[7]));
  }
  const Comparison places = compare(table, test::smooth_roles(), {named("knn")}, settings, {});
  EXPECT_EQ(places.rows[0].evaluation.mean.rows, 60);
}

TEST(Repeats, RedrawFoldsButKeepASplit) {
  const Table table = test::smooth_table(100);
  const Options options = named("knn").options;
  const Evaluation many = evaluate(table, test::smooth_roles(), options, folds(4, 3), {});
  ASSERT_EQ(many.folds.size(), 12U);
  EXPECT_EQ(many.folds_per_repeat(), 4);
  EXPECT_EQ(many.mean.rows, 100);
  std::set<double> different;
  for (const FoldScore& fold : many.folds) different.insert(fold.metrics["mse"]);
  EXPECT_EQ(different.size(), 12U);

  const Evaluation one = evaluate(table, test::smooth_roles(), options, folds(1, 3), {});
  ASSERT_EQ(one.folds.size(), 3U);
  EXPECT_EQ(one.sd["mse"], 0);  // a mean of neighbours does not depend on the seed
}

TEST(Repeats, TrainWithTheSeedsThatFollow) {
  const Table table = test::smooth_table(100);
  const Evaluation many = evaluate(table, test::smooth_roles(), quick(), folds(1, 3), {});
  EXPECT_GT(many.sd["mse"], 0);
  for (std::int64_t r = 0; r < 3; ++r) {
    Options options = quick();
    options.seed += r;
    EvaluateSettings settings = folds(1);
    settings.split_seed = quick().seed;
    const Evaluation once = evaluate(table, test::smooth_roles(), options, settings, {});
    EXPECT_EQ(once.mean["mse"], many.folds[static_cast<std::size_t>(r)].metrics["mse"]);
  }
}

TEST(SplitSeed, DecidesTheSplitAndTheTrainingSeedDoesNot) {
  const Table table = test::smooth_table(100);
  const auto held = [&](std::int64_t seed, std::int64_t split_seed) {
    Options options = named("knn").options;
    options.seed = seed;
    EvaluateSettings settings = folds(1);
    settings.split_seed = split_seed;
    return evaluate(table, test::smooth_roles(), options, settings, {}).mean["mse"];
  };
  EXPECT_EQ(held(3, 8), held(5, 8));
  EXPECT_NE(held(3, 8), held(3, 9));
  EXPECT_EQ(held(8, -1), held(3, 8));  // left open, it is the seed
}

TEST(Blocks, AreTheSameForModelsWithAndWithoutFeatures) {
  EvaluateSettings settings = folds(3);
  settings.scheme = "block";
  const Table table = test::smooth_table(300);
  const double with =
      evaluate(table, test::smooth_roles(), quick(), settings, {}).scheme.block_size;
  const double without =
      evaluate(table, test::smooth_roles(), named("knn").options, settings, {}).scheme.block_size;
  EXPECT_EQ(with, without);
}

TEST(Warnings, TellOfRowsOfOnePlaceAndOfACopy) {
  Table table("twins.csv");
  const Table smooth = test::smooth_table(60);
  for (Column column : smooth.columns()) {
    if (column.name == "lon" || column.name == "lat") {
      for (std::size_t i = 1; i < 60; i += 2) column.values[i] = column.values[i - 1];
    }
    table.add(column);
    if (column.name == "y") table.add("copy", column.values);
  }
  Roles roles = test::smooth_roles();
  roles.features.push_back("copy");
  Words words;
  EvaluateSettings settings = folds(3);
  const Comparison c =
      compare(table, roles, {named("mean"), named("pe-gcn")}, settings, {.log = &words});
  EXPECT_EQ(c.warnings.size(), 2U);
  EXPECT_NE(words.warnings.find("stand at the very place"), std::string::npos);
  EXPECT_NE(words.warnings.find("'copy' copies the target"), std::string::npos);

  settings.scheme = "block";
  const Comparison blocks = compare(table, roles, {named("mean")}, settings, {});
  EXPECT_TRUE(blocks.warnings.empty());  // one place is in one block, and `mean` sees no feature
}

TEST(Compare, AModelThatCannotWeighRowsIsARowWithTheReason) {
  Table table = test::smooth_table(80);
  std::vector<double> w;
  for (std::size_t i = 0; i < 80; ++i) w.push_back(1 + static_cast<double>(i % 2));
  table.add("w", w);
  Roles roles = test::smooth_roles();
  roles.weight = "w";
  const Comparison c = compare(table, roles, {named("kriging"), named("knn")}, folds(2), {});
  ASSERT_EQ(c.rows.size(), 2U);
  EXPECT_EQ(c.rows[0].evaluation.model, "knn");
  EXPECT_EQ(c.rows[1].verdict, Verdict::not_trained);
  EXPECT_NE(c.rows[1].reason.find("cannot weigh rows"), std::string::npos) << c.rows[1].reason;
}

}  // namespace
}  // namespace pegnn
