#include "predict/raster_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "geo/nearest.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/train.h"
#include "predict/applicability.h"
#include "support/gdal.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

Model small_model(const std::string& name, bool features) {
  return train(test::smooth_table(300), test::smooth_roles(features), test::small_model(name, 30),
               false, {.threads = 2})
      .model;
}

// Keeps what is written.
class MemorySink final : public RasterSink {
 public:
  explicit MemorySink(const RasterGrid& grid) : grid_(grid) {}
  void write(int band, const RasterWindow& w, std::span<const float> cells) override {
    std::vector<float>& all = bands[band];
    all.resize(static_cast<std::size_t>(grid_.width * grid_.height), -1);
    for (std::int64_t i = 0; i < w.cells(); ++i) {
      all[static_cast<std::size_t>((w.row + i / w.width) * grid_.width + w.column + i % w.width)] =
          cells[static_cast<std::size_t>(i)];
    }
  }
  void commit(const std::function<bool(double)>&) override {}

  std::map<int, std::vector<float>> bands;

 private:
  RasterGrid grid_;
};

// A raster that is a function of the place.
class FunctionSource final : public RasterSource {
 public:
  explicit FunctionSource(double (*value)(Point)) : value_(value) {}
  const RasterGrid& grid() const override { return grid_; }
  void sample(std::span<const Point> points, std::span<double> values) override {
    for (std::size_t i = 0; i < points.size(); ++i) values[i] = value_(points[i]);
  }

 private:
  double (*value_)(Point);
  RasterGrid grid_;
};

class LeftHalf final : public RasterMask {
 public:
  void read(const RasterWindow& w, std::span<std::uint8_t> inside) override {
    for (std::int64_t i = 0; i < w.cells(); ++i) {
      inside[static_cast<std::size_t>(i)] = w.column + i % w.width < 300;
    }
  }
};

// Wider and higher than a tile, so that several of them are put together.
RasterGrid several_tiles() {
  return {.width = 600,
          .height = 520,
          .x = 10,
          .y = 49,
          .dx = 5.0 / 600,
          .dy = 4.0 / 520,
          .crs = lonlat_crs()};
}

TEST(RasterMap, EveryCellIsWhatThePredictionOfItsCentreIs) {
  const Model model = small_model("pe-gcn", false);
  RasterMapPlan plan{.model = &model, .grid = several_tiles()};
  MemorySink sink(plan.grid);
  const MapFigures figures = draw_map(plan, sink, {.threads = 2}, {});
  EXPECT_EQ(figures.cells, 600 * 520);
  EXPECT_EQ(figures.predicted, figures.cells);
  ASSERT_EQ(sink.bands.size(), 1U);
  for (const auto& [column, row] : {std::pair{0L, 0L}, {599L, 519L}, {511L, 512L}, {77L, 300L}}) {
    const double alone = model.predict({plan.grid.centre(column, row)}, {}, {.threads = 1})[0];
    EXPECT_EQ(sink.bands[0][static_cast<std::size_t>(row * 600 + column)],
              static_cast<float>(alone));
  }
}

TEST(RasterMap, IsTheSameOnAnyNumberOfThreads) {
  const Model model = small_model("kriging", false);
  RasterGrid grid = several_tiles();
  grid.height = 40;
  RasterMapPlan plan{.model = &model, .grid = grid, .applicability = true};
  MemorySink one(plan.grid), three(plan.grid);
  draw_map(plan, one, {.threads = 1}, {});
  draw_map(plan, three, {.threads = 3}, {});
  EXPECT_EQ(band_names(plan), (std::vector<std::string>{"pred", "pred_sd", "distance", "aoa"}));
  for (int b = 0; b < 4; ++b) EXPECT_EQ(one.bands[b], three.bands[b]) << b;
}

TEST(RasterMap, OfManyCellsSaysBeforehandHowFastItWillBe) {
  const Model model = small_model("idw", false);
  RasterGrid grid = several_tiles();
  grid.width = 1000;
  grid.height = 1000;
  grid.dx = grid.dy = 0.005;
  LeftHalf mask;  // of 300 columns
  RasterMapPlan plan{.model = &model, .grid = grid, .mask = &mask};
  MemorySink sink(plan.grid), silent(plan.grid);
  std::int64_t told = 0, done_when_told = -1, done = 0;
  const auto progress = [&](std::int64_t cells) { done = cells; };
  const MapFigures figures =
      draw_map(plan, sink, {.threads = 2}, progress, [&](double cells_per_second) {
        EXPECT_GT(cells_per_second, 0);
        ++told;
        done_when_told = done;
      });
  EXPECT_EQ(1, told);
  EXPECT_EQ(0, done_when_told);
  EXPECT_EQ(300 * 1000, figures.predicted);
  const MapFigures untold = draw_map(plan, silent, {.threads = 2}, {});
  EXPECT_TRUE(std::ranges::equal(silent.bands[0], sink.bands[0], [](float a, float b) {
    return a == b || (std::isnan(a) && std::isnan(b));
  }));
  EXPECT_EQ(untold.lo, figures.lo);
  EXPECT_EQ(untold.hi, figures.hi);

  plan.grid.height = 999;
  draw_map(plan, silent, {.threads = 2}, {}, [&](double) { ++told; });
  EXPECT_EQ(1, told) << "a small one is done before it is worth asking";
}

TEST(RasterMap, FeaturesComeFromRastersAndCellsWithoutThemStayEmpty) {
  const Model model = small_model("boosting", true);
  FunctionSource a([](Point p) { return p.x - 10; });
  FunctionSource b([](Point p) { return p.y < 46 ? std::nan("") : 0.5; });
  RasterMapPlan plan{.model = &model, .grid = several_tiles(), .covariates = {&a, &b}};
  MemorySink sink(plan.grid);
  const MapFigures figures = draw_map(plan, sink, {.threads = 2}, {});
  EXPECT_EQ(figures.predicted, 600 * 390);
  const Point centre = plan.grid.centre(123, 45);
  EXPECT_EQ(sink.bands[0][45 * 600 + 123],
            static_cast<float>(model.predict({centre}, {centre.x - 10, 0.5}, {.threads = 1})[0]));
  EXPECT_TRUE(std::isnan(sink.bands[0][519 * 600 + 123]));
}

TEST(RasterMap, AMaskLeavesCellsEmpty) {
  const Model model = small_model("idw", false);
  LeftHalf mask;
  RasterMapPlan plan{
      .model = &model, .grid = several_tiles(), .mask = &mask, .applicability = true};
  MemorySink sink(plan.grid);
  const MapFigures figures = draw_map(plan, sink, {.threads = 2}, {});
  EXPECT_EQ(figures.predicted, 300 * 520);
  for (int band = 0; band < 3; ++band) {
    EXPECT_FALSE(std::isnan(sink.bands[band][299]));
    EXPECT_TRUE(std::isnan(sink.bands[band][300]));
  }
}

TEST(RasterMap, LongitudesBeyond180AreThePlacesTheyAre) {
  const Model model = small_model("idw", false);
  RasterGrid grid = several_tiles();
  MemorySink here(grid), around(grid);
  draw_map({.model = &model, .grid = grid}, here, {.threads = 1}, {});
  grid.x += 360;
  draw_map({.model = &model, .grid = grid}, around, {.threads = 1}, {});
  for (std::size_t i = 0; i < here.bands[0].size(); i += 997) {
    EXPECT_NEAR(here.bands[0][i], around.bands[0][i], 1e-4);
  }
}

TEST(RasterMap, ThePreviewIsTheMeanOfItsCells) {
  const Model model = small_model("idw", false);
  RasterMapPlan plan{.model = &model, .grid = several_tiles(), .preview_side = 150};
  MemorySink sink(plan.grid);
  const MapPreview preview = draw_map(plan, sink, {.threads = 1}, {}).preview;
  EXPECT_EQ(preview.step, 4);
  EXPECT_EQ(preview.width, 150);
  EXPECT_EQ(preview.height, 130);
  double sum = 0;
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 4; column < 8; ++column) sum += sink.bands[0][row * 600 + column];
  }
  EXPECT_NEAR(preview.cells[1], sum / 16, 1e-4);
}

TEST(RasterMap, TheOtherPreviewsAreMeansToo) {
  const Model model = small_model("kriging", false);
  RasterGrid grid = several_tiles();
  grid.x = 8;  // beyond the training points
  LeftHalf mask;
  RasterMapPlan plan{.model = &model,
                     .grid = grid,
                     .mask = &mask,
                     .applicability = true,
                     .opacity = true,
                     .preview_side = 150};
  MemorySink sink(plan.grid);
  const MapPreview preview = draw_map(plan, sink, {.threads = 1}, {}).preview;
  EXPECT_EQ(band_names(plan),
            (std::vector<std::string>{"pred", "pred_sd", "distance", "aoa", "opacity"}));
  ASSERT_EQ(preview.cells.size(), preview.deviation.size());
  ASSERT_EQ(preview.cells.size(), preview.applicable.size());
  std::int64_t partly = 0;
  for (std::size_t square = 0; square < preview.cells.size(); ++square) {
    const std::size_t first_row = square / 150 * 4, first_column = square % 150 * 4;
    double deviation = 0, applicable = 0;
    for (std::size_t row = first_row; row < first_row + 4; ++row) {
      for (std::size_t column = first_column; column < first_column + 4; ++column) {
        const std::size_t cell = row * 600 + column;
        deviation += sink.bands[1][cell] / 16;
        applicable += sink.bands[3][cell] / 16;
        if (column >= 300) {
          EXPECT_TRUE(std::isnan(sink.bands[4][cell]));
        } else {
          EXPECT_EQ(sink.bands[4][cell], sink.bands[3][cell] == 1 ? 255 : 77);
        }
      }
    }
    if (first_column >= 300) {
      EXPECT_TRUE(std::isnan(preview.deviation[square]));
      EXPECT_TRUE(std::isnan(preview.applicable[square]));
      continue;
    }
    EXPECT_NEAR(preview.deviation[square], deviation, 1e-4);
    EXPECT_NEAR(preview.applicable[square], applicable, 1e-4);
    partly += applicable > 0 && applicable < 1;
  }
  EXPECT_GT(partly, 0);
  plan = {.model = &model, .grid = grid, .mean_only = true, .opacity = true};
  EXPECT_EQ(band_names(plan), std::vector<std::string>{"pred"}) << "nothing to fade by";
  const MapPreview bare = draw_map(plan, sink, {.threads = 1}, {}).preview;
  EXPECT_TRUE(bare.deviation.empty());
  EXPECT_TRUE(bare.applicable.empty());
}

TEST(RasterMap, AMapWithoutAValueIsRefused) {
  const Model model = small_model("boosting", true);
  FunctionSource nothing([](Point) { return std::nan(""); });
  RasterMapPlan plan{.model = &model, .grid = several_tiles(), .covariates = {&nothing, &nothing}};
  MemorySink sink(plan.grid);
  EXPECT_THROW(draw_map(plan, sink, {.threads = 1}, {}), Error);
}

TEST(RasterMap, CanBeStopped) {
  const Model model = small_model("idw", false);
  RasterMapPlan plan{.model = &model, .grid = several_tiles()};
  MemorySink sink(plan.grid);
  try {
    draw_map(plan, sink, {.threads = 1, .stop = [] { return true; }}, {});
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

TEST(RasterMap, SampledBackFromItsFileIsThePrediction) {
  PEGNN_NEEDS_GDAL();
  const test::Folder here;
  const Model model = small_model("pe-gcn", false);
  RasterMapPlan plan{.model = &model, .grid = several_tiles()};
  const auto sink = gdal("a test").create_raster(
      {.file = here / "map.tif", .grid = plan.grid, .bands = band_names(plan)});
  draw_map(plan, *sink, {.threads = 2}, {});
  sink->commit({});
  std::vector<Point> centres;
  for (std::int64_t i = 0; i < 500; ++i) centres.push_back(plan.grid.centre((i * 7) % 600, i));
  const std::vector<double> predicted = model.predict(centres, {}, {.threads = 2});
  std::vector<double> sampled(centres.size());
  gdal("a test").open_raster({.place = here / "map.tif"})->sample(centres, sampled);
  for (std::size_t i = 0; i < centres.size(); ++i) {
    EXPECT_NEAR(sampled[i], predicted[i], 1e-6 * std::abs(predicted[i]));
  }
}

TEST(Applicability, TheDistanceIsThatOfTheNearestTrainingPoint) {
  const Model model = small_model("idw", false);
  const ThreadPool pool(2);
  Applicability applicability(model.state(), pool);
  const Point known = model.state().points[5];
  const std::vector<Point> places = {known, {known.x + 0.01, known.y}, {60, 10}};
  std::vector<Judgement> found(3);
  applicability.judge(places, {nullptr, 3, 0}, pool, found);
  EXPECT_EQ(found[0].distance, 0);
  Neighbours expected;
  search_by_brute_force(model.state().points, places, Space::sphere, 1, false, expected);
  EXPECT_EQ(found[1].distance, expected.distances[1]);
  EXPECT_TRUE(found[0].inside() && found[1].inside());
  EXPECT_TRUE(found[2].distant && found[2].far);
  EXPECT_GT(applicability.reach(), 0);
  EXPECT_TRUE(std::isnan(applicability.feature_reach()));
}

TEST(Applicability, FeaturesUnlikeThoseOfTrainingAreOutside) {
  const Model model = small_model("boosting", true);
  const ThreadPool pool(1);
  Applicability applicability(model.state(), pool);
  const Point place = model.state().points[5];
  const std::vector<Point> places = {place, place, place};
  // As in training (0 to 1), a little outside, far outside.
  const std::vector<double> features = {0.4, 0.6, 1.02, 0.5, 0.5, 7};
  std::vector<Judgement> found(3);
  applicability.judge(places, {features.data(), 3, 2}, pool, found);
  EXPECT_TRUE(found[0].inside());
  EXPECT_TRUE(found[2].unlike && found[2].far);
  EXPECT_FALSE(found[1].far || found[2].distant);
  EXPECT_GT(applicability.feature_reach(), 0);
  EXPECT_LT(applicability.feature_reach(), 1);
}

TEST(Applicability, PlacesMeasuredOftenCountOnce) {
  Table table("stations.csv");
  std::vector<double> lon, lat, a, y;
  for (int i = 0; i < 60; ++i) {
    lon.push_back(5 + i % 10);
    lat.push_back(50);
    a.push_back(i % 3);
    y.push_back(i);
  }
  table.add("lon", lon);
  table.add("lat", lat);
  table.add("a", a);
  table.add("y", y);
  Roles roles = test::smooth_roles(true);
  roles.features = {"a"};
  const Model model =
      train(std::move(table), roles, test::small_model("boosting", 1), false, {.threads = 1}).model;
  const ThreadPool pool(1);
  Applicability applicability(model.state(), pool);
  EXPECT_NEAR(applicability.reach(), 71476, 100);  // a degree of longitude at 50 degrees north
  EXPECT_GT(applicability.feature_reach(), 0);
}

TEST(Applicability, OfOneRepeatedRowIsThatPlaceAlone) {
  Table table("same.csv");
  table.add("lon", std::vector<double>(20, 5.0));
  table.add("lat", std::vector<double>(20, 50.0));
  std::vector<double> y(20);
  for (std::size_t i = 0; i < 20; ++i) y[i] = static_cast<double>(i);
  table.add("y", y);
  const Model model = train(std::move(table), test::smooth_roles(false),
                            test::small_model("idw", 1), false, {.threads = 1})
                          .model;
  const ThreadPool pool(1);
  Applicability applicability(model.state(), pool);
  const std::vector<Point> places = {{5, 50}, {5.001, 50}};
  std::vector<Judgement> found(2);
  applicability.judge(places, {nullptr, 2, 0}, pool, found);
  EXPECT_TRUE(found[0].inside());
  EXPECT_TRUE(found[1].distant && found[1].far);
}

}  // namespace
}  // namespace pegnn
