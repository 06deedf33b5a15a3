#include "evaluate/splits.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "geo/nearest.h"
#include "pegnn/log.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

class Said final : public Log {
 public:
  void note(std::string_view text) override { notes += std::string(text) + "\n"; }
  void warn(std::string_view text) override { warnings += std::string(text) + "\n"; }
  void detail(std::string_view) override {}
  std::string notes, warnings;
};

SplitPlan plan_of(const Table& table, const EvaluateSettings& settings, Log* log = nullptr,
                  std::int64_t seed = 3, int threads = 1) {
  const Roles roles = test::smooth_roles();
  RunSettings run;
  run.log = log;
  run.threads = threads;
  Said unheard;
  return SplitPlan(table, rows_to_split(table, roles, settings, unheard), roles, settings, seed,
                   run);
}

// A column of years, four of them in the same number of rows.
Table with_years(std::size_t rows) {
  Table table = test::smooth_table(rows);
  std::vector<double> year;
  for (std::size_t i = 0; i < rows; ++i) year.push_back(2000.0 + static_cast<double>(i % 4));
  table.add("year", year);
  return table;
}

EvaluateSettings by_year(std::int64_t folds = kFoldPerValue) {
  EvaluateSettings settings;
  settings.fold_column = "year";
  settings.folds = folds;
  return settings;
}

std::set<std::int64_t> held_in(const SplitPlan& plan, std::int64_t repeat) {
  std::set<std::int64_t> rows;
  for (const Split& split : plan.splits(repeat)) rows.insert(split.test.begin(), split.test.end());
  return rows;
}

TEST(FoldColumn, EveryValueIsAFoldInTheOrderOfTheValues) {
  const SplitPlan plan = plan_of(with_years(40), by_year());
  EXPECT_EQ(4, plan.folds());
  EXPECT_FALSE(plan.redrawn());
  EXPECT_EQ("fold-column", plan.scheme().scheme);
  EXPECT_EQ((std::vector<std::string>{"2000", "2001", "2002", "2003"}), plan.scheme().fold_names);
  const Array<Split> splits = plan.splits(0);
  ASSERT_EQ(4, splits.size());
  for (std::int64_t f = 0; f < 4; ++f) {
    EXPECT_EQ(10, splits[f].test.size());
    EXPECT_EQ(30, splits[f].train.size());
    for (const std::int64_t row : splits[f].test) EXPECT_EQ(f, row % 4);
  }
}

TEST(FoldColumn, ValuesAreDrawnIntoAsManyFoldsAsAreAskedFor) {
  const SplitPlan plan = plan_of(with_years(40), by_year(2));
  EXPECT_EQ(2, plan.folds());
  EXPECT_TRUE(plan.redrawn());
  const Array<Split> splits = plan.splits(0);
  for (const Split& split : splits) {
    std::set<std::int64_t> years;
    for (const std::int64_t row : split.test) years.insert(row % 4);
    EXPECT_EQ(2u, years.size());
    EXPECT_EQ(20, split.test.size());
  }
}

TEST(FoldColumn, IsRefusedWhereItCannotPartTheRows) {
  const auto refused = [](const Table& table, const EvaluateSettings& settings) {
    return test::refusal([&] { plan_of(table, settings); });
  };
  Table same = test::smooth_table(20);
  same.add("year", std::vector<double>(20, 7.0));
  EXPECT_EQ("--fold-column year: all rows have the value 7; nothing would be left to train on",
            refused(same, by_year()));
  Table few = test::smooth_table(20);
  std::vector<double> year(20, 1.0);
  year[4] = 2;
  few.add("year", year);
  EXPECT_EQ(
      "--fold-column year: without the 19 rows of 1 there are 1 left to train on; at least 3 "
      "are needed",
      refused(few, by_year()));
  EXPECT_EQ("--folds 5: column 'year' has 4 different values, and rows of one value stay together",
            refused(with_years(40), by_year(5)));
  Table many = test::smooth_table(60);
  std::vector<double> each(60);
  for (std::size_t i = 0; i < 60; ++i) each[i] = static_cast<double>(i);
  many.add("year", each);
  EXPECT_EQ(
      "--fold-column year: 60 different values would be as many folds; --folds N puts them "
      "together in N",
      refused(many, by_year()));
  EXPECT_EQ(12, plan_of(many, by_year(5)).splits(0).front().test.size());
  EvaluateSettings blocks = by_year();
  blocks.scheme = "block";
  EXPECT_EQ("--fold-column says which rows are held out; leave out --scheme block",
            refused(with_years(40), blocks));
  EvaluateSettings feature = by_year();
  feature.fold_column = "a";
  EXPECT_EQ(
      "'a' is both --fold-column and among --features; what tells folds apart is not learned "
      "from",
      refused(with_years(40), feature));
}

TEST(FoldColumn, AnEmptyCellIsRefusedOrItsRowLeftOut) {
  Table table = test::smooth_table(40);
  std::vector<double> year(40);
  for (std::size_t i = 0; i < 40; ++i) year[i] = static_cast<double>(i % 4);
  year[6] = std::nan("");
  table.add("year", year);
  EvaluateSettings settings = by_year();
  EXPECT_EQ(
      "smooth.csv, data row 6, column 'year': the cell is empty, so it does not say with which "
      "rows this one is held out; fill it in, or --drop-na leaves such rows out",
      test::refusal([&] { plan_of(table, settings); }, ErrorKind::data));
  settings.drop_missing = true;
  EXPECT_EQ(39u, held_in(plan_of(table, settings), 0).size());
}

TEST(Buffer, LeavesNoTrainingRowNearARowHeldOut) {
  const Table table = test::smooth_table(300);
  const Dataset data = [&] {
    Said unheard;
    return rows_to_split(table, test::smooth_roles(), {}, unheard);
  }();
  EvaluateSettings settings;
  for (const char* scheme : {"random", "block"}) {
    SCOPED_TRACE(scheme);
    settings.scheme = scheme;
    settings.buffer = 0;
    const Array<Split> all = plan_of(table, settings).splits(0);
    settings.buffer = 9'000;
    Said said;
    const Array<Split> some = plan_of(table, settings, &said).splits(0);
    EXPECT_NE(std::string::npos, said.notes.find("buffer of 9 km: ")) << said.notes;
    std::int64_t left_out = 0;
    for (std::int64_t f = 0; f < all.size(); ++f) {
      EXPECT_EQ(all[f].test, some[f].test);
      std::set<std::int64_t> stay(some[f].train.begin(), some[f].train.end());
      for (const std::int64_t row : all[f].train) {
        double nearest = 1e9;
        for (const std::int64_t held : all[f].test) {
          nearest = std::min(nearest, great_circle(data.points[row], data.points[held]).value);
        }
        EXPECT_EQ(nearest >= 9'000, stay.count(row) == 1);
        left_out += nearest < 9'000 ? 1 : 0;
      }
    }
    EXPECT_GT(left_out, 0);
  }
}

TEST(Buffer, ThatLeavesTooLittleNamesTheFold) {
  EvaluateSettings settings = by_year();
  settings.buffer = 200'000;
  EXPECT_EQ(
      "a buffer of 200 km leaves 0 of the 30 training rows of fold 1 (year 2000): the others "
      "are nearer to a row held out; a narrower buffer, or held-out rows that lie together "
      "(--scheme block), leave more",
      test::refusal([&] { plan_of(with_years(40), settings); }));
  settings = {};
  settings.folds = 1;
  settings.buffer = 900'000;
  EXPECT_EQ(0u, test::refusal([&] {
                  plan_of(with_years(40), settings);
                }).find("a buffer of 900 km leaves 0 of the 32 training rows: "));
}

TEST(Blocks, AreCutByAnotherGridInEveryRepeatButTheFirst) {
  const Table table = test::smooth_table(300);
  EvaluateSettings settings;
  settings.scheme = "block";
  settings.block_size = 60e3;
  settings.repeats = 3;
  const SplitPlan plan = plan_of(table, settings);
  EvaluateSettings once = settings;
  once.repeats = 1;
  EXPECT_EQ(plan_of(table, once).splits(0).front().test, plan.splits(0).front().test);
  // With one grid, rows held out together in one repeat are a union of blocks in each other one.
  std::set<std::vector<std::int64_t>> different;
  for (std::int64_t repeat = 0; repeat < 3; ++repeat) {
    const Array<Split> splits = plan.splits(repeat);
    EXPECT_EQ(5, splits.size());
    EXPECT_EQ(300u, held_in(plan, repeat).size());
    different.insert(splits.front().test);
  }
  EXPECT_EQ(3u, different.size());
}

TEST(Blocks, OneSplitIsDrawnAnewForEveryRepeat) {
  const Table table = test::smooth_table(300);
  EvaluateSettings settings;
  settings.scheme = "block";
  settings.folds = 1;
  settings.repeats = 3;
  const SplitPlan plan = plan_of(table, settings);
  EXPECT_TRUE(plan.redrawn());
  EXPECT_NE(held_in(plan, 0), held_in(plan, 1));
  EXPECT_NE(held_in(plan, 1), held_in(plan, 2));
  settings.scheme = "random";
  const SplitPlan random = plan_of(table, settings);
  EXPECT_FALSE(random.redrawn());
  EXPECT_EQ(held_in(random, 0), held_in(random, 2));
}

TEST(Blocks, OfNearlyOneRowEachAreWarnedOf) {
  const Table table = test::smooth_table(100);
  EvaluateSettings settings;
  settings.scheme = "block";
  settings.block_size = 1000;
  Said said;
  plan_of(table, settings, &said);
  EXPECT_EQ(0u, said.warnings.find("100 rows lie in 100 blocks of 1 km: nearly every row"))
      << said.warnings;
  settings.block_size = 100e3;
  Said quiet;
  plan_of(table, settings, &quiet);
  EXPECT_EQ("", quiet.warnings);
}

TEST(Knndm, IsRefusedWithWhatItWouldIgnore) {
  EvaluateSettings settings;
  settings.scheme = "knndm";
  settings.folds = 1;
  const auto refused = [&] { return test::refusal([&] { plan_of(with_years(40), settings); }); };
  EXPECT_NE(std::string::npos, refused().find("--folds of 2 or more"));
  settings.folds = 5;
  settings.buffer = 10;
  EXPECT_NE(std::string::npos, refused().find("a buffer would undo it"));
}

}  // namespace
}  // namespace pegnn
