#include "flow/map_files.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "pegnn/log.h"
#include "pegnn/map.h"
#include "pegnn/train.h"
#include "support/gdal.h"
#include "support/json.h"
#include "support/options.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

Model model_of(const std::string& name, bool features) {
  return train(test::smooth_table(60), test::smooth_roles(features), test::small_model(name, 1),
               false, {.threads = 1})
      .model;
}

const MapPlace kSmall{.box = {"11", "46", "14", "48"}, .size = {"6x4"}};

TEST(MapFiles, AreTheRasterAndWhatGoesBesideIt) {
  PEGNN_NEEDS_GDAL();
  const test::Folder folder;
  const Model model = model_of("idw", false);
  const PreparedMap map(model, {.place = kSmall}, silent_log());
  EXPECT_EQ(24, map.plan().grid.width * map.plan().grid.height);
  const std::string raster = (folder / "y.tif").string();
  MapFiles files(raster, {}, {}, false);
  std::int64_t told = 0;
  const MapFigures figures = files.write(
      map, {.threads = 1}, [&](const char*, std::int64_t cells) { told = cells; }, silent_log());
  EXPECT_EQ(24, figures.predicted);
  EXPECT_EQ(24, told);
  for (const std::string& name : files.names()) EXPECT_TRUE(std::filesystem::exists(name)) << name;
  const auto json = test::parse_json(map_json(raster, map.plan(), figures, 1));
  EXPECT_EQ(6, json.at("width"));
  EXPECT_EQ("pred", json.at("bands").at(0));
  EXPECT_TRUE(describe_map(map.plan(), figures).starts_with("6 x 4 cells of 0.5 x 0.5, "));
}

TEST(MapFiles, ALongMapSaysHowLong) {
  EXPECT_EQ("100,000,000 cells; about 4 min 07 s at 400,000 cells/s",
            map_estimate(100'000'000, 404'999));
  EXPECT_EQ("2,000,000 cells; about 5 h 33 min at 100 cells/s", map_estimate(2'000'000, 100));
  EXPECT_EQ("1,000,000 cells; about 277 h 46 min at 1 cells/s", map_estimate(1'000'000, 1));
  EXPECT_EQ("", map_estimate(1'000'000, 300'000)) << "a few seconds";
}

TEST(MapFiles, AnEmptyCellIsNotWhatABandSays) {
  PEGNN_NEEDS_GDAL();
  const test::Folder folder;
  const Model model = model_of("idw", false);
  const PreparedMap map(model, {.place = kSmall}, silent_log());
  const auto refusal_of = [&](const char* nodata) {
    MapFiles files((folder / "y.tif").string(), {.nodata = nodata}, {.pictures = false}, false);
    return test::refusal([&] { files.write(map, {.threads = 1}, {}, silent_log()); });
  };
  const std::string refused = refusal_of("1.0"), faded = refusal_of("255");
  EXPECT_TRUE(refused.starts_with("--nodata 1.0 is also a value of the band aoa")) << refused;
  EXPECT_TRUE(faded.starts_with("--nodata 255 is also a value of the band opacity")) << faded;
  EXPECT_NE(std::string::npos, faded.find("--no-preview")) << faded;
  EXPECT_EQ(0, folder.entries());
}

TEST(MapFiles, AreLookedAtBeforeTheWork) {
  const test::Folder folder;
  write_file(folder / "y.qml", "mine");
  const MapLook bare{.pictures = false};
  test::refusal([&] { MapFiles((folder / "y.tif").string(), {}, {}, false); });
  test::refusal([&] { MapFiles((folder / "y.png").string(), {}, {}, false); });
  test::refusal([&] { MapFiles((folder / "y.tif").string(), {.nodata = "x"}, bare, false); });
  EXPECT_EQ(1u, MapFiles((folder / "y.tif").string(), {}, bare, false).names().size());
}

TEST(MapFiles, AStandardDeviationHasAStyleAndAPictureOfItsOwn) {
  PEGNN_NEEDS_GDAL();
  const test::Folder folder;
  const Model model = model_of("kriging", false);
  const PreparedMap map(model, {.place = kSmall}, silent_log());
  const std::string raster = (folder / "y.tif").string();
  MapFiles files(raster, {}, {.unit = "m", .colours = "quantile"}, false);
  files.write(map, {.threads = 1}, {}, silent_log());
  for (const std::string& name : picture_files(raster, true)) {
    if (name.ends_with(".png") && files.names().size() < 5) continue;  // without Pango
    EXPECT_TRUE(std::filesystem::exists(name)) << name;
  }
  const std::string style = read_file(folder / "y.qml"), sd = read_file(folder / "y.sd.qml");
  EXPECT_NE(std::string::npos, style.find("band=\"1\" alphaBand=\"5\""));
  EXPECT_NE(std::string::npos, sd.find("band=\"2\" alphaBand=\"5\""));
  // Another map of that name would replace what was not looked at when it was named.
  std::filesystem::remove(raster);
  for (const char* ending : {".qml", ".png"}) {
    std::filesystem::remove(std::filesystem::path(raster).replace_extension(ending));
  }
  MapFiles again(raster, {}, {}, false);
  EXPECT_NE(std::string::npos, test::refusal([&] {
                                 again.write(map, {.threads = 1}, {}, silent_log());
                               }).find("y.sd.qml' exists"));
  EXPECT_FALSE(std::filesystem::exists(raster));
}

TEST(PreparedMap, TellsWhereTheTrainingPointsLieOnIt) {
  PEGNN_NEEDS_GDAL();
  const Model model = model_of("idw", false);
  const PreparedMap same(model, {.place = kSmall}, silent_log());
  const auto given = training_points(model);
  const std::vector<Point> stations = same.stations();
  ASSERT_EQ(given.size(), stations.size());
  EXPECT_EQ(given[3].x, stations[3].x);
  MapPlace metres{.crs = "EPSG:3035", .cell = {"10000"}};
  const PreparedMap projected(model, {.place = metres}, silent_log());
  EXPECT_GT(projected.stations()[3].x, 1e6);
}

TEST(PreparedMap, AModelWithFeaturesNeedsARasterForEach) {
  const Model model = model_of("gcn", true);
  const std::string refused =
      test::refusal([&] { PreparedMap(model, {.place = kSmall}, silent_log()); });
  EXPECT_NE(std::string::npos, refused.find("a=FILE.tif,b=FILE.tif")) << refused;
}

TEST(PreparedMap, AGridIsDescribedOrTakenFromARaster) {
  PEGNN_NEEDS_GDAL();
  const Model model = model_of("idw", false);
  MapPlace both = kSmall;
  both.like = "other.tif";
  EXPECT_EQ("--like takes the place of --bbox, --res, --size and --crs",
            test::refusal([&] { PreparedMap(model, {.place = both}, silent_log()); }));
}

}  // namespace
}  // namespace pegnn
