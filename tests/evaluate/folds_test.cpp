#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "geo/blocks.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Options quick() { return test::small_model("knn"); }
// It sees the features, so that rows without them are left out.
Options with_features() { return test::small_model("gcn", 2); }

void expect_those_of_evaluate(const Table& table, const EvaluateSettings& settings,
                              const Options& options) {
  const Evaluation e = evaluate(table, test::smooth_roles(), options, settings, {});
  const Folds found = make_folds(table, test::smooth_roles(), settings, {.threads = 2});
  EXPECT_EQ(e.fold, found.fold);
  EXPECT_EQ(e.scheme, found.scheme);
  EXPECT_EQ(e.folds_per_repeat(), found.folds);
}

TEST(Folds, AreThoseOfAnEvaluation) {
  const Table table = test::smooth_table(150);
  for (const char* scheme : {"random", "block"}) {
    for (const std::int64_t folds : {1, 3}) {
      for (const std::int64_t seed : {-1, 0, 7}) {
        SCOPED_TRACE(std::string(scheme) + " " + std::to_string(folds) + " " +
                     std::to_string(seed));
        EvaluateSettings settings;
        settings.scheme = scheme;
        settings.folds = folds;
        settings.split_seed = seed;
        expect_those_of_evaluate(table, settings, quick());
      }
    }
  }
  EvaluateSettings sized;
  sized.scheme = "block";
  sized.block_size = 60e3;
  expect_those_of_evaluate(table, sized, quick());
}

TEST(Folds, OfTheFirstRepeatAreThoseWithoutRepeats) {
  EvaluateSettings settings;
  settings.folds = 2;
  settings.repeats = 2;
  expect_those_of_evaluate(test::smooth_table(60), settings, quick());
}

TEST(Folds, LeaveOutTheRowsThatAnEvaluationLeavesOut) {
  Table whole = test::smooth_table(80);
  Table table("smooth.csv");
  for (const Column& column : whole.columns()) {
    std::vector<double> values = column.values;
    if (column.name == "a") values[3] = kNaN;
    if (column.name == "y") values[10] = kNaN;
    if (column.name == "lon") values[70] = kNaN;
    table.add(column.name, values);
  }
  EvaluateSettings settings;
  EXPECT_THROW(make_folds(table, test::smooth_roles(), settings, {}), Error);
  settings.drop_missing = true;
  for (const char* scheme : {"random", "block"}) {
    settings.scheme = scheme;
    expect_those_of_evaluate(table, settings, with_features());
    const Folds found = make_folds(table, test::smooth_roles(), settings, {});
    for (std::size_t row = 0; row < 80; ++row) {
      EXPECT_EQ(row == 3 || row == 10 || row == 70, found.fold[row] < 0) << row;
    }
  }
}

TEST(Folds, OfGivenTestRowsAreOne) {
  EvaluateSettings settings;
  settings.test_rows = {4, 2};
  const Folds found = make_folds(test::smooth_table(6), test::smooth_roles(), settings, {});
  EXPECT_EQ((std::vector<std::int64_t>{-1, -1, 0, -1, 0, -1}), found.fold);
  EXPECT_EQ(1, found.folds);
  EXPECT_EQ(0, found.scheme.block_size);
}

TEST(Folds, NeedNoTarget) {
  const Table table = test::smooth_table(150);
  Roles roles = test::smooth_roles();
  EvaluateSettings settings;
  const Folds with_target = make_folds(table, roles, settings, {});
  roles.target.clear();
  EXPECT_EQ(with_target.fold, make_folds(table, roles, settings, {}).fold);

  settings.scheme = "block";
  const Folds blocks = make_folds(table, roles, settings, {});
  std::vector<Point> points;
  for (std::size_t i = 0; i < 150; ++i) {
    points.push_back({table.find("lon")->values[i], table.find("lat")->values[i]});
  }
  EXPECT_EQ(default_block_size(points, Space::sphere), blocks.scheme.block_size);
  for (std::int64_t fold = 0; fold < 5; ++fold) {
    EXPECT_GT(std::count(blocks.fold.begin(), blocks.fold.end(), fold), 10);
  }
  // Rows of one block are held out together.
  const std::vector<std::int32_t> block_of =
      spatial_blocks(points, Space::sphere, blocks.scheme.block_size);
  for (std::size_t i = 0; i < 150; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_TRUE(block_of[i] != block_of[j] || blocks.fold[i] == blocks.fold[j]);
    }
  }
}

TEST(Folds, WithoutATargetOfASinglePlaceCannotBeBlocks) {
  Table table("one_place.csv");
  table.add("lon", std::vector<double>(40, 180.0));
  table.add("lat", std::vector<double>(40, 90.0));
  const Roles roles{.x = "lon", .y = "lat", .geographic = true, .target = {}, .features = {}};
  EvaluateSettings settings;
  EXPECT_EQ(5, make_folds(table, roles, settings, {}).folds);
  settings.scheme = "block";
  EXPECT_THROW(make_folds(table, roles, settings, {}), Error);
}

TEST(Folds, RolesThatNameNoColumnOfNumbersAreRefusedInWords) {
  Table table = test::smooth_table(20);
  table.add({.name = "word",
             .values = std::vector<double>(20, kNaN),
             .text_cells = 20,
             .first_text_row = 0,
             .first_text = "x"});
  for (const char* what : {"x", "y", "target", "features", "weight"}) {
    for (const char* name : {"nowhere", "word"}) {
      SCOPED_TRACE(std::string(what) + " " + name);
      Roles roles = test::smooth_roles();
      if (*what == 'x') roles.x = name;
      if (*what == 'y') roles.y = name;
      if (*what == 't') roles.target = name;
      if (*what == 'f') roles.features.emplace_back(name);
      if (*what == 'w') roles.weight = name;
      const std::string expected = std::string(name) == "word"
                                       ? "smooth.csv: the roles name column 'word', which holds "
                                         "text; a column of numbers is "
                                         "needed"
                                       : "smooth.csv has no column 'nowhere', which the roles name";
      EXPECT_EQ(expected, test::refusal([&] { make_folds(table, roles, {}, {}); }));
      EXPECT_EQ(expected, test::refusal([&] { train(table, roles, with_features(), false, {}); }));
      EXPECT_EQ(expected, test::refusal([&] { evaluate(table, roles, with_features(), {}, {}); }));
    }
  }
}

TEST(Folds, SettingsThatMakeNoSenseAreRefused) {
  const Table table = test::smooth_table(20);
  std::vector<EvaluateSettings> wrong(5);
  wrong[0].scheme = "blok";
  wrong[1].folds = 21;
  wrong[2].folds = 0;
  wrong[3].test_rows = {20};
  wrong[4].folds = 1;
  wrong[4].test_share = kNaN;
  for (const EvaluateSettings& settings : wrong) {
    EXPECT_THROW(make_folds(table, test::smooth_roles(), settings, {}), Error);
  }
}

}  // namespace
}  // namespace pegnn
