#include "flow/map_files.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "pegnn/log.h"
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
  MapFiles files(raster, {}, true, false);
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
  MapFiles files((folder / "y.tif").string(), {.nodata = "1.0"}, false, false);
  const std::string refused =
      test::refusal([&] { files.write(map, {.threads = 1}, {}, silent_log()); });
  EXPECT_TRUE(refused.starts_with("--nodata 1.0 is also a value of the band aoa")) << refused;
  EXPECT_EQ(0, folder.entries());
}

TEST(MapFiles, AreLookedAtBeforeTheWork) {
  const test::Folder folder;
  write_file(folder / "y.qml", "mine");
  test::refusal([&] { MapFiles((folder / "y.tif").string(), {}, true, false); });
  test::refusal([&] { MapFiles((folder / "y.png").string(), {}, true, false); });
  test::refusal([&] { MapFiles((folder / "y.tif").string(), {.nodata = "x"}, false, false); });
  EXPECT_EQ(1u, MapFiles((folder / "y.tif").string(), {}, false, false).names().size());
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
