#include "report/colour_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

std::vector<float> up_to(int last) {
  std::vector<float> values;
  for (int i = 0; i <= last; ++i) values.push_back(static_cast<float>(i));
  return values;
}

TEST(ColourScale, RangeGoesFromTheLeastToTheGreatest) {
  const ColourScale scale(up_to(1000), Spread::range);
  EXPECT_EQ(0, scale.range().lo);
  EXPECT_EQ(1000, scale.range().hi);
  EXPECT_EQ(0.25, scale.share(250));
  EXPECT_FALSE(scale.beyond_low() || scale.beyond_high());
}

TEST(ColourScale, CutLeavesOutTheEnds) {
  const ColourScale scale(up_to(1000), Spread::cut);
  EXPECT_EQ(20, scale.range().lo);
  EXPECT_EQ(980, scale.range().hi);
  EXPECT_EQ(0, scale.share(3));
  EXPECT_EQ(0.5, scale.share(500));
  EXPECT_EQ(1, scale.share(1000));
  EXPECT_TRUE(scale.beyond_low() && scale.beyond_high());
}

TEST(ColourScale, CutKeepsAllWhereNearlyAllValuesAreEqual) {
  std::vector<float> values(1000, 5);
  values[7] = 9;
  const ColourScale scale(values, Spread::cut);
  EXPECT_EQ(5, scale.range().lo);
  EXPECT_EQ(9, scale.range().hi);
}

TEST(ColourScale, EndsMayBeGiven) {
  const ColourScale scale(up_to(10), Spread::cut, 8, 2);
  EXPECT_EQ(2, scale.range().lo);
  EXPECT_EQ(8, scale.range().hi);
  EXPECT_TRUE(scale.beyond_low() && scale.beyond_high());
}

TEST(ColourScale, ByQuantileEveryColourStandsForAsManyValues) {
  std::vector<float> values;
  for (int i = 0; i < 5000; ++i) values.push_back(static_cast<float>(std::exp(i * 2e-3)));
  const ColourScale scale(values, Spread::quantile);
  std::vector<int> counts(10);
  for (const float v : values) {
    ++counts[std::min<std::size_t>(static_cast<std::size_t>(10 * scale.share(v)), 9)];
  }
  for (const int count : counts) EXPECT_NEAR(500, count, 10);
  EXPECT_EQ(0, scale.share(0.5));
  EXPECT_EQ(1, scale.share(1e9));
  EXPECT_FALSE(scale.beyond_low() || scale.beyond_high());
}

TEST(ColourScale, ByQuantileEqualValuesHaveOneColourAndOneLabel) {
  std::vector<float> values(600, 0);  // six tenths are dry
  for (int i = 1; i <= 400; ++i) values.push_back(static_cast<float>(i));
  const ColourScale scale(values, Spread::quantile);
  EXPECT_EQ(0, scale.share(0));
  EXPECT_NEAR(0.8, scale.share(200), 0.01);
  double before = -1, share = -1;
  for (const auto& [value, at] : scale.knots()) {
    EXPECT_GT(value, before);
    EXPECT_GT(at, share);
    before = value;
    share = at;
  }
  const Ticks ticks = scale.ticks(8);
  EXPECT_EQ("0", ticks.label.front());
  EXPECT_EQ("400", ticks.label.back());
  EXPECT_EQ(1, std::count(ticks.label.begin(), ticks.label.end(), "0"));
}

TEST(ColourScale, TicksStandAtSharesOfTheColours) {
  const Ticks even = ColourScale(up_to(1000), Spread::range).ticks(5);
  ASSERT_EQ(6u, even.at.size());
  EXPECT_EQ("400", even.label[2]);
  EXPECT_DOUBLE_EQ(0.4, even.at[2]);
  std::vector<float> squares;
  for (int i = 0; i <= 640; ++i) squares.push_back(static_cast<float>(i * i));
  const Ticks ticks = ColourScale(squares, Spread::quantile).ticks(4);
  ASSERT_EQ(5u, ticks.at.size());
  EXPECT_EQ((std::vector<std::string>{"0", "25,600", "102,400", "230,400", "409,600"}),
            ticks.label);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(static_cast<double>(i) / 4, ticks.at[i], 1e-12);
  }
}

TEST(ColourScale, TicksOfLargeNumbersShareAPowerOfTen) {
  std::vector<float> values = up_to(640);
  for (float& v : values) v *= 1e6F;
  const Ticks ticks = ColourScale(values, Spread::quantile).ticks(2);
  EXPECT_EQ(6, ticks.exponent);
  EXPECT_EQ((std::vector<std::string>{"0", "320", "640"}), ticks.label);
}

TEST(ColourScale, OneValueHasTheMiddleColourHoweverValuesAreSpread) {
  for (const Spread spread : {Spread::range, Spread::cut, Spread::quantile}) {
    const ColourScale scale(std::vector<float>(50, 7), spread);
    EXPECT_TRUE(scale.one());
    EXPECT_EQ(0.5, scale.share(7));
    EXPECT_EQ(std::vector<std::string>{"7"}, scale.ticks(8).label);
    EXPECT_FALSE(scale.beyond_low() || scale.beyond_high());
  }
}

TEST(ColourScale, OfNoValueThereIsStillARange) {
  for (const Spread spread : {Spread::range, Spread::cut, Spread::quantile}) {
    const ColourScale scale(std::vector<float>{kNoValue, kNoValue}, spread);
    EXPECT_FALSE(scale.any());
    EXPECT_GT(scale.range().span(), 0);
    EXPECT_FALSE(scale.one());
  }
}

}  // namespace
}  // namespace pegnn
