#include "flow/moran_study.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "pegnn/log.h"
#include "support/json.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

const ColumnChoice kOfY{.target = "y"};

TEST(MoranStudy, TellsTheSameInTextAndJson) {
  const Table table = test::smooth_table(80);
  const MoranStudy study(table, kOfY, {.k = 4, .permutations = 99}, 2, silent_log());
  const auto json = test::parse_json(study.json());
  EXPECT_EQ("y", json.at("value"));
  EXPECT_EQ(80, json.at("rows"));
  EXPECT_EQ(4, json.at("k"));
  EXPECT_EQ(99, json.at("permutations"));
  std::int64_t rows = 0;
  for (const auto& count : json.at("clusters")) rows += count.get<std::int64_t>();
  EXPECT_EQ(80, rows);
  EXPECT_TRUE(study.text(OptionStyle::command)
                  .starts_with("Moran's I of 'y', 80 rows, 4 neighbours, row weights\n"));
  EXPECT_NE(std::string::npos, study.page("pegnn moran").find("pegnn moran"));
}

TEST(MoranStudy, RowsThatWereLeftOutGetNothing) {
  Table table = test::smooth_table(20);
  std::vector<double> y = table.find("y")->values;
  y[7] = std::numeric_limits<double>::quiet_NaN();
  table.replace("y", y);
  test::refusal([&] { MoranStudy(table, kOfY, {}, 1, silent_log()); }, ErrorKind::data);
  const MoranStudy study(table, kOfY, {.drop_missing = true}, 1, silent_log());
  const std::vector<AddedColumn> columns = study.columns();
  ASSERT_EQ(local_moran_columns().size(), columns.size());
  for (const AddedColumn& column : columns) {
    if (column.kind == AddedColumn::Kind::text) {
      ASSERT_EQ(20u, column.texts.size());
      EXPECT_EQ("", column.texts[7]);
      EXPECT_NE("", column.texts[8]);
    } else {
      ASSERT_EQ(20u, column.values.size()) << column.name;
      EXPECT_TRUE(std::isnan(column.values[7]));
      EXPECT_FALSE(std::isnan(column.values[8]));
    }
  }
}

TEST(MoranStudy, WithoutPermutationsNothingIsTested) {
  const Table table = test::smooth_table(20);
  const MoranStudy study(table, kOfY, {.permutations = 0}, 1, silent_log());
  EXPECT_FALSE(test::parse_json(study.json()).contains("clusters"));
  const std::vector<AddedColumn> columns = study.columns();
  for (const std::string& text : columns.back().texts) EXPECT_EQ("", text);
}

TEST(MoranStudy, NeedsThreeRows) {
  const Table table = test::smooth_table(2);
  EXPECT_EQ("smooth.csv: Moran's I needs at least 3 rows, 2 can be used",
            test::refusal([&] { MoranStudy(table, kOfY, {}, 1, silent_log()); }, ErrorKind::data));
}

TEST(MoranStudy, TakesAllNeighboursWhereThereAreFewer) {
  const Table table = test::smooth_table(4);
  const MoranStudy study(table, kOfY, {.k = 10}, 1, silent_log());
  EXPECT_EQ(3, test::parse_json(study.json()).at("k"));
}

}  // namespace
}  // namespace pegnn
