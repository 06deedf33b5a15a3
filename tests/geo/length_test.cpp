#include "geo/length.h"

#include <gtest/gtest.h>

namespace pegnn {
namespace {

Crs plane_of(double metres) {
  return {.wkt = "a plane", .name = "plane", .geographic = false, .metres_per_unit = metres};
}

TEST(Length, IsToldInKilometresOrMetresWhereTheUnitIsKnown) {
  EXPECT_EQ("11.9 km", length_text(11'874, 1));
  EXPECT_EQ("227 m", length_text(227.4, 1));
  EXPECT_EQ("1,200 km", length_text(1.2e6, 1));
  EXPECT_EQ("11.87 km", length_text(11'874, 1, 4));
}

TEST(Length, OfFeetIsToldInMetres) {
  const double foot = metres_per_unit(Space::plane, plane_of(0.3048));
  EXPECT_EQ("305 m", length_text(1000, foot));
  EXPECT_EQ("30.5 km", length_text(100'000, foot));
}

TEST(Length, OfAnUnknownUnitIsWrittenOut) {
  EXPECT_EQ("30,000 units", length_text(30'000, 0));
  EXPECT_EQ("0.25 units", length_text(0.25, 0));
}

TEST(Length, HasMetresOnTheSphereAndInAKnownPlaneAlone) {
  EXPECT_EQ(1, metres_per_unit(Space::sphere, {}));
  EXPECT_EQ(0, metres_per_unit(Space::plane, {}));
  EXPECT_EQ(0, metres_per_unit(Space::degrees, lonlat_crs()));
  EXPECT_EQ(1000, metres_per_unit(Space::plane, plane_of(1000)));
}

}  // namespace
}  // namespace pegnn
