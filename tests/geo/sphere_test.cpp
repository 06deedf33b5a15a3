#include "geo/sphere.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pegnn/geo.h"

namespace pegnn {
namespace {

constexpr double kDegree = kEarthRadiusMetres * std::numbers::pi / 180;  // on a great circle

auto bits(const UnitVector& v) {
  return std::tuple(std::bit_cast<std::uint64_t>(v.x), std::bit_cast<std::uint64_t>(v.y),
                    std::bit_cast<std::uint64_t>(v.z));
}

// The tolerance is relative: by default two units in the last place.
void expect_metres(double expected, Point a, Point b, double tolerance = 4e-16) {
  EXPECT_NEAR(great_circle(a, b).value, expected, tolerance * expected)
      << a.x << " " << a.y << " to " << b.x << " " << b.y;
}

TEST(UnitVector, IsExactAtMultiplesOfNinetyDegrees) {
  EXPECT_EQ(bits(unit_vector({0, 0})), bits({1, 0, 0}));
  EXPECT_EQ(bits(unit_vector({90, 0})), bits({0, 1, 0}));
  EXPECT_EQ(bits(unit_vector({180, 0})), bits({-1, 0, 0}));
  EXPECT_EQ(bits(unit_vector({-90, 0})), bits({0, -1, 0}));
  EXPECT_EQ(bits(unit_vector({270, 0})), bits({0, -1, 0}));
  EXPECT_EQ(bits(unit_vector({0, 90})), bits({0, 0, 1}));
  EXPECT_EQ(bits(unit_vector({0, -90})), bits({0, 0, -1}));
}

RC_GTEST_PROP(UnitVector, IsTheSameDownToTheSignBitsForOnePlaceWrittenTwice, ()) {
  const double lat = *rc::gen::inRange(-90000, 90001) / 1000.0;
  const double lon = *rc::gen::inRange(-180000, 180001) / 1000.0;
  RC_ASSERT(bits(unit_vector({180, lat})) == bits(unit_vector({-180, lat})));
  RC_ASSERT(bits(unit_vector({lon, 90})) == bits(unit_vector({0, 90})));
  RC_ASSERT(bits(unit_vector({lon, -90})) == bits(unit_vector({0, -90})));
}

RC_GTEST_PROP(UnitVector, AgreesWithPlainTrigonometryInEveryOctant, ()) {
  const double lon = *rc::gen::inRange(-720000, 720000) / 1000.0;
  const double lat = *rc::gen::inRange(-90000, 90001) / 1000.0;
  const UnitVector v = unit_vector({lon, lat});
  const double l = lon * std::numbers::pi / 180, p = lat * std::numbers::pi / 180;
  // An angle of up to 4 pi carries an error of about 2e-15 into the plain formula.
  RC_ASSERT(std::abs(v.x - std::cos(p) * std::cos(l)) < 4e-15);
  RC_ASSERT(std::abs(v.y - std::cos(p) * std::sin(l)) < 4e-15);
  RC_ASSERT(std::abs(v.z - std::sin(p)) < 4e-15);
}

TEST(GreatCircle, GivesTheQuarterMeridian) {
  expect_metres(90 * kDegree, {17, 0}, {17, 90});
  expect_metres(90 * kDegree, {0, 0}, {90, 0});
  EXPECT_NEAR(great_circle({0, 0}, {0, 90}).value, 10007557.221, 5e-4);
}

TEST(GreatCircle, GivesHandComputedAngles) {
  expect_metres(60 * kDegree, {0, 45}, {90, 45});     // cos = sin^2 45 = 1/2
  expect_metres(60 * kDegree, {0, 60}, {180, 60});    // over the pole
  expect_metres(90 * kDegree, {0, 0}, {90, 45});      // at right angles
  expect_metres(120 * kDegree, {10, -60}, {10, 60});  // along a meridian
  expect_metres(1 * kDegree, {0, 0}, {1, 0});
  expect_metres(2 * kDegree, {179, 0}, {-179, 0});
  expect_metres(2 * kDegree, {0, 89}, {180, 89});
}

TEST(GreatCircle, GivesHalfTheCircumferenceForAntipodes) {
  expect_metres(180 * kDegree, {0, 0}, {180, 0});
  expect_metres(180 * kDegree, {0, 90}, {55, -90});
  expect_metres(180 * kDegree, {-122.25, 37.5}, {57.75, -37.5});
}

TEST(GreatCircle, KeepsItsDigitsNearAntipodes) {
  const double step = 0x1.0p-30;  // degrees; a tenth of a millimetre
  const double missing = 180 * kDegree - great_circle({0, 0}, {180 - step, 0}).value;
  EXPECT_NEAR(missing, step * kDegree, 1e-8);  // a few units in the last place of 2e7 m
  const double missing_north = 180 * kDegree - great_circle({0, 30}, {180, -30 + step}).value;
  EXPECT_NEAR(missing_north, step * kDegree, 1e-8);
}

TEST(GreatCircle, KeepsItsDigitsForTinyDistances) {
  const double step = 0x1.0p-40;  // degrees; a tenth of a micrometre
  expect_metres(step * kDegree, {10, 45}, {10, 45 + step}, 1e-15);
  expect_metres(step * kDegree, {10, 0}, {10 + step, 0}, 1e-15);
  expect_metres(step * kDegree / 2, {10, 60}, {10 + step, 60}, 1e-15);
  expect_metres(2 * step * kDegree, {180 - step, 0}, {-180 + step, 0}, 1e-15);
  const double last_place = 0x1.0p-45;  // of 180; the plain difference rounds to 360
  expect_metres(last_place * kDegree, {180 - last_place, 0}, {-180, 0}, 1e-15);
}

TEST(GreatCircle, IsExactlyZeroForOnePlaceWrittenTwice) {
  EXPECT_EQ(great_circle({180, 12.34}, {-180, 12.34}).value, 0.0);
  EXPECT_EQ(great_circle({-122.23, 37.88}, {-122.23, 37.88}).value, 0.0);
  EXPECT_EQ(great_circle({190, 10}, {-170, 10}).value, 0.0);
  EXPECT_EQ(great_circle({0, 10}, {360, 10}).value, 0.0);
  EXPECT_EQ(great_circle({0, 90}, {123.4, 90}).value, 0.0);
  EXPECT_EQ(great_circle({-77.7, -90}, {123.4, -90}).value, 0.0);
}

Point any_point() {
  const double lon = *rc::gen::inRange(-180000000, 180000001) / 1e6;
  const double lat = *rc::gen::inRange(-90000000, 90000001) / 1e6;
  return {lon, lat};
}

RC_GTEST_PROP(GreatCircle, IsSymmetric, ()) {
  const Point a = any_point(), b = any_point();
  RC_ASSERT(great_circle(a, b).value == great_circle(b, a).value);
}

RC_GTEST_PROP(GreatCircle, AgreesWithTheChord, ()) {
  const Point a = any_point(), b = any_point();
  const double exact = great_circle(a, b).value;
  const double chord = metres_of_squared_chord(squared_chord(unit_vector(a), unit_vector(b))).value;
  // What geo/nearest.h promises about its distances.
  RC_ASSERT(std::abs(exact - chord) <= (exact < 90 * kDegree ? 1e-8 : 0.5));
}

TEST(SquaredChord, BecomesMetresOnBothSidesOfTheSeries) {
  for (const double squared : {1e-20, 1e-9, 1e-4, 0.0099999, 0.01, 0.02, 1.0, 2.0, 3.9}) {
    const double expected = 2 * kEarthRadiusMetres * std::asin(std::sqrt(squared) / 2);
    EXPECT_NEAR(metres_of_squared_chord(squared).value, expected, 4e-15 * expected) << squared;
  }
  EXPECT_EQ(metres_of_squared_chord(0).value, 0.0);
}

TEST(SquaredChord, OfAntipodesPastFourByRoundingIsHalfTheCircumference) {
  EXPECT_DOUBLE_EQ(metres_of_squared_chord(4.0).value, 180 * kDegree);
  EXPECT_DOUBLE_EQ(metres_of_squared_chord(4.0 + 1e-15).value, 180 * kDegree);
}

TEST(Distance, IsInTheUnitOfTheSpace) {
  EXPECT_EQ(distance(Space::plane, {500001, 4600002}, {500004, 4600006}), 5.0);
  EXPECT_EQ(distance(Space::degrees, {179, 0}, {-179, 0}), 358.0);
  EXPECT_EQ(distance(Space::sphere, {179, 1}, {-179, 2}), great_circle({179, 1}, {-179, 2}).value);
}

TEST(Space, HasNames) {
  EXPECT_EQ(name_of(Space::sphere), "great-circle");
  EXPECT_EQ(name_of(Space::plane), "planar");
  EXPECT_EQ(name_of(Space::degrees), "degrees");
}

}  // namespace
}  // namespace pegnn
