#include "model/json_field.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "support/refused.h"

namespace pegnn {
namespace {

std::string refusal(const std::string& text) {
  return test::refusal([&] { JsonDocument(text, "d", "m"); }, ErrorKind::model);
}

std::string nested(int depth) {
  const auto size = static_cast<std::size_t>(depth);
  return std::string(size, '[') + std::string(size, ']');
}

std::string object_of(std::size_t members) {
  std::string text = "{";
  for (std::size_t i = 0; i < members; ++i) {
    text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  }
  return text + "}";
}

TEST(JsonField, ValuesStandWithinEachOtherUpToALimit) {
  EXPECT_NO_THROW(JsonDocument(nested(kMaxJsonDepth), "d", "m"));
  EXPECT_EQ("m: d: more than 16 values within each other", refusal(nested(kMaxJsonDepth + 1)));
}

TEST(JsonField, AnObjectHasMembersUpToALimit) {
  const std::string source = "m";
  const JsonDocument most(object_of(kMaxJsonMembers), "d", source);
  EXPECT_EQ(kMaxJsonMembers, most.root().members().size());
  EXPECT_EQ("m: d: more than 256 members of an object", refusal(object_of(kMaxJsonMembers + 1)));
}

// That a limit is named says that nothing behind it was read: what is wrong there comes first else.
TEST(JsonField, WhatIsMadeToTakeLongIsRefusedWhereItPassesALimit) {
  const std::size_t size = std::size_t{16} << 20;
  const std::string deep = "m: d: more than 16 values within each other";
  EXPECT_EQ(deep, refusal(std::string(size, '[')));
  EXPECT_EQ(deep, refusal("{\"a\":" + std::string(size, '[')));
  EXPECT_EQ("m: d: not valid JSON at byte 2", refusal(std::string(size, '{')));
  EXPECT_EQ("m: d: more than 256 members of an object", refusal(object_of(1'000'000) + "?"));
  EXPECT_EQ("m: d: a number in it is too large", refusal(std::string(size, '1')));
  EXPECT_TRUE(refusal("\"" + std::string(size, 'a')).starts_with("m: d: not valid JSON at byte "));
}

TEST(JsonField, WhatIsNotJsonIsRefusedByItsPlace) {
  EXPECT_EQ("m: d: not valid JSON at byte 1", refusal(""));
  EXPECT_EQ("m: d: not valid JSON at byte 2", refusal("{]"));
  EXPECT_EQ("m: d: not valid JSON at byte 2", refusal("\"\xff\""));
  EXPECT_EQ("m: d: a number in it is too large", refusal("1e999"));
  EXPECT_EQ("m: d: 'a' stands there twice", refusal(R"({"a":1,"b":{"a":1},"a":2})"));
}

TEST(JsonField, EachKindIsReadAndEveryOtherRefusedByName) {
  const std::string source = "m";
  const JsonDocument document(
      R"({"t":"x","f":true,"n":1.5,"z":null,"c":7,"l":["a","b"],"w":-1,"g":9007199254740993})", "d",
      source);
  const JsonField all = document.root();
  EXPECT_EQ("x", all["t"].text());
  EXPECT_TRUE(all["f"].flag());
  EXPECT_EQ(1.5, all["n"].number());
  EXPECT_EQ(7, all["c"].number());
  EXPECT_TRUE(std::isnan(all["z"].number_or_nan()));
  EXPECT_EQ(7, all["c"].count());
  EXPECT_EQ((std::vector<std::string>{"a", "b"}), all["l"].texts());
  EXPECT_EQ(8U, all.members().size());
  EXPECT_TRUE(all.has("t"));
  EXPECT_FALSE(all.has("u"));
  const auto refused = [](auto&& read) { return test::refusal(read, ErrorKind::model); };
  EXPECT_EQ("m: d.u is missing", refused([&] { (void)all["u"]; }));
  EXPECT_EQ("m: d.t is not an object", refused([&] { (void)all["t"]["v"]; }));
  EXPECT_EQ("m: d.n is not text", refused([&] { (void)all["n"].text(); }));
  EXPECT_EQ("m: d.n is not true or false", refused([&] { (void)all["n"].flag(); }));
  EXPECT_EQ("m: d.z is not a number", refused([&] { (void)all["z"].number(); }));
  EXPECT_EQ("m: d.l[1] is not a number", refused([&] { (void)all["l"].items()[1].number(); }));
  EXPECT_EQ("m: d.l is not a list of 3", refused([&] { (void)all["l"].items(3); }));
  for (const char* name : {"n", "w", "g", "t"}) {
    EXPECT_EQ(std::string("m: d.") + name + " is not a whole number from 0 to 2^53",
              refused([&] { (void)all[name].count(); }));
  }
}

}  // namespace
}  // namespace pegnn
