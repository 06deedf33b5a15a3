#include <cmath>
#include <functional>

#include "gdal/fixture.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

using test::at;
using test::collection;

class VectorLayerTest : public test::GdalTest {
 protected:
  static Table read(const LayerQuery& query) { return module().open_layer(query)->next(kAllRows); }
  static void expect_error(ErrorKind kind, const std::string& words,
                           const std::function<void()>& what) {
    try {
      what();
      FAIL() << "no error that says: " << words;
    } catch (const Error& e) {
      EXPECT_EQ(kind, e.kind()) << e.what();
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  }
};

TEST_F(VectorLayerTest, FieldsAndPointsBecomeColumns) {
  const std::string place = file(
      "t.geojson", collection({{R"("n":1,"r":1.5,"b":true,"s":"x","d":"2020-01-02")", at(5, 52)},
                               {R"("n":null,"r":-2,"b":false,"s":null,"d":null)", at(6, 53)}}));
  const Table table = read({.place = place});
  ASSERT_EQ(2, table.rows());
  EXPECT_EQ(place, table.source());
  EXPECT_EQ(1, table.find("n")->values[0]);
  EXPECT_TRUE(std::isnan(table.find("n")->values[1]));
  EXPECT_EQ(-2, table.find("r")->values[1]);
  EXPECT_EQ(1, table.find("b")->values[0]);
  EXPECT_EQ(0, table.find("b")->values[1]);
  EXPECT_EQ(1, table.find("s")->text_cells);
  EXPECT_EQ("x", table.find("s")->first_text);
  EXPECT_EQ("2020-01-02", table.find("d")->first_text);
  EXPECT_EQ(6, table.find(kGeometryX)->values[1]);
  EXPECT_EQ(53, table.find(kGeometryY)->values[1]);
  EXPECT_EQ("feature 2", table.where(1));
  EXPECT_TRUE(table.crs().known());
  EXPECT_TRUE(table.crs().geographic);
}

TEST_F(VectorLayerTest, NumbersInAFieldOfTextAreNumbersAsInCsv) {
  const std::string place =
      file("t.geojson", collection({{R"("s":" 12.5 ")", at(5, 52)}, {R"("s":"NA")", at(6, 53)}}));
  const Table table = read({.place = place});
  EXPECT_TRUE(table.find("s")->numeric());
  EXPECT_EQ(12.5, table.find("s")->values[0]);
  EXPECT_TRUE(std::isnan(table.find("s")->values[1]));
}

TEST_F(VectorLayerTest, FeaturesWithoutAPlaceAreMissing) {
  const std::string place = file(
      "t.geojson", collection({{R"("v":1)", "null"},
                               {R"("v":2)", R"({"type":"MultiPoint","coordinates":[]})"},
                               {R"("v":3)", R"({"type":"MultiPoint","coordinates":[[7,8]]})"}}));
  const Table table = read({.place = place});
  EXPECT_TRUE(std::isnan(table.find(kGeometryX)->values[0]));
  EXPECT_TRUE(std::isnan(table.find(kGeometryY)->values[1]));
  EXPECT_EQ(7, table.find(kGeometryX)->values[2]);
}

TEST_F(VectorLayerTest, PiecesGoOnWhereTheLastEnded) {
  const std::string place =
      file("t.geojson",
           collection({{R"("v":1)", at(1, 1)}, {R"("v":2)", at(2, 2)}, {R"("v":3)", at(3, 3)}}));
  const auto layer = module().open_layer({.place = place});
  EXPECT_EQ(2, layer->next(2).rows());
  const Table last = layer->next(2);
  ASSERT_EQ(1, last.rows());
  EXPECT_EQ(3, last.find("v")->values[0]);
  EXPECT_EQ("feature 3", last.where(0));
  EXPECT_EQ(0, layer->next(2).rows());
  EXPECT_EQ(0, layer->next(2).rows());
}

TEST_F(VectorLayerTest, AFilterBeginsWithTheFirstFeatureThatFits) {
  const std::string place =
      file("t.geojson",
           collection({{R"("v":1)", at(1, 1)}, {R"("v":2)", at(2, 2)}, {R"("v":3)", at(3, 3)}}));
  const Table table = read({.place = place, .where = "v > 1"});
  ASSERT_EQ(2, table.rows());
  EXPECT_EQ(2, table.find("v")->values[0]);
  EXPECT_EQ(0, read({.place = place, .where = "v > 9"}).rows());
}

TEST_F(VectorLayerTest, TextOfARowIsALineOfCsv) {
  const std::string place =
      file("t.geojson", collection({{R"("a,b":1,"s":"x \"y\"")", at(5.25, 52)}}));
  const Table table = read({.place = place, .keep_text = true});
  EXPECT_EQ("\"a,b\",s,longitude,latitude", table.header_text());
  EXPECT_EQ("1,\"x \"\"y\"\"\",5.25,52", table.row_text(0));
}

TEST_F(VectorLayerTest, NamesAreTrimmedAndNoneComesTwice) {
  const std::string place = file("t.geojson", collection({{R"(" a ":1,"a":2,"":3)", at(5, 52)}}));
  const auto layer = module().open_layer({.place = place});
  EXPECT_EQ((std::vector<std::string>{"a", "a (2)", "field 3", kGeometryX, kGeometryY}),
            layer->names());
}

TEST_F(VectorLayerTest, OtherShapesNeedTheirCentroid) {
  const std::string square =
      R"({"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]})";
  const std::string place = file("t.geojson", collection({{R"("v":1)", square}}));
  expect_error(ErrorKind::data, "feature 1 is a POLYGON, not a point; --centroid",
               [&] { read({.place = place}); });
  EXPECT_EQ(1, read({.place = place, .centroid = true}).find(kGeometryX)->values[0]);
}

TEST_F(VectorLayerTest, ACentroidDoesNotFallBetweenTheSidesOfTheAntimeridian) {
  const std::string fiji = R"({"type":"MultiPolygon","coordinates":[
    [[[178,-17],[180,-17],[180,-19],[178,-19],[178,-17]]],
    [[[-180,-17],[-174,-17],[-174,-19],[-180,-19],[-180,-17]]]]})";
  const std::string world =
      R"({"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,-60],[-180,-60],[-180,-90]]]})";
  const std::string place =
      file("t.geojson", collection({{R"("v":1)", fiji}, {R"("v":1)", world}}));
  const Table table = read({.place = place, .centroid = true});
  EXPECT_NEAR(-178, table.find(kGeometryX)->values[0], 1e-9);
  EXPECT_NEAR(0, table.find(kGeometryX)->values[1], 1e-9);
}

TEST_F(VectorLayerTest, LayersAreNamedWhereThereAreSeveral) {
  const auto folder = [](const std::string& name) {
    return "<Folder><name>" + name +
           "</name><Placemark><Point><coordinates>1,2</coordinates>"
           "</Point></Placemark></Folder>";
  };
  const std::string place =
      file("t.kml", "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>" + folder("one") +
                        folder("two") + "</Document></kml>");
  expect_error(ErrorKind::usage, "has 2 layers: one, two; --layer",
               [&] { read({.place = place}); });
  expect_error(ErrorKind::usage, "unknown layer 'tow'",
               [&] { read({.place = place, .layer = "tow"}); });
  EXPECT_EQ(place + " (layer two)", read({.place = place, .layer = "two"}).source());
}

TEST_F(VectorLayerTest, WhatCannotBeReadIsAnErrorOfItsKind) {
  expect_error(ErrorKind::resource, "No such file", [&] { read({.place = place("no.gpkg")}); });
  const std::string text = file("t.gpkg", "no database");
  expect_error(ErrorKind::data, "cannot be read as vector data", [&] { read({.place = text}); });
  const std::string cut = file("t.geojson", collection({{R"("v":1)", at(1, 1)}}).substr(0, 90));
  expect_error(ErrorKind::data, "t.geojson", [&] { read({.place = cut}); });
  expect_error(ErrorKind::resource, "password=...",
               [&] { read({.place = "PG:host=127.0.0.1 port=1 password=secret"}); });
}

TEST_F(VectorLayerTest, ALayerCutShortIsNotTakenForAWholeOne) {
  std::string lines;
  for (int i = 0; i < 100; ++i) {
    lines += R"({"type":"Feature","properties":{"v":1},"geometry":)" + at(i, 1) + "}\n";
  }
  const std::string place = file("t.geojsonl", lines.substr(0, lines.size() - 20));
  expect_error(ErrorKind::data, "cannot be read past feature 99", [&] { read({.place = place}); });
}

TEST_F(VectorLayerTest, AFilterThatDoesNotFitIsRefused) {
  const std::string place = file("t.geojson", collection({{R"("v":1)", at(1, 1)}}));
  for (const char* where : {"w > 1", "v >", "\"w\" > 1"}) {
    expect_error(ErrorKind::usage, "--where", [&] { read({.place = place, .where = where}); });
  }
}

}  // namespace
}  // namespace pegnn
