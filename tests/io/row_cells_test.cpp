#include <gtest/gtest.h>

#include "io/row_cells.h"

namespace pegnn {
namespace {

using Cells = std::vector<std::string>;

Cells cells_of(std::string_view row, char delimiter = ',') {
  Cells cells{"left", "over"};
  split_row(row, delimiter, cells);
  return cells;
}

TEST(RowCells, AreWithoutSpacesAndQuotes) {
  EXPECT_EQ((Cells{"a", "b c", "d"}), cells_of(" a ,b c,\"d\" "));
  EXPECT_EQ((Cells{"say \"hi\"", "1,5", "two\nlines"}),
            cells_of("\"say \"\"hi\"\"\",\"1,5\",\"two\nlines\""));
}

TEST(RowCells, MayBeEmptyEverywhere) {
  EXPECT_EQ((Cells{""}), cells_of(""));
  EXPECT_EQ((Cells{"", "", ""}), cells_of(",,"));
  EXPECT_EQ((Cells{"", "x"}), cells_of("\"\",x"));
}

TEST(RowCells, TabsDelimitAndDoNotCountAsSpaces) {
  EXPECT_EQ((Cells{"a", "", "b"}), cells_of("a\t\tb", '\t'));
  EXPECT_EQ((Cells{"", "b"}), cells_of("\t\"b\"", '\t'));
}

}  // namespace
}  // namespace pegnn
