#include <cmath>
#include <limits>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "pegnn/error.h"
#include "support/gdal.h"
#include "support/places.h"

namespace pegnn {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

RasterGrid small_grid(std::int64_t width = 4, std::int64_t height = 3) {
  return {
      .width = width, .height = height, .x = 10, .y = 50, .dx = 1, .dy = 2, .crs = lonlat_crs()};
}

// Bands whose cells count up from 0, 100, ...; the first cell of each is empty.
void write_raster(const RasterPlan& plan) {
  const auto sink = gdal("a test").create_raster(plan);
  const RasterWindow all{0, 0, plan.grid.width, plan.grid.height};
  for (std::size_t b = 0; b < plan.bands.size(); ++b) {
    std::vector<float> cells;
    for (std::int64_t i = 0; i < all.cells(); ++i) {
      cells.push_back(static_cast<float>(100 * static_cast<std::int64_t>(b) + i));
    }
    cells.front() = kNone;
    sink->write(static_cast<int>(b), all, cells);
  }
  sink->commit({});
}

std::vector<double> sample(const RasterQuery& query, const std::vector<Point>& points) {
  std::vector<double> values(points.size());
  gdal("a test").open_raster(query)->sample(points, values);
  return values;
}

TEST(Raster, WhatIsWrittenIsReadBackCellByCell) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  for (const char* name : {"map.tif", "map.asc"}) {
    const bool one_band = std::string(name) == "map.asc";
    RasterPlan plan{.file = here / name, .grid = small_grid(), .bands = {"pred", "pred_sd"}};
    if (one_band) plan.bands = {"pred"};
    if (one_band) plan.grid.dy = 1;  // ASCII grids have square cells
    write_raster(plan);
    const RasterGrid found = gdal("a test").grid_of(plan.file);
    EXPECT_EQ(found.width, 4);
    EXPECT_EQ(found.height, 3);
    EXPECT_NEAR(found.x, 10, 1e-9);
    EXPECT_NEAR(found.y, 50, 1e-9);
    EXPECT_TRUE(gdal("a test").same(found.crs, lonlat_crs())) << name;
    const std::vector<double> values = sample({.place = plan.file}, {plan.grid.centre(0, 0),
                                                                     plan.grid.centre(1, 0),
                                                                     plan.grid.centre(3, 2),
                                                                     {9.9, 49},
                                                                     {14.1, 49},
                                                                     {11, 51}});
    EXPECT_TRUE(std::isnan(values[0])) << name << ": an empty cell";
    EXPECT_EQ(values[1], 1) << name;
    EXPECT_EQ(values[2], 11) << name;
    for (const std::size_t outside : {3UL, 4UL, 5UL}) EXPECT_TRUE(std::isnan(values[outside]));
  }
}

TEST(Raster, SeveralBandsAreAskedForByNumber) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  write_raster({.file = here / "map.tif", .grid = small_grid(), .bands = {"a", "b"}});
  const std::vector<Point> place = {small_grid().centre(2, 1)};
  EXPECT_EQ(sample({.place = here / "map.tif", .band = 2}, place)[0], 106);
  EXPECT_THROW(sample({.place = here / "map.tif", .band = 3}, place), Error);
}

TEST(Raster, BetweenCellsTheMeanIsWeightedAndEmptyCellsDoNotCount) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  write_raster({.file = here / "map.tif", .grid = small_grid(), .bands = {"a"}});
  const RasterQuery query{.place = here / "map.tif", .bilinear = true};
  // Halfway between cells 5, 6 and 9, 10; at a centre; at the edge; beside the empty cell.
  const std::vector<double> values = sample(query, {{12, 46}, {11.5, 47}, {14, 45}, {11.2, 49}});
  EXPECT_NEAR(values[0], 7.5, 1e-9);
  EXPECT_NEAR(values[1], 5, 1e-9);
  EXPECT_NEAR(values[2], 11, 1e-9);
  EXPECT_NEAR(values[3], 1, 1e-9);
}

TEST(Raster, PlacesInAnotherSystemAreLookedUpInTheRasters) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  write_raster({.file = here / "map.tif", .grid = small_grid(), .bands = {"a"}});
  const Crs utm = gdal("a test").crs("EPSG:32632", "--crs");
  std::vector<Point> places = {small_grid().centre(2, 1)};
  gdal("a test").transform(lonlat_crs(), utm)->apply(places);
  EXPECT_EQ(sample({.place = here / "map.tif", .points = utm}, places)[0], 6);
}

TEST(Raster, LongitudesAreTheSameATurnFurtherOn) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  RasterGrid grid{.width = 36, .height = 18, .x = 0, .y = 90, .dx = 10, .dy = 10};
  grid.crs = lonlat_crs();
  write_raster({.file = here / "globe.tif", .grid = grid, .bands = {"a"}});
  const std::vector<double> values = sample({.place = here / "globe.tif", .points = lonlat_crs()},
                                            {{-175, 85}, {185, 85}, {545, 85}, {5.5, 75}});
  EXPECT_EQ(values[0], 18);
  EXPECT_EQ(values[1], 18);
  EXPECT_EQ(values[2], 18);
  EXPECT_EQ(values[3], 36);
}

TEST(Raster, BetweenTheLastAndTheFirstColumnOfTheGlobeThereIsNoSeam) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  RasterGrid grid{.width = 36, .height = 2, .x = -180, .y = 10, .dx = 10, .dy = 10};
  grid.crs = lonlat_crs();
  write_raster({.file = here / "globe.tif", .grid = grid, .bands = {"a"}});
  // The second row counts from 36 at -175 to 71 at 175.
  const std::vector<double> values =
      sample({.place = here / "globe.tif", .bilinear = true, .points = lonlat_crs()},
             {{175, -5}, {177.5, -5}, {180, -5}, {-180, -5}, {-177.5, -5}, {-175, -5}});
  EXPECT_NEAR(values[0], 71, 1e-9);
  EXPECT_NEAR(values[1], 71 * 0.75 + 36 * 0.25, 1e-9);
  EXPECT_NEAR(values[2], (71 + 36) / 2.0, 1e-9);
  EXPECT_NEAR(values[3], values[2], 1e-9);
  EXPECT_NEAR(values[4], 71 * 0.25 + 36 * 0.75, 1e-9);
  EXPECT_NEAR(values[5], 36, 1e-9);
}

TEST(Raster, ManyScatteredPlacesInALargeRasterAreFound) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  // Wider than what is read at a time, so that the places are taken part by part.
  RasterGrid grid{.width = 5000, .height = 1200, .x = 0, .y = 1200};
  const auto sink =
      gdal("a test").create_raster({.file = here / "wide.tif", .grid = grid, .bands = {"a"}});
  std::vector<float> cells(static_cast<std::size_t>(grid.width * grid.height));
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<float>(i % 65536);
  sink->write(0, {0, 0, grid.width, grid.height}, cells);
  sink->commit({});
  std::vector<Point> places;
  std::vector<double> expected;
  for (std::int64_t i = 0; i < 2000; ++i) {
    const std::int64_t column = (i * 7919) % grid.width, row = (i * 104729) % grid.height;
    places.push_back(grid.centre(column, row));
    expected.push_back(static_cast<double>((row * grid.width + column) % 65536));
  }
  EXPECT_EQ(sample({.place = here / "wide.tif"}, places), expected);
}

TEST(Raster, NothingIsLeftWhenItIsNotCommitted) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  write_file(here / "map.tif", "old");
  {
    const auto sink = gdal("a test").create_raster(
        {.file = here / "map.tif", .grid = small_grid(), .bands = {"a"}});
    sink->write(0, {0, 0, 4, 3}, std::vector<float>(12, 1.0F));
  }
  EXPECT_EQ(read_file(here / "map.tif"), "old");
  EXPECT_EQ(here.entries(), 1);
}

TEST(Raster, WhatOtherProgramsKeptOfTheOldOneIsTakenAway) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  const RasterPlan plan{.file = here / "map.tif", .grid = small_grid(), .bands = {"a"}};
  write_raster(plan);
  write_file(here / "map.tif.aux.xml",
             "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>5</NoDataValue></PAMRasterBand>"
             "</PAMDataset>");
  EXPECT_TRUE(std::isnan(sample({.place = plan.file}, {plan.grid.centre(1, 1)})[0]));
  write_raster(plan);
  EXPECT_EQ(sample({.place = plan.file}, {plan.grid.centre(1, 1)})[0], 5);
  EXPECT_EQ(here.entries(), 1);
}

TEST(Raster, PointsWithoutAPlaceDoNotSpoilTheFile) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  const Gdal& g = gdal("a test");
  const auto sink =
      g.create_raster({.file = here / "map.tif", .grid = small_grid(), .bands = {"a"}});
  sink->write(0, {0, 0, 4, 3}, std::vector<float>(12, 1.0F));
  std::vector<Point> behind = {{0, -60}};
  g.transform(lonlat_crs(), g.crs("+proj=ortho +lat_0=90", "--crs"))->apply(behind);
  sink->commit({});
  EXPECT_TRUE(std::filesystem::exists(here / "map.tif"));
}

TEST(Raster, StoppingWhileItIsWrittenLeavesNothing) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  {
    const auto sink = gdal("a test").create_raster(
        {.file = here / "map.tif", .grid = small_grid(), .bands = {"a"}});
    sink->write(0, {0, 0, 4, 3}, std::vector<float>(12, 1.0F));
    try {
      sink->commit([](double) { return false; });
      FAIL() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    }
  }
  EXPECT_EQ(here.entries(), 0);
}

TEST(Raster, WrongFormatsAndOptionsAreRefusedBeforeTheWork) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  const RasterPlan plan{.file = here / "map.tif", .grid = small_grid(), .bands = {"a"}};
  RasterPlan format = plan, ending = plan, option = plan, value = plan, word = plan;
  RasterPlan bytes = plan, reference = plan, one_band = plan;
  format.format = "Nonsense";
  ending.file = here / "map.nonsense";
  option.creation = {"COMPRES=LZW"};
  value.creation = {"COMPRESS=NONSENSE"};
  word.creation = {"COMPRESS"};
  bytes.file = here / "map.jpg";
  reference.file = here / "map.vrt";
  one_band.file = here / "map.xyz";
  one_band.bands = {"a", "b"};
  for (const RasterPlan& wrong :
       {format, ending, option, value, word, bytes, reference, one_band}) {
    try {
      gdal("a test").create_raster(wrong);
      ADD_FAILURE() << wrong.file << " was begun";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    }
  }
  EXPECT_EQ(here.entries(), 0);
}

TEST(Raster, FilesThatAreNotThereOrNoRastersAreToldApart) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  write_file(here / "text.tif", "no raster at all");
  const auto kind_of = [](const std::string& place) {
    try {
      gdal("a test").grid_of(place);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::failure;
  };
  EXPECT_EQ(kind_of(here / "gone.tif"), ErrorKind::resource);
  EXPECT_EQ(kind_of(here / "text.tif"), ErrorKind::data);
}

// --- masks

std::vector<std::uint8_t> mask_of(const std::string& place, const RasterGrid& grid) {
  const auto mask = gdal("a test").open_mask({.place = place}, grid);
  std::vector<std::uint8_t> inside(static_cast<std::size_t>(grid.width * grid.height), 9);
  mask->read({0, 0, grid.width, grid.height}, inside);
  return inside;
}

std::string polygon(const std::string& ring) {
  return R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{},)"
         R"("geometry":{"type":"Polygon","coordinates":[[)" +
         ring + "]]}}]}";
}

TEST(RasterMask, ACellIsInsideWhenItsCentreIs) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  write_file(here / "m.geojson", polygon("[11,44],[13,44],[13,48.5],[11,48.5],[11,44]"));
  EXPECT_EQ(mask_of(here / "m.geojson", small_grid()),
            (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0}));
}

TEST(RasterMask, GoesOnAcrossTheAntimeridianHoweverItIsWritten) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  RasterGrid grid{.width = 6, .height = 1, .x = 165, .y = 10, .dx = 5, .dy = 10};
  grid.crs = lonlat_crs();
  const std::vector<std::uint8_t> expected = {0, 1, 1, 1, 1, 0};
  write_file(here / "on.geojson", polygon("[170,0],[190,0],[190,10],[170,10],[170,0]"));
  EXPECT_EQ(mask_of(here / "on.geojson", grid), expected);
  // Edges from 180 to -180 have no length.
  write_file(here / "jump.geojson",
             polygon("[170,0],[180,0],[-180,0],[-170,0],[-170,10],[-180,10],[180,10],[170,10],"
                     "[170,0]"));
  EXPECT_EQ(mask_of(here / "jump.geojson", grid), expected);
  // TopoJSON goes the short way round.
  write_file(here / "topo.json",
             R"({"type":"Topology","objects":{"land":{"type":"Polygon","arcs":[[0]]}},)"
             R"("arcs":[[[170,0],[-170,0],[-170,10],[170,10],[170,0]]]})");
  EXPECT_EQ(mask_of(here / "topo.json", grid), expected);
  grid.x = -195;
  EXPECT_EQ(mask_of(here / "on.geojson", grid), expected);
  EXPECT_EQ(mask_of(here / "topo.json", grid), expected);
}

TEST(RasterMask, APolygonIsFoundOnEitherSideWhereverItsRingBegins) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  RasterGrid grid{.width = 9, .height = 1, .x = 0, .y = 10, .dx = 40, .dy = 10};
  grid.crs = lonlat_crs();
  // From 50 degrees west over the whole east to 170 degrees west: as Africa and Asia are one.
  const std::vector<std::uint8_t> expected = {1, 1, 1, 1, 1, 0, 0, 0, 1};
  for (const char* ring : {"[-170,0],[100,0],[-50,0],[-50,10],[100,10],[-170,10],[-170,0]",
                           "[-50,0],[-50,10],[100,10],[-170,10],[-170,0],[100,0],[-50,0]"}) {
    write_file(here / "topo.json",
               fmt::format(R"({{"type":"Topology","objects":{{"land":{{"type":"Polygon",)"
                           R"("arcs":[[0]]}}}},"arcs":[[{}]]}})",
                           ring));
    EXPECT_EQ(mask_of(here / "topo.json", grid), expected) << ring;
  }
}

TEST(RasterMask, AHoleGoesWhereItsPolygonGoes) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  RasterGrid grid{.width = 6, .height = 1, .x = 165, .y = 10, .dx = 5, .dy = 10};
  grid.crs = lonlat_crs();
  write_file(here / "topo.json",
             R"({"type":"Topology","objects":{"land":{"type":"Polygon","arcs":[[0],[1]]}},)"
             R"("arcs":[[[165,0],[-165,0],[-165,10],[165,10],[165,0]],)"
             R"([[-179,1],[-179,9],[-171,9],[-171,1],[-179,1]]]})");
  EXPECT_EQ(mask_of(here / "topo.json", grid), (std::vector<std::uint8_t>{1, 1, 1, 0, 0, 1}));
}

TEST(RasterMask, AFrameOfTheWholeGlobeHoldsEverything) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  write_file(here / "all.geojson", polygon("[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]"));
  write_file(here / "most.geojson", polygon("[-170,-80],[170,-80],[170,80],[-170,80],[-170,-80]"));
  for (const char* name : {"all.geojson", "most.geojson"}) {
    EXPECT_EQ(mask_of(here / name, small_grid()), std::vector<std::uint8_t>(12, 1)) << name;
  }
}

TEST(RasterMask, ARingAroundThePoleHoldsThePole) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  RasterGrid grid{.width = 4, .height = 3, .x = -180, .y = -60, .dx = 90, .dy = 10};
  grid.crs = lonlat_crs();
  write_file(here / "ice.geojson", polygon("[-180,-70],[-60,-70],[60,-70],[180,-70],[-180,-70]"));
  EXPECT_EQ(mask_of(here / "ice.geojson", grid),
            (std::vector<std::uint8_t>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(RasterMask, TheLandOfTheDemoIsThatOfTheGlobe) {
  PEGNN_NEEDS_GDAL();
  RasterGrid grid{.width = 720, .height = 180, .x = -180, .y = 90, .dx = 1, .dy = 1};
  grid.crs = lonlat_crs();  // twice around
  const std::vector<std::uint8_t> land = mask_of(test::source_folder() / "data/land.geojson", grid);
  const auto at = [&](int longitude, int latitude) {
    const auto row = static_cast<std::size_t>(89 - latitude);
    const auto column = static_cast<std::size_t>(longitude + 180);
    EXPECT_EQ(land[row * 720 + column], land[row * 720 + column + 360]) << longitude;
    return land[row * 720 + column];
  };
  double area = 0, all = 0;
  for (int latitude = -90; latitude < 90; ++latitude) {
    const double size = std::cos((latitude + 0.5) * 3.14159265 / 180);
    for (int longitude = -180; longitude < 180; ++longitude) {
      area += size * at(longitude, latitude);
      all += size;
    }
  }
  EXPECT_NEAR(0.29, area / all, 0.01);
  EXPECT_EQ(1, at(2, 48)) << "Paris";
  EXPECT_EQ(1, at(-177, 67)) << "Chukotka";
  EXPECT_EQ(1, at(178, 67)) << "on the other side of 180 degrees";
  EXPECT_EQ(1, at(0, -88)) << "Antarctica";
  EXPECT_EQ(0, at(-140, 0)) << "the Pacific";
  EXPECT_EQ(0, at(51, 41)) << "the Caspian Sea";
}

TEST(RasterMask, PolygonsOfTheWholeGlobeFitAMapInAnotherSystem) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  write_file(here / "half.geojson", polygon("[-180,-90],[15,-90],[15,90],[-180,90],[-180,-90]"));
  // Centres at about 12 and 18 degrees east.
  RasterGrid grid{.width = 2, .height = 2, .x = 4263000, .y = 3410000, .dx = 4e5, .dy = 2e5};
  grid.crs = gdal("a test").crs("EPSG:3035", "--crs");
  EXPECT_EQ(mask_of(here / "half.geojson", grid), (std::vector<std::uint8_t>{1, 0, 1, 0}));
}

TEST(RasterMask, PointsAndFarAwayPolygonsAreRefused) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  write_file(here / "far.geojson", polygon("[100,0],[101,0],[101,1],[100,0]"));
  write_file(here / "point.geojson", R"({"type":"Point","coordinates":[11,45]})");
  for (const char* name : {"far.geojson", "point.geojson"}) {
    EXPECT_THROW(mask_of(here / name, small_grid()), Error) << name;
  }
}

}  // namespace
}  // namespace pegnn
