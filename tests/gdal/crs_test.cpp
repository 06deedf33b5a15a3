#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "support/gdal.h"

namespace pegnn {
namespace {

TEST(Crs, ACodeBecomesANameAKindAndAUnit) {
  PEGNN_NEEDS_GDAL();
  const Gdal& g = gdal("a test");
  const Crs dutch = g.crs("EPSG:28992", "--crs");
  EXPECT_EQ(dutch.name, "EPSG:28992 (Amersfoort / RD New)");
  EXPECT_FALSE(dutch.geographic);
  EXPECT_EQ(dutch.metres_per_unit, 1);
  const Crs feet = g.crs("EPSG:2263", "--crs");  // New York, US survey feet
  EXPECT_NEAR(feet.metres_per_unit, 1200.0 / 3937, 1e-12);
  EXPECT_TRUE(g.crs("EPSG:4326", "--crs").geographic);
  EXPECT_TRUE(g.crs("+proj=longlat +datum=WGS84", "--crs").geographic);
}

TEST(Crs, LongitudeAndLatitudeAreKnownWithoutALibrary) {
  PEGNN_NEEDS_GDAL();
  const Gdal& g = gdal("a test");
  EXPECT_TRUE(g.same(lonlat_crs(), g.crs("EPSG:4326", "--crs")));
  EXPECT_TRUE(g.same(lonlat_crs(), g.crs("OGC:CRS84", "--crs")));
  EXPECT_FALSE(g.same(lonlat_crs(), g.crs("EPSG:3857", "--crs")));
  EXPECT_FALSE(g.same(lonlat_crs(), Crs{}));
  EXPECT_TRUE(g.same(Crs{}, Crs{}));
}

TEST(Crs, PointsGoThereAndBackWithLongitudeFirst) {
  PEGNN_NEEDS_GDAL();
  const Gdal& g = gdal("a test");
  const Crs utm = g.crs("EPSG:32632", "--crs");
  std::vector<Point> points = {{9, 0}, {9, 48}, {11.5, 48.1}};
  const std::vector<Point> before = points;
  g.transform(lonlat_crs(), utm)->apply(points);
  EXPECT_NEAR(points[0].x, 500000, 1e-6);  // the central meridian, at the equator
  EXPECT_NEAR(points[0].y, 0, 1e-6);
  EXPECT_GT(points[1].y, 5.3e6);
  g.transform(utm, lonlat_crs())->apply(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(points[i].x, before[i].x, 1e-9);
    EXPECT_NEAR(points[i].y, before[i].y, 1e-9);
  }
}

TEST(Crs, WhatHasNoPlaceInTheOtherSystemIsNoNumber) {
  PEGNN_NEEDS_GDAL();
  const Gdal& g = gdal("a test");
  std::vector<Point> points = {{0, 0}, {9, 48}};
  // Seen from above the North Pole, the southern half is behind the globe.
  g.transform(lonlat_crs(), g.crs("+proj=ortho +lat_0=90", "--crs"))->apply(points);
  std::vector<Point> south = {{0, -60}};
  g.transform(lonlat_crs(), g.crs("+proj=ortho +lat_0=90", "--crs"))->apply(south);
  EXPECT_TRUE(std::isnan(south[0].x));
  EXPECT_FALSE(std::isnan(points[1].x));
}

TEST(Crs, WhatIsNoneIsRefusedWithTheOptionAndTheValue) {
  PEGNN_NEEDS_GDAL();
  for (const char* wrong : {"EPSG:1", "nonsense", ""}) {
    try {
      gdal("a test").crs(wrong, "--crs");
      ADD_FAILURE() << wrong << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find("--crs '" + std::string(wrong) + "'"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Crs, DegreesFromParisAreRefused) {
  PEGNN_NEEDS_GDAL();
  EXPECT_THROW(gdal("a test").crs("EPSG:4807", "--crs"), Error);  // grads, from Paris
  EXPECT_THROW(gdal("a test").crs("EPSG:4978", "--crs"), Error);  // geocentric
}

}  // namespace
}  // namespace pegnn
