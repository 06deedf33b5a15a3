#include "io/cell.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pegnn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double number(std::string_view text, bool comma = false) {
  const Cell cell = classify_cell(text, comma);
  EXPECT_EQ(cell.kind, CellKind::number) << text;
  return cell.value;
}

double correctly_rounded(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

TEST(Cell, ReadsEveryFormOfANumber) {
  EXPECT_EQ(number("0"), 0);
  EXPECT_EQ(number("+1.5"), 1.5);
  EXPECT_EQ(number("-.5"), -0.5);
  EXPECT_EQ(number("5."), 5);
  EXPECT_EQ(number("1E+3"), 1000);
  EXPECT_EQ(number("-1.25e-2"), -0.0125);
  EXPECT_TRUE(std::signbit(number("-0")));
}

TEST(Cell, RefusesWhatOnlyLooksLikeANumber) {
  for (const char* text : {"1 2", "1e", "e5", ".", "-", "+", "--1", "+-1", "0x10", "1.2.3", "1,5",
                           "12 m", "1_000", "infinit", "1f", "-NA", "nan(1)"}) {
    EXPECT_EQ(classify_cell(text, false).kind, CellKind::text) << text;
  }
}

TEST(Cell, NumbersPastTheRangeOfDoubleBecomeInfiniteOrZero) {
  EXPECT_EQ(number("1e400"), kInfinity);
  EXPECT_EQ(number("-1e400"), -kInfinity);
  EXPECT_EQ(number("1e-400"), 0);
  EXPECT_EQ(number("0.001e-99999999999999999999"), 0);
  EXPECT_EQ(number("1e99999999999999999999"), kInfinity);
  EXPECT_EQ(number(std::string(400, '9')), kInfinity);
  EXPECT_EQ(number(std::string(400, '9') + "e-399"), 10);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(number("5e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(Cell, TellsTheDecimalMark) {
  EXPECT_EQ(classify_cell("1,5", true).mark, ',');
  EXPECT_EQ(classify_cell("1.5", true).mark, '.');
  EXPECT_EQ(classify_cell("15", true).mark, '\0');
  EXPECT_EQ(classify_cell("1,5", false).kind, CellKind::text);
  EXPECT_EQ(classify_cell("1.234,5", true).kind, CellKind::text);
  EXPECT_EQ(classify_cell("1,234,567", true).kind, CellKind::text);
  EXPECT_EQ(classify_cell(",", true).kind, CellKind::text);
}

TEST(Cell, TheQuickWayStopsBehindTheNumber) {
  const std::string text = "-12.5,7";
  double value = 0;
  const char* const stop = scan_decimal(text.c_str(), '.', value);
  EXPECT_EQ(value, -12.5);
  ASSERT_NE(stop, nullptr);
  EXPECT_EQ(stop - text.c_str(), 5);
}

TEST(Cell, TheQuickWayLeavesHardCasesAlone) {
  double value = 42;
  for (const char* text : {"", "-", ".", "x", "-x", " 1", "9007199254740993",
                           "12345678901234567890", "0.12345678901234567890"}) {
    EXPECT_EQ(scan_decimal(text, '.', value), nullptr) << text;
  }
  EXPECT_EQ(value, 42);
}

RC_GTEST_PROP(Cell, TheQuickWayRoundsAsFromCharsDoes, ()) {
  const auto digits = *rc::gen::inRange<std::int64_t>(0, 9'100'000'000'000'000);
  std::string text = std::to_string(digits);
  const auto point = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
  text.insert(point, ".");
  if (*rc::gen::arbitrary<bool>()) text.insert(0, "-");
  double value = 0;
  const char* const stop = scan_decimal(text.c_str(), '.', value);
  const bool read = stop != nullptr;
  RC_PRE(read);
  RC_ASSERT(*stop == '\0');
  RC_ASSERT(value == correctly_rounded(text));
}

}  // namespace
}  // namespace pegnn
