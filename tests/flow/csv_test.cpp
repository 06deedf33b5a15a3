#include "flow/csv.h"

#include <limits>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

Table german() { return parse_table("x;y\n1,5;2\n", "german.csv"); }
Table plain() { return parse_table("x,y\n1.5,2\n", "plain.csv"); }

TEST(CsvName, StandsInQuotesOnlyWhereTheFileNeedsThem) {
  EXPECT_EQ("pred", csv_name(plain(), "pred"));
  EXPECT_EQ("\"a,b\"", csv_name(plain(), "a,b"));
  EXPECT_EQ("a,b", csv_name(german(), "a,b"));
  EXPECT_EQ("\"a;b\"", csv_name(german(), "a;b"));
  EXPECT_EQ("\"say \"\"a\"\"\"", csv_name(plain(), "say \"a\""));
  EXPECT_EQ("\" a\"", csv_name(plain(), " a"));
}

TEST(CsvNumber, HasTheMarkOfTheFile) {
  EXPECT_EQ("0.125", csv_number(plain(), 0.125, 9));
  EXPECT_EQ("0,125", csv_number(german(), 0.125, 9));
  EXPECT_EQ("1.2e+10", csv_number(plain(), 1.234e10, 2));
}

TEST(CsvNumber, OfNothingIsEmpty) {
  EXPECT_EQ("", csv_number(plain(), std::numeric_limits<double>::quiet_NaN(), 9));
}

TEST(CsvNumber, LeavesWhatStandsBeforeAsItIs) {
  std::string text = "0.5;";
  append_csv_number(german(), 0.25, 9, text);
  EXPECT_EQ("0.5;0,25", text);
}

}  // namespace
}  // namespace pegnn
