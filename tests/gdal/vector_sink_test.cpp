#include <cmath>
#include <csignal>
#include <filesystem>

#include <sys/resource.h>

#include <fmt/core.h>

#include "gdal/fixture.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

using test::at;
using test::collection;

class VectorSinkTest : public test::GdalTest {
 protected:
  static Table read(const std::string& place) {
    return module().open_layer({.place = place})->next(kAllRows);
  }
  static Table csv(const std::string& text) {
    return parse_table(text, "t.csv", {.keep_text = true});
  }
  static std::vector<AddedColumn> pred(std::vector<double> values = {}) {
    return {{.name = "pred", .values = std::move(values)}};
  }
  VectorPlan plan(const std::string& name) const {
    return {.file = folder_ / name, .added = pred()};
  }
  // The points of `text` in a new file, with a column `pred` of ones.
  void write_points(const std::string& name, const std::string& text,
                    const Crs& crs = lonlat_crs()) const {
    const Table table = csv(text);
    const auto sink = module().create_points(plan(name), crs, "lon", "lat");
    sink->append(table, pred(std::vector<double>(static_cast<std::size_t>(table.rows()), 1)));
    sink->commit();
  }
};

TEST_F(VectorSinkTest, RowsOfCsvBecomePointsInEveryFormat) {
  for (const char* name :
       {"t.gpkg", "t.geojson", "t.shp", "t.fgb", "t.kml", "t.gml", "t.geojsonl", "t.sqlite"}) {
    write_points(name, "lon,lat,label,v\n5.25,52,a,1.5\n6,53,\"b,c\",\n");
    const Table table = read(place(name));
    ASSERT_EQ(2, table.rows()) << name;
    // FlatGeobuf puts features in an order of its own.
    const std::size_t first = table.find(kGeometryX)->values[0] == 5.25 ? 0 : 1;
    EXPECT_EQ(5.25, table.find(kGeometryX)->values[first]) << name;
    EXPECT_EQ(53, table.find(kGeometryY)->values[1 - first]) << name;
    EXPECT_EQ(1.5, table.find("v")->values[first]) << name;
    EXPECT_TRUE(std::isnan(table.find("v")->values[1 - first])) << name;
    EXPECT_EQ(2, table.find("label")->text_cells) << name;
    EXPECT_EQ(1, table.find("pred")->values[0]) << name;
    EXPECT_TRUE(module().same(lonlat_crs(), table.crs())) << name;
  }
}

TEST_F(VectorSinkTest, PointsLieWhereTheTextSaysThoughTheColumnsAreConverted) {
  Table table = csv("lon;lat\n5,5;52\n");
  table.replace("lon", {1e6});
  const auto sink = module().create_points(plan("t.gpkg"), lonlat_crs(), "lon", "lat");
  sink->append(table, pred({1}));
  sink->commit();
  EXPECT_EQ(5.5, read(place("t.gpkg")).find(kGeometryX)->values[0]);
  EXPECT_EQ(5.5, read(place("t.gpkg")).find("lon")->values[0]);
}

TEST_F(VectorSinkTest, ACellUnlikeTheFirstOnesIsAnErrorThatNamesIt) {
  struct Case {
    const char *first, *later, *among;
  };
  for (const Case& c :
       {Case{"1", "x", "whole numbers"}, Case{"1", "1.5", "whole numbers"},
        Case{"1", "007", "whole numbers"}, Case{"1", "+7", "whole numbers"},
        Case{"1", "9223372036854775808", "whole numbers"}, Case{"1.5", "x", "numbers"},
        Case{"1.5", "007", "numbers"}, Case{"1.5", "9007199254740993", "numbers"}}) {
    const auto sink = module().create_points(plan("t.gpkg"), lonlat_crs(), "lon", "lat");
    sink->append(csv(fmt::format("lon,lat,v\n5,52,{}\n", c.first)), pred({1}));
    try {
      sink->append(csv(fmt::format("lon,lat,v\n5.5,52,NA\n05,52,{}\n", c.later)), pred({1, 1}));
      ADD_FAILURE() << "no error for " << c.later;
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::data, e.kind());
      EXPECT_EQ(fmt::format("t.csv, line 3, column 'v': '{}' does not fit among the {} that the "
                            "first rows have; a vector file cannot hold both: write CSV",
                            c.later, c.among),
                e.what());
    }
  }
}

TEST_F(VectorSinkTest, WholeNumbersKeepTheirDigitsAndCodesTheirZeros) {
  for (const char* name : {"t.gpkg", "t.geojson", "t.shp", "t.fgb", "t.gml", "t.sqlite"}) {
    write_points(name,
                 "lon,lat,id,code,long,sign\n"
                 "5,52,9007199254740993,00501,12345678901234567890,+7\n"
                 "5,52,-4,10001,3,8\n");
    const Table table =
        module().open_layer({.place = place(name), .keep_text = true})->next(kAllRows);
    ASSERT_EQ(2, table.rows()) << name;
    const std::int64_t first = table.find("id")->values[0] > 0 ? 0 : 1;
    const std::string text(table.row_text(first));
    EXPECT_NE(text.find("9007199254740993,00501,12345678901234567890,7,"), std::string::npos)
        << name << ": " << text;
  }
}

TEST_F(VectorSinkTest, KmlKeepsNamesDatesAndLists) {
  const std::string source = file(
      "s.geojson",
      collection({{R"("name":"Köln & co","day":"2020-01-02","l":["a","b"],"n":9007199254740993)",
                   at(5.25, 52)}}));
  for (const char* name : {"t.kml", "t.kmz"}) {
    const Table rows = module().open_layer({.place = source})->next(kAllRows);
    const auto sink = module().create_layer(plan(name), {.place = source});
    sink->append(rows, pred({1}));
    sink->commit();
    const auto layer = module().open_layer({.place = place(name), .keep_text = true});
    const std::string text(layer->next(kAllRows).row_text(0));
    for (const char* cell : {"Köln & co", "2020/01/02", "(2:a,b)", "9007199254740993"}) {
      EXPECT_NE(text.find(cell), std::string::npos) << name << ": " << text;
    }
  }
}

TEST_F(VectorSinkTest, MapInfoHasWholeNumbersAsReals) {
  write_points("t.tab", "lon,lat,n,id\n5,52,3,9007199254740993\n6,53,4,1\n");
  const Table table = module().open_layer({.place = place("t.tab"), .keep_text = true})->next(1);
  EXPECT_EQ(3, table.find("n")->values[0]);
  EXPECT_NE(std::string(table.row_text(0)).find("9007199254740993"), std::string::npos);
}

TEST_F(VectorSinkTest, FieldsOfReservedNamesAndOfNamesThatDifferInCaseAreKept) {
  const Table table = csv("lon,lat,fid,geom,A,a\n5,52,7,x,1,2\n6,53,7,y,3,4\n");
  const auto sink = module().create_points(plan("t.gpkg"), lonlat_crs(), "lon", "lat");
  sink->append(table, pred({1, 2}));
  sink->commit();
  ASSERT_EQ(1U, sink->warnings().size());
  EXPECT_NE(sink->warnings()[0].find("the field 'a' as 'a_1'"), std::string::npos)
      << sink->warnings()[0];
  const Table back = read(place("t.gpkg"));
  EXPECT_EQ(7, back.find("fid")->values[1]);
  EXPECT_EQ("x", back.find("geom")->first_text);
  EXPECT_EQ(4, back.find("a_1")->values[1]);
}

TEST_F(VectorSinkTest, ALayerIsCopiedWithColumnsMore) {
  const std::string source =
      file("s.geojson", collection({{R"("id":3000000000,"s":"ü","v":null)", at(155000, 463000)},
                                    {R"("id":2,"s":null,"v":0.1)", "null"}},
                                   "urn:ogc:def:crs:EPSG::28992"));
  const Table table = read(source);
  const auto sink = module().create_layer(plan("t.gpkg"), {.place = source});
  sink->append(table, pred({1.25, std::nan("")}));
  sink->commit();
  EXPECT_TRUE(sink->warnings().empty());
  const Table back = read(place("t.gpkg"));
  ASSERT_EQ(2, back.rows());
  EXPECT_TRUE(module().same(table.crs(), back.crs()));
  EXPECT_EQ(3000000000, back.find("id")->values[0]);
  EXPECT_EQ("ü", back.find("s")->first_text);
  EXPECT_TRUE(std::isnan(back.find("v")->values[0]));
  EXPECT_EQ(0.1, back.find("v")->values[1]);
  EXPECT_EQ(155000, back.find(kGeometryX)->values[0]);
  EXPECT_TRUE(std::isnan(back.find(kGeometryX)->values[1]));
  EXPECT_EQ(1.25, back.find("pred")->values[0]);
  EXPECT_TRUE(std::isnan(back.find("pred")->values[1]));
}

TEST_F(VectorSinkTest, ALayerOfWhichRowsAreLeftOrMissingHasChanged) {
  const std::string source =
      file("s.geojson", collection({{R"("v":1)", at(1, 1)}, {R"("v":2)", at(2, 2)}}));
  const auto few = module().create_layer(plan("t.gpkg"), {.place = source});
  few->append(module().open_layer({.place = source})->next(1), pred({1}));
  EXPECT_THROW(few->commit(), Error);
  const auto many = module().create_layer(plan("u.gpkg"), {.place = source});
  const Table table = read(source);
  many->append(table, pred({1, 2}));
  EXPECT_THROW(many->append(table, pred({1, 2})), Error);
}

TEST_F(VectorSinkTest, RowsThatKeepTheirTextMustBeThoseThatAreReadAgain) {
  const std::string source = file("s.geojson", collection({{R"("v":1)", at(1, 1)}}));
  const std::string other = file("o.geojson", collection({{R"("v":2)", at(1, 1)}}));
  const auto rows = [&](const std::string& from) {
    return module().open_layer({.place = from, .keep_text = true})->next(kAllRows);
  };
  const auto sink = module().create_layer(plan("t.gpkg"), {.place = source});
  EXPECT_THROW(sink->append(rows(other), pred({1})), Error);
  const auto again = module().create_layer(plan("u.gpkg"), {.place = source});
  again->append(rows(source), pred({1}));
  again->commit();
}

TEST_F(VectorSinkTest, TheFileAppearsOnCommitAndNothingIsLeftWithoutIt) {
  const std::string old = file("t.gpkg", "old");
  const Table table = csv("lon,lat\n5,52\n");
  {
    const auto sink = module().create_points(plan("t.gpkg"), lonlat_crs(), "lon", "lat");
    sink->append(table, pred({1}));
    EXPECT_EQ("old", read_file(old));
  }
  EXPECT_EQ("old", read_file(old));
  EXPECT_EQ(1, folder_.entries());
}

// As a full disk does, a limit on the size of files makes writes fail.
TEST_F(VectorSinkTest, AFileThatDoesNotFitIsAnErrorAndLeavesTheOldOne) {
  std::string text = "lon,lat,name\n";
  for (int i = 0; i < 1000; ++i) {
    text += fmt::format("{},{},a name of some length {}\n", 5 + i * 1e-4, 52 + i * 1e-4, i);
  }
  struct rlimit before {};
  ASSERT_EQ(0, ::getrlimit(RLIMIT_FSIZE, &before));
  struct rlimit small = before;
  small.rlim_cur = 30'000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const char* name :
       {"t.gpkg", "t.geojson", "t.shp", "t.fgb", "t.kml", "t.gml", "t.geojsonl"}) {
    file(name, "old");
    ::setrlimit(RLIMIT_FSIZE, &small);
    try {
      write_points(name, text);
      ADD_FAILURE() << "no error for " << name;
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::resource, e.kind()) << e.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ("old", read_file(place(name))) << name;
    EXPECT_EQ(1, folder_.entries()) << name;
    std::filesystem::remove(place(name));
  }
  std::signal(SIGXFSZ, handler);
}

TEST_F(VectorSinkTest, FormatsAndOptionsThatAreNotThereAreUsageErrors) {
  VectorPlan unknown = plan("t.gpkg");
  unknown.format = "GPKGG";
  VectorPlan option = plan("t.gpkg");
  option.creation = {"SPATIAL_INDX=NO"};
  VectorPlan value = plan("t.gpkg");
  value.creation = {"SPATIAL_INDEX"};
  for (const VectorPlan& wrong : {unknown, option, value, plan("t.nothing")}) {
    try {
      module().create_points(wrong, lonlat_crs(), "lon", "lat");
      ADD_FAILURE() << "no error";
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::usage, e.kind()) << e.what();
    }
  }
  EXPECT_EQ(0, folder_.entries());
}

TEST_F(VectorSinkTest, PointsInAPlaneWithoutCrsAreReadBackWithoutOne) {
  for (const char* name : {"t.gpkg", "t.shp", "t.fgb"}) {
    write_points(name, "lon,lat\n5,52\n", Crs{});
    EXPECT_FALSE(read(place(name)).crs().known()) << name;
  }
}

TEST_F(VectorSinkTest, AShapefileTellsWhichNamesItShortened) {
  const Table table = csv("lon,lat,precipitation_mm\n5,52,1\n");
  const auto sink = module().create_points(plan("t.shp"), lonlat_crs(), "lon", "lat");
  sink->append(table, pred({1}));
  sink->commit();
  ASSERT_EQ(1U, sink->warnings().size());
  EXPECT_NE(sink->warnings()[0].find("'precipitation_mm' as 'precipitat'"), std::string::npos);
}

}  // namespace
}  // namespace pegnn
