#include "base/json_writer.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pegnn {
namespace {

using nlohmann::ordered_json;

// A value as an item of a list on one line, without the brackets.
std::string written(const auto& value) {
  JsonWriter json;
  json.list([&] { json.item(value); });
  return json.text().substr(1, json.text().size() - 2);
}

std::string written_option(const char* value, bool OptionText::*kind = nullptr) {
  OptionText option;
  option.value = value;
  if (kind != nullptr) option.*kind = true;
  JsonWriter json;
  json.object([&] { json.option("o", option); });
  return json.text();
}

TEST(JsonWriter, ValuesStandWithinEachOtherOnLinesOfTheirOwn) {
  JsonWriter json(2);
  json.object([&] {
    json.field("name", "a");
    json.list("pair", {0.5, 1.0});
    json.list("none", std::vector<std::string>());
    json.object("empty", [] {});
    json.list("rows", [&] {
      json.object([&] { json.field("n", 1); });
      json.list([&] { json.item(true); });
      json.item(nullptr);
    });
  });
  EXPECT_EQ(R"({
  "name": "a",
  "pair": [
    0.5,
    1.0
  ],
  "none": [],
  "empty": {},
  "rows": [
    {
      "n": 1
    },
    [
      true
    ],
    null
  ]
})",
            json.text());
}

TEST(JsonWriter, WithoutAnIndentAllStandsOnOneLineWithoutASpace) {
  JsonWriter json;
  json.object([&] {
    json.field("a", 1);
    json.list("b", {1, 2});
    json.list("c", [&] {
      json.object([] {});
      json.object([&] { json.field("d", "e"); });
    });
  });
  EXPECT_EQ(R"({"a":1,"b":[1,2],"c":[{},{"d":"e"}]})", json.text());
}

TEST(JsonWriter, QuotesBackslashesAndControlCharactersAreEscapedInValuesAndNames) {
  EXPECT_EQ(R"("\"\\\b\f\n\r\t")", written("\"\\\b\f\n\r\t"));
  EXPECT_EQ(R"("\u0000\u0001\u001f")", written(std::string("\0\x01\x1f", 3)));
  EXPECT_EQ("\"/'<\x7f\"", written("/'<\x7f"));
  JsonWriter json;
  json.object([&] { json.field("a\"b", ""); });
  EXPECT_EQ(R"({"a\"b":""})", json.text());
}

TEST(JsonWriter, CharactersBeyondAsciiStayAsTheyAre) {
  EXPECT_EQ("\"Zürich, 東京, 🗺\"", written("Zürich, 東京, 🗺"));
}

TEST(JsonWriter, EveryByteThatIsNotUtf8BecomesAReplacementCharacter) {
  EXPECT_EQ("\"a\uFFFDb\"", written("a\xff"
                                    "b"));
  EXPECT_EQ("\"\uFFFD\uFFFDx\"", written("\xe6\x9d"
                                         "x"));                  // cut short
  EXPECT_EQ("\"\uFFFD\uFFFD\uFFFD\"", written("\xed\xa0\x80"));  // a surrogate
  EXPECT_EQ("\"\uFFFD\uFFFD\"", written("\xc0\x80"));            // NUL in two bytes
}

TEST(JsonWriter, NumbersHaveTheShortestDigitsThatReadBack) {
  EXPECT_EQ("0.1", written(0.1));
  EXPECT_EQ("1.0", written(1.0));
  EXPECT_EQ("-0.0", written(-0.0));
  EXPECT_EQ("1e-07", written(1e-7));
  EXPECT_EQ("1e+22", written(1e22));
  EXPECT_EQ("123456789012345.0", written(123456789012345.0));
  EXPECT_EQ("5e-324", written(std::numeric_limits<double>::denorm_min()));
  EXPECT_EQ("1.7976931348623157e+308", written(std::numeric_limits<double>::max()));
  // Where the shortest digits are not what model files have held since the first.
  EXPECT_EQ("3.8160171508789063", written(3.8160171508789063));
}

TEST(JsonWriter, NumbersThatJsonHasNotAreNull) {
  EXPECT_EQ("null", written(std::nan("")));
  EXPECT_EQ("null", written(std::numeric_limits<double>::infinity()));
  EXPECT_EQ("null", written(-std::numeric_limits<double>::infinity()));
}

TEST(JsonWriter, WholeNumbersAreWrittenInFull) {
  EXPECT_EQ("-9223372036854775808", written(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ("18446744073709551615", written(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_EQ("true", written(true));
  EXPECT_EQ("7", written(std::size_t{7}));
}

TEST(JsonWriter, TextThatIsNotThereIsNull) {
  JsonWriter json;
  json.object([&] {
    json.text_or_null("a", "");
    json.text_or_null("b", "x");
  });
  EXPECT_EQ(R"({"a":null,"b":"x"})", json.text());
}

TEST(JsonWriter, OptionsAreWordsSwitchesOrNumbers) {
  EXPECT_EQ(R"({"o":"gcn"})", written_option("gcn", &OptionText::is_word));
  EXPECT_EQ(R"({"o":"5"})", written_option("5", &OptionText::is_word));
  EXPECT_EQ(R"({"o":true})", written_option("true", &OptionText::is_switch));
  EXPECT_EQ(R"({"o":false})", written_option("false", &OptionText::is_switch));
  EXPECT_EQ(R"({"o":9223372036854775807})",
            written_option("9223372036854775807", &OptionText::is_whole));
  EXPECT_EQ(R"({"o":-1})", written_option("-1", &OptionText::is_whole));
  EXPECT_EQ(R"({"o":0.25})", written_option("0.25"));
  EXPECT_EQ(R"({"o":2})", written_option("2"));
  EXPECT_EQ(R"({"o":1e-12})", written_option("1e-12"));
}

std::string make_text(std::mt19937& random) {
  constexpr const char* kPieces[] = {"a", "\n", "\"", "\\", "\x02", "é", "𝛑", "\x7f"};
  std::string text;
  for (auto n = random() % 6; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
  return text;
}

// What stands within an object or a list, by both ways.
ordered_json make_within(std::mt19937& random, int depth, JsonWriter& json, bool object) {
  ordered_json all = object ? ordered_json::object() : ordered_json::array();
  for (auto n = random() % 4; n > 0; --n) {
    const std::string name = "n" + std::to_string(n);
    switch (random() % (depth > 0 ? 5 : 3)) {
      case 0: {
        const std::string text = make_text(random);
        object ? json.field(name, text) : json.item(text);
        object ? void(all[name] = text) : all.push_back(text);
        break;
      }
      case 1: {
        const double number =
            std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 64) - 50);
        object ? json.field(name, number) : json.item(number);
        object ? void(all[name] = number) : all.push_back(number);
        break;
      }
      case 2: {
        const auto number = static_cast<std::int32_t>(random());
        object ? json.field(name, number) : json.item(number);
        object ? void(all[name] = number) : all.push_back(number);
        break;
      }
      default: {
        const bool inner = random() % 2 == 0;
        ordered_json within;
        const auto fill = [&] { within = make_within(random, depth - 1, json, inner); };
        if (object) {
          inner ? json.object(name, fill) : json.list(name, fill);
          all[name] = within;
        } else {
          inner ? json.object(fill) : json.list(fill);
          all.push_back(within);
        }
      }
    }
  }
  return all;
}

TEST(JsonWriter, AnythingHasTheBytesThatTheReadersLibraryWouldWrite) {
  std::mt19937 random(1);
  for (int run = 0; run < 2000; ++run) {
    const int indent = run % 4 - 1;
    JsonWriter json(indent);
    ordered_json same;
    json.object([&] { same = make_within(random, 4, json, true); });
    ASSERT_EQ(same.dump(indent), json.text());
  }
}

}  // namespace
}  // namespace pegnn
