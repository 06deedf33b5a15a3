#include "report/axis.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pegnn {
namespace {

using Labels = std::vector<std::string>;

TEST(ReportTicks, StandAtRoundNumbers) {
  struct Case {
    Range range;
    int at_most;
    Labels labels;
    int exponent;
  };
  const std::vector<Case> cases = {
      {{0, 1}, 5, {"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}, 0},
      {{0, 10}, 5, {"0", "2", "4", "6", "8", "10"}, 0},
      {{-3.2, 7.9}, 6, {"−2", "0", "2", "4", "6"}, 0},
      {{0.13, 0.87}, 4, {"0.2", "0.4", "0.6", "0.8"}, 0},
      {{0, 20640}, 5, {"0", "5,000", "10,000", "15,000", "20,000"}, 0},
      {{-1e-3, 1e-3}, 4, {"−0.0010", "−0.0005", "0.0000", "0.0005", "0.0010"}, 0},
      {{0, 5e-7}, 5, {"0", "100", "200", "300", "400", "500"}, -9},
      {{4500000, 4580000}, 4, {"4.50", "4.52", "4.54", "4.56", "4.58"}, 6},
      {{-2e300, 2e300}, 4, {"−2", "−1", "0", "1", "2"}, 300},
  };
  for (const Case& c : cases) {
    const Ticks ticks = linear_ticks(c.range, c.at_most);
    EXPECT_EQ(ticks.label, c.labels) << c.range.lo << " to " << c.range.hi;
    EXPECT_EQ(ticks.exponent, c.exponent) << c.range.lo << " to " << c.range.hi;
  }
}

TEST(ReportTicks, AreThereEvenWhereALongStepMissesTheRange) {
  EXPECT_EQ(linear_ticks({0.001, 0.042}, 2).label, (Labels{"0.02", "0.04"}));
  EXPECT_EQ(degree_ticks({5.1, 9.4}, 1, Degrees::latitude).label, (Labels{"6°N", "8°N"}));
}

TEST(ReportTicks, OfCountsAreWhole) {
  EXPECT_EQ(linear_ticks({0, 2.1}, 8, 1).label, (Labels{"0", "1", "2"}));
}

RC_GTEST_PROP(ReportTicks, AreFewInsideAndTellApart, ()) {
  const double lo = *rc::gen::inRange(-1000000, 1000000) * 1e-3;
  const double span = std::pow(10.0, *rc::gen::inRange(-5, 9)) * *rc::gen::inRange(1, 100);
  const int at_most = *rc::gen::inRange(2, 12);
  const Range range{lo, lo + span};
  const Ticks ticks = linear_ticks(range, at_most);
  RC_ASSERT(ticks.at.size() == ticks.label.size());
  RC_ASSERT(ticks.at.size() <= static_cast<std::size_t>(at_most) + 1);
  RC_ASSERT(!ticks.at.empty());
  for (const double at : ticks.at) {
    RC_ASSERT(at >= range.lo - 1e-6 * span);
    RC_ASSERT(at <= range.hi + 1e-6 * span);
  }
  RC_ASSERT(std::set<std::string>(ticks.label.begin(), ticks.label.end()).size() ==
            ticks.label.size());
}

TEST(ReportTicks, OfALogAxisAreDecadesOrOneThreeOrOneTwoFive) {
  EXPECT_EQ(log_ticks({0.015, 0.6}, 8).label, (Labels{"0.02", "0.05", "0.1", "0.2", "0.5"}));
  EXPECT_EQ(log_ticks({0.0015, 0.07}, 6).label, (Labels{"0.002", "0.005", "0.01", "0.02", "0.05"}));
  EXPECT_EQ(log_ticks({0.0015, 0.07}, 4).label, (Labels{"0.003", "0.01", "0.03"}));
  EXPECT_EQ(log_ticks({1, 1000}, 4).label, (Labels{"1", "10", "100", "1,000"}));
  EXPECT_EQ(log_ticks({1e-9, 1e9}, 7).label,
            (Labels{"10⁻⁹", "10⁻⁶", "0.001", "1", "1,000", "10⁶", "10⁹"}));
  EXPECT_EQ(log_ticks({1.0, 1.4}, 4).label, (Labels{"1.0", "1.1", "1.2", "1.3", "1.4"}));
}

TEST(ReportTicks, OfDegreesNameTheMeridianAndTheParallel) {
  EXPECT_EQ(degree_ticks({-124.5, -113.9}, 6, Degrees::longitude).label,
            (Labels{"124°W", "122°W", "120°W", "118°W", "116°W", "114°W"}));
  EXPECT_EQ(degree_ticks({170, 190}, 4, Degrees::longitude).label,
            (Labels{"170°E", "175°E", "180°", "175°W", "170°W"}));
  EXPECT_EQ(degree_ticks({-180, 180}, 7, Degrees::longitude).label,
            (Labels{"180°", "120°W", "60°W", "0°", "60°E", "120°E", "180°"}));
  EXPECT_EQ(degree_ticks({-100, 100}, 5, Degrees::latitude).label,
            (Labels{"90°S", "45°S", "0°", "45°N", "90°N"}));
  EXPECT_EQ(degree_ticks({37.1, 38.2}, 3, Degrees::latitude).label, (Labels{"37.5°N", "38.0°N"}));
}

TEST(ReportTicks, EndForDegreesThatAreNone) {
  EXPECT_TRUE(degree_ticks({-1e300, 1e300}, 5, Degrees::longitude).at.empty());
}

TEST(ReportRange, LeavesOutWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {nan, 3, inf, -1, -inf, 1e308};
  const std::optional<Range> range = range_of(values);
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->lo, -1);
  EXPECT_EQ(range->hi, 3);
  EXPECT_FALSE(range_of(std::vector<double>{nan, inf}).has_value());
}

TEST(ReportRange, WidenedIsNeverEmpty) {
  for (const double v : {0.0, 5.0, -5.0, 1e300, 1e-300, 123456789.0}) {
    const Range range = widened({v, v}, 0.05);
    EXPECT_GT(range.span(), 0) << v;
    EXPECT_TRUE(range.holds(v)) << v;
    EXPECT_FALSE(linear_ticks(range, 5).at.empty()) << v;
  }
}

TEST(ReportRange, LeavesAFewExtremesToTheEdges) {
  std::vector<double> values;
  for (int i = 0; i < 10000; ++i) values.push_back(i % 100);
  EXPECT_EQ(shown_range(values).outside, 0);
  EXPECT_EQ(shown_range(values).range.hi, 99);
  values.push_back(1e6);
  EXPECT_EQ(shown_range(values).outside, 1);
  EXPECT_LT(shown_range(values).range.hi, 200);
}

TEST(ReportRange, QuantilesAreNearestRanks) {
  const std::vector<double> values = {5, 1, 4, 2, 3, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 0.5), 3);
  EXPECT_EQ(quantile(values, 1), 5);
  EXPECT_EQ(quantile(std::vector<double>{}, 0.5), 0);
}

TEST(ReportScale, MapsAndStopsAtTheEdges) {
  const Scale linear({0, 10}, 100, 200);
  EXPECT_EQ(linear(5), 150);
  EXPECT_EQ(linear(-1), 100);
  EXPECT_EQ(linear(11), 200);
  EXPECT_EQ(linear(std::numeric_limits<double>::quiet_NaN()), 100);
  const Scale log({0.01, 100}, 400, 0, true);
  EXPECT_NEAR(log(1), 200, 1e-9);
  EXPECT_EQ(log(0), 400);
}

TEST(ReportNumbers, AreSetForReading) {
  EXPECT_EQ(display_number(-0.123456, 3), "−0.123");
  EXPECT_EQ(display_number(1.5e9), "1.5×10⁹");
  EXPECT_EQ(display_number(-2e-12), "−2×10⁻¹²");
  EXPECT_EQ(display_number(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(factor_text(0), "");
  EXPECT_EQ(factor_text(-9), " (×10⁻⁹)");
}

}  // namespace
}  // namespace pegnn
