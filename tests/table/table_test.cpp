#include "pegnn/table.h"

#include <gtest/gtest.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

std::string error_of(Table& table, const std::string& name, std::vector<double> values) {
  try {
    table.add(name, std::move(values));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Table, FindsColumnsByTheirExactName) {
  Table table("t");
  table.add("a", {1, 2});
  table.add("b", {3, 4});
  EXPECT_EQ(table.rows(), 2);
  ASSERT_NE(table.find("b"), nullptr);
  EXPECT_EQ(table.find("b")->values[1], 4);
  EXPECT_EQ(table.find("B"), nullptr);
  EXPECT_EQ(table.find(""), nullptr);
}

TEST(Table, ColumnsHaveOneLengthAndTheirOwnNames) {
  Table table("t");
  table.add("a", {1, 2});
  EXPECT_EQ(error_of(table, "b", {1}), "t: column 'b' has 1 rows where the table has 2");
  EXPECT_EQ(error_of(table, "a", {1, 2}), "t: there is already a column 'a'");
  EXPECT_EQ(error_of(table, "", {1, 2}), "t: a column needs a name");
  EXPECT_EQ(table.columns().size(), 1U);
}

TEST(Table, LinesAreUnknownUntilSet) {
  Table table("t");
  table.add("a", {1, 2, 3, 4});
  EXPECT_EQ(table.line_of(0), 0);
  EXPECT_EQ(table.row_text(0), "");
  table.set_lines({2, 3, 7});
  EXPECT_EQ(table.line_of(1), 3);
  EXPECT_EQ(table.line_of(2), 7);
  EXPECT_EQ(table.line_of(3), 8);
  EXPECT_EQ(table.line_of(4), 0);
}

}  // namespace
}  // namespace pegnn
