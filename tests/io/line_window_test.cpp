#include "io/line_window.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pegnn {
namespace {

// What comes into view, view by view, each dropped before the next.
std::vector<std::string> views(const std::string& text, std::size_t piece, bool tabs = false) {
  LineWindow window(memory_bytes(text), tabs, piece);
  std::vector<std::string> seen;
  while (window.read_on()) {
    seen.emplace_back(window.begin(), window.end());
    window.drop(window.end());
  }
  return seen;
}

using Views = std::vector<std::string>;

TEST(LineWindow, ShowsWholeLinesAndTheLastWithoutItsEnd) {
  EXPECT_EQ(views("ab\ncd\nef", 4), (Views{"ab\n", "cd\n", "ef"}));
  EXPECT_EQ(views("ab\ncd\n", 100), (Views{"ab\ncd\n"}));
  EXPECT_EQ(views("ab\ncd", 100), (Views{"ab\n", "cd"}));
}

TEST(LineWindow, ALineLongerThanAPieceComesWhole) {
  const std::string line(1000, 'x');
  EXPECT_EQ(views(line + "\ny\n", 7), (Views{line + "\n", "y\n"}));
}

TEST(LineWindow, BlankLinesComeWithTheLineBehindThemOrNotAtAll) {
  EXPECT_EQ(views("a\n\n \r\n\nb\n\n  \n\r\n", 2), (Views{"a\n", "\n \r\n\nb\n"}));
  EXPECT_EQ(views("\n\n \n", 2), Views{});
  EXPECT_EQ(views("", 2), Views{});
  EXPECT_EQ(views("a\n\t\n", 2), (Views{"a\n", "\t\n"}));
  EXPECT_EQ(views("a\n\t\n", 2, true), (Views{"a\n"}));
}

TEST(LineWindow, ACarriageReturnAtTheVeryEndIsPartOfTheLineEnd) {
  EXPECT_EQ(views("a\r\nb\r", 3), (Views{"a\r\n", "b"}));
}

TEST(LineWindow, AByteOrderMarkIsLeftOut) {
  EXPECT_EQ(views("\xEF\xBB\xBF"
                  "a\nb",
                  1),
            (Views{"a\n", "b"}));
  EXPECT_EQ(views("\xEF\xBB\xBF", 1), Views{});
}

TEST(LineWindow, WhatIsNotDroppedStaysInView) {
  LineWindow window(memory_bytes("a1\nb2\nc3\n"), false, 3);
  ASSERT_TRUE(window.read_on());
  ASSERT_TRUE(window.read_on());
  EXPECT_EQ(std::string(window.begin(), window.end()), "a1\nb2\n");
  window.drop(window.begin() + 4);
  ASSERT_TRUE(window.read_on());
  EXPECT_EQ(std::string(window.begin(), window.end()), "2\nc3\n");
  EXPECT_EQ(window.dropped_bytes(), 4U);
  EXPECT_FALSE(window.read_on());
  EXPECT_EQ(std::string(window.begin(), window.end()), "2\nc3\n");
  EXPECT_EQ(*window.end(), '\0');
}

RC_GTEST_PROP(LineWindow, ViewsJoinedAreTheTextUpToItsLastLine, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::element('a', ' ', '\n', '\n'));
  const auto piece = *rc::gen::inRange<std::size_t>(1, 9);
  std::string joined;
  for (const std::string& view : views(text, piece)) joined += view;
  std::string expected = text;
  const std::size_t last = expected.find_last_of('a');
  expected.resize(last == std::string::npos                        ? 0
                  : expected.find('\n', last) == std::string::npos ? expected.size()
                                                                   : expected.find('\n', last));
  // Where blank lines follow, or the end of a piece, the last line came with its end.
  if (joined.size() == expected.size() + 1) expected += '\n';
  RC_ASSERT(joined == expected);
}

}  // namespace
}  // namespace pegnn
