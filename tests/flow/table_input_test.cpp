#include "flow/table_input.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "pegnn/log.h"
#include "support/gdal.h"
#include "support/refused.h"

namespace pegnn {
namespace {

class TableInputTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    write_file(folder_ / name, text);
    return (folder_ / name).string();
  }

  test::Folder folder_;
};

TEST_F(TableInputTest, CsvComesInPieces) {
  TableInput input({.table = file("a.csv", "lon,lat,y\n1,2,3\n4,5,6\n7,8,9\n")}, false);
  input.settle({}, silent_log());
  EXPECT_EQ("lon", input.coordinates().x);
  EXPECT_TRUE(input.coordinates().geographic);
  EXPECT_FALSE(input.is_layer());
  EXPECT_EQ(2, input.next(2).rows());
  EXPECT_EQ(1, input.next(2).rows());
  EXPECT_EQ(0, input.next(2).rows());
}

TEST_F(TableInputTest, WhatDoesNotGoWithTheKindOfFileIsRefused) {
  const std::string csv = file("a.csv", "lon,lat\n1,2\n");
  const auto refused = [](const TableRequest& request) {
    return test::refusal([&] { TableInput(request, false); });
  };
  EXPECT_EQ("--layer goes with vector data; " + csv +
                " is read as CSV, for its name has no ending such as .gpkg, .geojson or .shp",
            refused({.table = csv, .layer = "roads"}));
  EXPECT_TRUE(refused({.table = csv, .where = "a = 1"}).starts_with("--where "));
  EXPECT_TRUE(refused({.table = csv, .centroid = true}).starts_with("--centroid "));
  EXPECT_TRUE(refused({.table = "a.gpkg", .encoding = "latin1"}).starts_with("--encoding "));
}

TEST_F(TableInputTest, APlaneWithoutCrsHasNoDegrees) {
  TableInput input({.table = file("a.csv", "lon,lat\n1,2\n"), .crs = "none"}, false);
  const std::string refused = test::refusal([&] { input.settle({}, silent_log()); });
  EXPECT_TRUE(refused.starts_with("--crs none is a plane, but 'lon' and 'lat' are longitude"))
      << refused;
}

TEST_F(TableInputTest, WithoutCoordinatesItSaysHowToNameThem) {
  TableInput input({.table = file("a.csv", "a,b\n1,2\n")}, false);
  input.settle({}, silent_log());
  EXPECT_NE(std::string::npos,
            test::refusal([&] { (void)input.coordinates(); }).find("--lon and --lat"));
}

TEST_F(TableInputTest, DegreesAreConvertedToTheCrsAskedFor) {
  PEGNN_NEEDS_GDAL();
  const Table table = read_input(
      {.table = file("a.csv", "lon,lat,y\n3,0,1\n"), .to_crs = "EPSG:32631"}, {}, silent_log());
  EXPECT_NEAR(500'000, table.find("lon")->values[0], 1e-3);
  EXPECT_NEAR(0, table.find("lat")->values[0], 1e-3);
  EXPECT_TRUE(table.crs().known());
}

TEST_F(TableInputTest, ALayerTellsItsCrsAndItsPoints) {
  PEGNN_NEEDS_GDAL();
  const std::string layer =
      file("a.geojson",
           "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":"
           "{\"y\":7},\"geometry\":{\"type\":\"Point\",\"coordinates\":[5,50]}}]}");
  TableInput input({.table = layer}, false);
  input.settle({}, silent_log());
  EXPECT_TRUE(input.is_layer());
  EXPECT_TRUE(input.has_geometry());
  EXPECT_TRUE(input.file_crs().geographic);
  EXPECT_EQ(5, input.next(kAllRows).find(kGeometryX)->values[0]);
}

}  // namespace
}  // namespace pegnn
