#include "table/given_points.h"

#include <limits>

#include <gtest/gtest.h>

#include "support/refused.h"

namespace pegnn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(),
                 kInfinity = std::numeric_limits<double>::infinity();

TEST(GivenPoints, OnTheGlobeMayBeWrittenFrom0To360) {
  const std::vector<Point> given = {{0, 0}, {180, 90}, {-180, -90}, {190, 5}, {360, 1}};
  const std::vector<Point> wanted = {{0, 0}, {180, 90}, {-180, -90}, {-170, 5}, {0, 1}};
  EXPECT_EQ(wanted, checked_points(given, true));
  EXPECT_EQ(given, checked_points(given, false));
  EXPECT_TRUE(checked_points({}, true).empty());
}

TEST(GivenPoints, ThatAreNowhereAreRefusedWithTheirRow) {
  for (const Point wrong : {Point{kNaN, 0}, Point{0, kNaN}, Point{kInfinity, 0}, Point{0, 90.1},
                            Point{0, -91}, Point{-180.5, 0}, Point{361, 0}}) {
    const std::vector<Point> points = {{1, 1}, wrong};
    EXPECT_NE(test::refusal([&] { checked_points(points, true); }).find("point 1 "),
              std::string::npos);
  }
  for (const Point wrong : {Point{kNaN, 0}, Point{0, -kInfinity}, Point{1e101, 0}}) {
    const std::vector<Point> points = {{1000, -1000}, wrong};
    EXPECT_NE(test::refusal([&] { checked_points(points, false); }).find("point 1 "),
              std::string::npos);
  }
}

TEST(GivenValues, MustBeFinite) {
  const std::vector<double> fine = {0, -1e300}, wrong = {0, 1, kNaN};
  check_finite(fine, "value");
  check_finite({}, "value");
  EXPECT_NE(test::refusal([&] { check_finite(wrong, "weight"); }).find("weight 2 "),
            std::string::npos);
}

}  // namespace
}  // namespace pegnn
