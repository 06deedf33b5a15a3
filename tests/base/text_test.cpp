#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"

namespace pegnn {
namespace {

TEST(Text, NumbersReadBackAsTheyWere) {
  for (const double v : {0.1, 1.0 / 3, 1e-300, -12345.678, 5e-324}) {
    EXPECT_EQ(v, parse_number(format_number(v)));
  }
  EXPECT_EQ("nan", format_number(std::nan("")));
  EXPECT_EQ("-inf", format_number(-INFINITY));
}

TEST(Text, OnlyWholeNumbersInTheTextAreNumbers) {
  EXPECT_EQ(1.5, parse_number("+1.5"));
  EXPECT_FALSE(parse_number("1.5x"));
  EXPECT_FALSE(parse_number(""));
  EXPECT_FALSE(parse_number("1,5"));
  EXPECT_FALSE(parse_integer("2.0"));
}

TEST(Text, OfThousandsOfKnownWordsSomeAreListed) {
  std::vector<std::string> known;
  for (int i = 0; i < 1201; ++i) known.push_back("column_" + std::to_string(i));
  const std::string message = unknown_word("column", "colunm_7", known);
  EXPECT_EQ(0U,
            message.find("unknown column 'colunm_7'; did you mean 'column_7'? known: column_0, "));
  EXPECT_TRUE(message.ends_with(", column_199 and 1,001 more")) << message;
}

TEST(Text, WhatAFileHoldsIsMadeLegible) {
  EXPECT_EQ("as it is: \u00fc", legible("as it is: \u00fc", 40));
  EXPECT_EQ("?[31mred?? ", legible("\x1b[31mred\n\x7f ", 40));
  EXPECT_EQ("abc...", legible("abcdef", 3));
  EXPECT_EQ("abcdef", legible("abcdef", 6));
  EXPECT_EQ("ab...", legible("ab\u00fccd", 3)) << "not half a letter";
  EXPECT_EQ("...", legible("\x80\x80\x80", 1));
}

TEST(Text, CountsAndTimesReadWell) {
  EXPECT_EQ("20,640", format_count(20640));
  EXPECT_EQ("-1,234,567", format_count(-1234567));
  EXPECT_EQ("999", format_count(999));
  EXPECT_EQ("3.2 s", format_seconds(3.21));
  EXPECT_EQ("1 min 15 s", format_seconds(75.2));
  EXPECT_EQ("2 h 05 min", format_seconds(7500));
}

TEST(Text, TheNearestWordIsASlipOfTheFingerAway) {
  const std::vector<std::string> known{"gat", "gcn", "sage"};
  EXPECT_EQ("gcn", nearest_word("gnc", known));
  EXPECT_EQ("sage", nearest_word("SAGE", known));
  EXPECT_EQ("", nearest_word("transformer", known));
  EXPECT_EQ("", nearest_word(std::string(1000, 'a'), known));
}

TEST(Text, SplitsAndTrims) {
  EXPECT_EQ((std::vector<std::string>{"a", "b c", ""}), split("a, b c ,", ','));
  EXPECT_TRUE(split("", ',').empty());
  EXPECT_EQ("x", trim("\t x \r\n"));
}

TEST(Text, HtmlIsEscaped) { EXPECT_EQ("&lt;a&gt; &amp; &quot;b&#39;", escape_html("<a> & \"b'")); }

TEST(Text, WordsBetweenCommasComeWithoutSpacesAndEmptyOnesNotAtAll) {
  using Words = std::vector<std::string>;
  EXPECT_EQ((Words{"a", "b c", "d"}), split_words(" a ,b c,, d,"));
  EXPECT_EQ(Words{}, split_words(""));
  EXPECT_EQ(Words{}, split_words(" , ,"));
  EXPECT_EQ(Words{"one"}, split_words("one"));
}

}  // namespace
}  // namespace pegnn
