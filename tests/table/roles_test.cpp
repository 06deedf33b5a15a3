#include "table/roles.h"

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/table.h"

namespace pegnn {
namespace {

using Names = std::vector<std::string>;

class RolesLog : public Log {
 public:
  void note(std::string_view text) override { notes.emplace_back(text); }
  void warn(std::string_view text) override { warnings.emplace_back(text); }
  void detail(std::string_view) override {}
  Names notes, warnings;
};

Table parse(const std::string& bytes) { return parse_table(bytes, "t.csv"); }

Roles resolve(const std::string& bytes, const ColumnChoice& choice = {}) {
  RolesLog log;
  return resolve_roles(parse(bytes), choice, log);
}

std::string error_of(ErrorKind kind, const std::string& bytes, const ColumnChoice& choice = {}) {
  try {
    resolve(bytes, choice);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

std::string usage_error(const std::string& bytes, const ColumnChoice& choice = {}) {
  return error_of(ErrorKind::usage, bytes, choice);
}

std::string data_error(const std::string& bytes, const ColumnChoice& choice = {}) {
  return error_of(ErrorKind::data, bytes, choice);
}

TEST(Roles, UsualNamesAreFoundInAnyCase) {
  for (const char* header :
       {"lon,lat", "LNG,Lat", "long,latitude", "Longitude,LATITUDE", "X_lon,y_lat"}) {
    const Roles roles = resolve(std::string(header) + ",v\n1,2,3\n");
    EXPECT_EQ(roles.x + "," + roles.y, header);
    EXPECT_TRUE(roles.geographic);
    EXPECT_EQ(roles.features, Names{"v"});
  }
  for (const char* header : {"X,Y", "Easting,northing"}) {
    const Roles roles = resolve(std::string(header) + ",v\n1,2,3\n");
    EXPECT_EQ(roles.x + "," + roles.y, header);
    EXPECT_FALSE(roles.geographic);
  }
}

TEST(Roles, LongitudeAndLatitudeWinOverXAndY) {
  const Roles roles = resolve("x,y,lat,lon\n1,2,3,4\n");
  EXPECT_EQ(roles.x, "lon");
  EXPECT_EQ(roles.y, "lat");
}

TEST(Roles, ASecondPairOfCoordinatesIsNoFeatureUnlessItIsNamed) {
  EXPECT_EQ(resolve("x,y,lat,lon,a\n1,2,3,4,5\n").features, Names{"a"});
  EXPECT_EQ(resolve("x,lat,lon,a\n1,3,4,5\n").features, (Names{"x", "a"}));  // half a pair
  EXPECT_EQ(resolve("x,y,lat,lon\n1,2,3,4\n", {.features = {"x", "y"}}).features,
            (Names{"x", "y"}));
  EXPECT_EQ(resolve("x,y,lat,lon\n1,2,3,4\n", {.target = "y"}).features, Names{});
}

TEST(Roles, UsualNamesOfOtherProgramsAreKnown) {
  EXPECT_TRUE(resolve("decimalLatitude,decimalLongitude\n1,2\n").geographic);
  EXPECT_EQ(resolve("latitude_deg,longitude_deg\n1,2\n").x, "longitude_deg");
  EXPECT_EQ(resolve("POINT_X,POINT_Y\n1,2\n").y, "POINT_Y");
  EXPECT_FALSE(resolve("x_coord,y_coord\n1,2\n").geographic);
}

TEST(Roles, GeometryIsTheCoordinatesUnlessOthersAreNamed) {
  Table table("t.gpkg");
  table.add("lon", {1});
  table.add("lat", {2});
  table.add("a", {3});
  table.add(kGeometryX, {4});
  table.add(kGeometryY, {5});
  Crs crs{.wkt = "PROJCRS[...]", .name = "Somewhere", .geographic = false};
  table.set_crs(crs);
  const Roles roles = resolve_roles(table, {}, silent_log());
  EXPECT_EQ(roles.x, kGeometryX);
  EXPECT_FALSE(roles.geographic);
  EXPECT_EQ(roles.crs, crs);
  EXPECT_EQ(roles.features, Names{"a"});
  const Roles named = resolve_roles(table, {.x = "lon", .y = "lat"}, silent_log());
  EXPECT_EQ(named.x, "lon");
  EXPECT_EQ(named.features, Names{"a"});
}

TEST(Roles, HalfAPairOfUsualNamesIsNotEnough) {
  EXPECT_FALSE(resolve("lon,x,y\n1,2,3\n").geographic);
  usage_error("lon,y\n1,2\n");
}

TEST(Roles, ChoicesWinOverUsualNames) {
  const Roles roles = resolve("lon,lat,e,n,v\n1,2,3,4,5\n", {.x = "e", .y = "n"});
  EXPECT_EQ(roles.x, "e");
  EXPECT_EQ(roles.y, "n");
  EXPECT_FALSE(roles.geographic);
  // Longitude and latitude tell the same places again.
  EXPECT_EQ(roles.features, Names{"v"});
}

TEST(Roles, CoordinatesComeInWholePairsOfOneKind) {
  const std::string bytes = "a,b,c\n1,2,3\n";
  EXPECT_EQ(usage_error(bytes, {.lon = "a"}), "t.csv: --lon is given without --lat");
  EXPECT_EQ(usage_error(bytes, {.lat = "a"}), "t.csv: --lat is given without --lon");
  EXPECT_EQ(usage_error(bytes, {.x = "a"}), "t.csv: --x is given without --y");
  EXPECT_EQ(usage_error(bytes, {.lon = "a", .lat = "b", .x = "a", .y = "b"}),
            "t.csv: give either --lon and --lat or --x and --y, not both");
  EXPECT_EQ(usage_error(bytes, {.lon = "a", .lat = "a"}),
            "t.csv: --lon and --lat are the same column 'a'");
}

TEST(Roles, WithoutCoordinatesTheColumnsAreListed) {
  EXPECT_EQ(usage_error("east,north,v\n1,2,3\n"),
            "t.csv: no coordinates found; name them with --lon and --lat (degrees) or --x and --y "
            "(projected). Columns: east, north, v");
  EXPECT_NE(usage_error("8.25,57.5,3\n1,2,3\n").find("The first line must name the columns"),
            std::string::npos);
}

TEST(Roles, AnUnknownColumnIsAnsweredWithTheNearestName) {
  EXPECT_EQ(
      usage_error("lon,lat,price\n1,2,3\n", {.target = "prize"}),
      "t.csv: --target: unknown column 'prize'; did you mean 'price'? known: lon, lat, price");
  EXPECT_NE(usage_error("Lon,lat,p\n1,2,3\n", {.lon = "lon", .lat = "lat"}).find("mean 'Lon'"),
            std::string::npos);
  EXPECT_NE(
      usage_error("lon,lat,p\n1,2,3\n", {.features = {"q"}}).find("--features: unknown column"),
      std::string::npos);
}

TEST(Roles, TheTargetIsNeitherCoordinateNorFeature) {
  EXPECT_EQ(
      usage_error("lon,lat,v\n1,2,3\n", {.target = "lat"}),
      "t.csv: --target 'lat' is also a coordinate; name the coordinates with --lon and --lat");
  EXPECT_EQ(usage_error("x,y,v\n1,2,3\n", {.target = "y"}),
            "t.csv: --target 'y' is also a coordinate; name the coordinates with --x and --y");
  EXPECT_EQ(usage_error("lon,lat,v\n1,2,3\n", {.target = "v", .features = {"v"}}),
            "t.csv: 'v' is both --target and among --features");
}

TEST(Roles, FeaturesAreTakenAsNamedAndInThatOrder) {
  const Roles roles =
      resolve("lon,lat,a,b,c\n1,2,3,4,5\n", {.target = "a", .features = {"c", "b"}});
  EXPECT_EQ(roles.target, "a");
  EXPECT_EQ(roles.features, (Names{"c", "b"}));
  EXPECT_EQ(usage_error("lon,lat,a\n1,2,3\n", {.features = {"a", "a"}}),
            "t.csv: --features names 'a' twice");
}

TEST(Roles, NoFeaturesLeavesCoordinatesAlone) {
  EXPECT_TRUE(
      resolve("lon,lat,a,b\n1,2,3,x\n", {.target = "a", .no_features = true}).features.empty());
  EXPECT_EQ(usage_error("lon,lat,a\n1,2,3\n", {.features = {"a"}, .no_features = true}),
            "t.csv: --features and --no-features exclude each other");
}

TEST(Roles, WithoutATargetAllOthersAreFeatures) {
  const Roles roles = resolve("lon,lat,a,b\n1,2,3,4\n");
  EXPECT_EQ(roles.target, "");
  EXPECT_EQ(roles.features, (Names{"a", "b"}));
}

TEST(Roles, ANamedColumnWithTextIsRefusedWithTheCell) {
  const std::string bytes = "lon,lat,price,name,v\n1,2,3,a,1\n4,5,n/k,b,2\n";
  EXPECT_EQ(data_error(bytes, {.target = "price"}),
            "t.csv, line 3, column 'price': 'n/k' is not a number; correct the cell or choose "
            "another --target");
  EXPECT_EQ(data_error(bytes, {.target = "v", .features = {"price"}}),
            "t.csv, line 3, column 'price': 'n/k' is not a number; correct the cell or leave the "
            "column out of --features");
  EXPECT_EQ(
      data_error(bytes, {.target = "v", .features = {"name"}}),
      "t.csv, line 2, column 'name': 'a' is not a number; correct the cell or leave the column "
      "out of --features");
  EXPECT_NE(data_error("lon,lat,v\n1,12N,3\n")
                .find("'12N' is not a number; correct the cell or "
                      "name other columns with --lon and --lat"),
            std::string::npos);
}

TEST(Roles, WithoutATargetTheModelNeedsItsFeaturesAndNoOptionLeavesThemOut) {
  EXPECT_EQ(data_error("lon,lat,a\n1,2,3\n4,5,x\n", {.features = {"a"}}),
            "t.csv, line 3, column 'a': 'x' is not a number; correct the cell; the model needs "
            "this column");
}

TEST(Roles, TextColumnsAndEmptyColumnsAreLeftOutWithANote) {
  RolesLog log;
  const Table table = parse("lon,lat,name,v,blank,code\n1,2,,3,,NA\n4,5,x,6,NA,7\n8,9,5,6,,\n");
  const Roles roles = resolve_roles(table, {.target = "v"}, log);
  EXPECT_EQ(roles.features, Names{"code"});
  EXPECT_EQ(log.notes, (Names{"columns left out: name (text), blank (no values)",
                              "coordinates: lon, lat (degrees); target: v; features: code (1)"}));
  EXPECT_TRUE(log.warnings.empty());
}

TEST(Roles, NamesOfRowsAreNoFeatureUnlessAskedFor) {
  RolesLog log;
  const Table table = parse(",lon,lat,v,code\n1,1,2,3,4\nb,4,5,6,7\n");
  EXPECT_EQ(resolve_roles(table, {.target = "v"}, log).features, Names{"code"});
  EXPECT_EQ(log.notes[0], "columns left out: (row names)");
  const Table numbered = parse(",lon,lat,v\n1,1,2,3\n2,4,5,6\n");
  EXPECT_EQ(resolve_roles(numbered, {.target = "v"}, log).features, Names{});
  EXPECT_EQ(resolve_roles(numbered, {.target = "v", .features = Names{kRowNames}}, log).features,
            Names{kRowNames});
}

TEST(Roles, AColumnCalledIdOfDifferentWholeNumbersIsNoFeatureUnlessAskedFor) {
  RolesLog log;
  const Table table = parse("FID,lon,lat,v,id\n7,1,2,3,1\n2,4,5,6,1\n");
  EXPECT_EQ(resolve_roles(table, {.target = "v"}, log).features, Names{"id"});
  EXPECT_EQ(log.notes[0], "columns left out: FID (names rows)");
  EXPECT_EQ(resolve_roles(table, {.target = "v", .features = {"FID"}}, log).features, Names{"FID"});
  EXPECT_EQ(resolve("id,lon,lat\n0.5,1,2\n1,4,5\n").features, Names{"id"});
  EXPECT_EQ(resolve("ident,lon,lat\n1,1,2\n2,4,5\n").features, Names{"ident"});
}

TEST(Roles, PointsAsWktAreToldWhereThereAreNoCoordinates) {
  const std::string text = usage_error("name,geom\na,Point(1 2)\n", {});
  EXPECT_NE(text.find("column 'geom' holds points as WKT"), std::string::npos) << text;
}

TEST(Roles, AColumnOfNumbersWithTextLaterIsRefused) {
  EXPECT_EQ(data_error("lon,lat,v,w\n1,2,3,4\n1,2,3,x\n", {.target = "v"}),
            "t.csv, line 3, column 'w': 'x' is not a number; correct the cell, or name the columns "
            "to learn from with --features, without this one");
}

TEST(Roles, ATableWithoutRowsKeepsItsFeatures) {
  EXPECT_EQ(resolve("lon,lat,a,b\n").features, (Names{"a", "b"}));
}

TEST(Roles, TheNoteCutsALongListOfFeatures) {
  std::string header = "x,y", row = "1,2";
  for (int i = 0; i < 20; ++i) {
    header += ",f" + std::to_string(i);
    row += ",1";
  }
  RolesLog log;
  resolve_roles(parse(header + "\n" + row + "\n"), {}, log);
  ASSERT_EQ(log.notes.size(), 1U);
  EXPECT_EQ(log.notes[0],
            "coordinates: x, y (projected); features: f0, f1, f2, f3, f4, f5, f6, f7, "
            "f8, f9, f10, f11, ... (20)");
  resolve_roles(parse(header + "\n" + row + "\n"), {.no_features = true}, log);
  EXPECT_EQ(log.notes[1], "coordinates: x, y (projected); features: none");
}

TEST(Roles, WithoutLinesTheDataRowIsNamed) {
  Table table("memory");
  table.add("lon", {1});
  table.add("lat", {2});
  Column text;
  text.name = "v";
  text.values = {0};
  text.text_cells = 1;
  text.first_text_row = 0;
  text.first_text = "oops";
  table.add(text);
  RolesLog log;
  try {
    resolve_roles(table, {.target = "v"}, log);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("memory, data row 0, column 'v'"), std::string::npos);
  }
}

TEST(Roles, CoordinatesAreThoseNamedElseTheGeometryElseThoseOfUsualNames) {
  Table table = parse("x,y,lon,lat,e,n\n1,2,3,4,5,6\n");
  const auto found = [&](const ColumnChoice& choice = {}) {
    return find_coordinates(table, choice);
  };
  EXPECT_EQ("lon", found()->x);
  EXPECT_TRUE(found()->geographic);
  EXPECT_EQ("e", found({.x = "e", .y = "n"})->x);
  EXPECT_FALSE(found({.x = "e", .y = "n"})->geographic);
  EXPECT_TRUE(found({.lon = "e", .lat = "n"})->geographic);
  table.add(kGeometryX, {7});
  table.add(kGeometryY, {8});
  EXPECT_EQ(kGeometryX, found()->x);
  EXPECT_EQ("e", found({.x = "e", .y = "n"})->x);
  EXPECT_THROW(found({.x = "e"}), Error);
  EXPECT_THROW(found({.x = "e", .y = "m"}), Error);
  EXPECT_FALSE(find_coordinates(parse("a,b\n1,2\n"), {}).has_value());
}

TEST(Roles, ACrsDecidesWhetherCoordinatesAreDegrees) {
  Table table = parse("x,y,v\n1,2,3\n");
  table.set_crs(lonlat_crs());
  RolesLog log;
  const Roles roles = resolve_roles(table, {}, log);
  EXPECT_TRUE(roles.geographic);
  EXPECT_EQ(lonlat_crs(), roles.crs);
}

TEST(Roles, AWeightIsNamedAndNoFeature) {
  const std::string rows = "lon,lat,v,sure,a\n1,2,3,4,5\n";
  const Roles roles = resolve(rows, {.target = "v", .weight = "sure"});
  EXPECT_EQ(roles.weight, "sure");
  EXPECT_EQ(roles.features, Names{"a"});
  EXPECT_EQ(resolve(rows, {.target = "v"}).weight, "") << "never guessed";
  RolesLog log;
  resolve_roles(parse(rows), {.target = "v", .weight = "sure"}, log);
  EXPECT_EQ(log.notes, (Names{"coordinates: lon, lat (degrees); target: v; weights: sure; "
                              "features: a (1)"}));
}

TEST(Roles, AWeightThatCannotBeOneIsRefused) {
  const std::string rows = "lon,lat,v,sure,a\n1,2,3,4,5\n";
  EXPECT_NE(usage_error(rows, {.target = "v", .weight = "sur"}).find("--weight: "),
            std::string::npos);
  EXPECT_NE(usage_error(rows, {.target = "v", .weight = "sur"}).find("'sure'"), std::string::npos);
  EXPECT_NE(usage_error(rows, {.target = "v", .weight = "lat"}).find("also a coordinate"),
            std::string::npos);
  EXPECT_NE(usage_error(rows, {.target = "v", .weight = "v"}).find("also the --target"),
            std::string::npos);
  EXPECT_NE(usage_error(rows, {.target = "v", .features = {"a", "sure"}, .weight = "sure"})
                .find("'sure' is both --weight and among --features"),
            std::string::npos);
  EXPECT_NE(data_error("lon,lat,v,w\n1,2,3,much\n", {.target = "v", .weight = "w"})
                .find("'much' is not a number"),
            std::string::npos);
}

TEST(Roles, AColumnWithValuesInRowsOfWeightZeroAloneIsNoFeature) {
  const Roles roles =
      resolve("lon,lat,v,w,a,b\n1,2,3,1,,5\n1,2,3,0,4,5\n", {.target = "v", .weight = "w"});
  EXPECT_EQ(roles.features, Names{"b"});
}

}  // namespace
}  // namespace pegnn
