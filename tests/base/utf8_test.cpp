#include "base/utf8.h"

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(Utf8, ValidTextHasNoInvalidByte) {
  for (const char* text : {"", "plain", "é", "€", "𝄞", "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF"}) {
    EXPECT_EQ(find_invalid_utf8(text), std::nullopt) << text;
  }
}

TEST(Utf8, TheFirstInvalidByteIsFound) {
  EXPECT_EQ(find_invalid_utf8("ab\xE9"), 2U);            // Latin-1
  EXPECT_EQ(find_invalid_utf8("a\x80"), 1U);             // a continuation alone
  EXPECT_EQ(find_invalid_utf8("\xC0\xAF"), 0U);          // overlong
  EXPECT_EQ(find_invalid_utf8("\xE0\x9F\xBF"), 0U);      // overlong
  EXPECT_EQ(find_invalid_utf8("\xF0\x8F\xBF\xBF"), 0U);  // overlong
  EXPECT_EQ(find_invalid_utf8("x\xED\xA0\x80"), 1U);     // a surrogate
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0U);  // past U+10FFFF
  EXPECT_EQ(find_invalid_utf8("\xFF"), 0U);
  EXPECT_EQ(find_invalid_utf8("é\xE2\x82"), 2U);  // cut short
}

TEST(Utf8, AnExcerptCountsCharactersAndDropsControls) {
  EXPECT_EQ(excerpt("éa\nb\x1B[31m", 4), "éa b");
  EXPECT_EQ(excerpt("ab", 4), "ab");
  EXPECT_EQ(excerpt("ab", 0), "");
}

}  // namespace
}  // namespace pegnn
