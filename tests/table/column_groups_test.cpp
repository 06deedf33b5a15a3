#include "table/column_groups.h"

#include <gtest/gtest.h>

#include "support/refused.h"

namespace pegnn {
namespace {

constexpr const char* kTable =
    "lon,lat,year,region\n1,1,2001,\"a,b\"\n2,1,1999.0,7\n3,1,,c\n4,1,1999,\n5,1,2001,c\n";

using Group = std::vector<std::int32_t>;
using Names = std::vector<std::string>;

TEST(ColumnGroups, OfNumbersAscendAndEmptyCellsHaveNone) {
  const ColumnGroups found =
      column_groups(parse_table(kTable, "t.csv"), "year", Array<std::int64_t>{0, 1, 2, 3, 4});
  EXPECT_EQ((Group{1, 0, -1, 0, 1}), found.group);
  EXPECT_EQ((Names{"1999", "2001"}), found.names);
}

TEST(ColumnGroups, OfTextComeAfterNumbersInTheirOrder) {
  const Table table = parse_table(kTable, "t.csv", {.words = {"region", "nowhere"}});
  const ColumnGroups found = column_groups(table, "region", Array<std::int64_t>{0, 1, 2, 3, 4});
  EXPECT_EQ((Group{1, 0, 2, -1, 2}), found.group);
  EXPECT_EQ((Names{"7", "a,b", "c"}), found.names);
}

TEST(ColumnGroups, OfSomeRowsCountTheirValuesAlone) {
  const Table table = parse_table(kTable, "t.csv", {.words = {"region"}});
  const ColumnGroups found = column_groups(table, "region", Array<std::int64_t>{2, 4});
  EXPECT_EQ((Group{0, 0}), found.group);
  EXPECT_EQ((Names{"c"}), found.names);
}

TEST(ColumnGroups, RefuseAColumnThatIsNotThereAndTextThatWasNotKept) {
  const Table table = parse_table(kTable, "t.csv");
  const Array<std::int64_t> rows{0};
  EXPECT_EQ("t.csv: the text of column 'region' was not kept when the table was read",
            test::refusal([&] { column_groups(table, "region", rows); }));
  EXPECT_NE(std::string::npos,
            test::refusal([&] { column_groups(table, "regoin", rows); }).find("'region'"));
}

}  // namespace
}  // namespace pegnn
