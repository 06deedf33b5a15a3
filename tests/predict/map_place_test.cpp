#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/map.h"
#include "pegnn/train.h"
#include "predict/map_grid.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

// Counts warnings.
class Warnings final : public Log {
 public:
  void note(std::string_view) override {}
  void detail(std::string_view) override {}
  void warn(std::string_view text) override { texts.emplace_back(text); }

  std::vector<std::string> texts;
};

Model small_model(const std::string& name) {
  return train(test::smooth_table(300), test::smooth_roles(false), test::small_model(name, 30),
               false, {.threads = 2})
      .model;
}

RasterGrid choose(const Model& model, const GridRequest& request, bool extrapolate, Log& log) {
  return choose_map_grid(model, request, training_points(model), extrapolate, log);
}

TEST(MapPlace, WithoutWordsIsAroundTheTrainingPointsInTheirCrs) {
  const Model model = small_model("knn");
  Warnings log;
  const RasterGrid grid = choose(model, {}, false, log);
  const Extent box = extent_of(grid), data = extent_of(training_points(model), true);
  EXPECT_EQ(grid.crs, lonlat_crs());
  EXPECT_LT(box.west, data.west);
  EXPECT_GT(box.north, data.north);
  EXPECT_TRUE(log.texts.empty());
}

TEST(MapPlace, OutsideIsAWarningAndFarAwayAnErrorUnlessMeant) {
  const Model model = small_model("knn");
  const Extent data = extent_of(training_points(model), true);
  Warnings log;
  const double by = data.width() * 0.5;
  choose(model,
         {.box = Extent{data.east + by, data.south, data.east + by + 1, data.north},
          .size = GridSize{4, 4}},
         false, log);
  EXPECT_EQ(log.texts.size(), 1U);
  const GridRequest far{.box = Extent{data.west - 100, -60, data.west - 90, -50},
                        .size = GridSize{4, 4}};
  EXPECT_THROW(choose(model, far, false, log), Error);
  EXPECT_EQ(choose(model, far, true, log).width, 4);
  EXPECT_EQ(log.texts.size(), 2U);
}

TEST(MapPlace, PointsWithoutAPlaceInTheCrsAreAnError) {
  const Model model = small_model("knn");
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Point> nowhere(5, Point{kNone, kNone});
  EXPECT_THROW(choose_map_grid(model, {}, nowhere, false, silent_log()), Error);
}

TEST(MapPlace, WithoutPointsABoxIsNeeded) {
  const Model model = small_model("knn");
  EXPECT_THROW(choose_map_grid(model, {}, {}, false, silent_log()), Error);
  const GridRequest request{.box = Extent{0, 0, 1, 1}, .cell = CellSize{0.5, 0.5}};
  EXPECT_EQ(choose_map_grid(model, request, {}, false, silent_log()).height, 2);
}

TEST(CellPredictor, CellsThatAreNotFiniteStayEmptyAndLongitudesOfAnyTurnAreThoseOfTheModel) {
  const Model model = small_model("kriging");
  const Point p = training_points(model)[3];
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::vector<Point> points{{p.x + 0.1, p.y}, {kInfinite, p.y}, {p.x + 360.1, p.y}};
  CellPredictor cells(model, false, true, {.threads = 2});
  const CellValues found = cells.ask(points, {});
  cells.finish();
  const std::span<const double> mean = found.answer.mean(), sd = found.answer.deviation();
  ASSERT_EQ(mean.size(), 3U);
  EXPECT_EQ(mean[0], model.predict({points[0]}, {}, {.threads = 1})[0]);
  EXPECT_NEAR(mean[2], mean[0], 1e-6 * std::abs(mean[0]));
  for (const std::span<const double> values :
       {mean, sd, std::span<const double>(found.distance), std::span<const double>(found.applicable)}) {
    EXPECT_TRUE(std::isnan(values[1]));
    EXPECT_TRUE(std::isfinite(values[0]));
  }
  EXPECT_GT(cells.reach(), 0);
}

TEST(CellPredictor, GivesWhatWasAskedForAlone) {
  const Model model = small_model("kriging");
  CellPredictor cells(model, true, false, {.threads = 1});
  const CellValues found = cells.ask(std::vector<Point>{training_points(model)[0]}, {});
  EXPECT_EQ(found.answer.mean().size(), 1U);
  EXPECT_TRUE(found.answer.deviation().empty() && found.distance.empty() && found.applicable.empty());
  EXPECT_EQ(cells.reach(), 0);
}

TEST(CellPredictor, RefusesFeaturesThatTheModelDoesNotHave) {
  const Model model = small_model("knn");
  CellPredictor cells(model, true, false, {.threads = 1});
  EXPECT_THROW(cells.ask(std::vector<Point>{{10, 50}}, std::vector<double>{1}), Error);
}

}  // namespace
}  // namespace pegnn
