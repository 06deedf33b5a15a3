#include <limits>

#include <gtest/gtest.h>

#include "model/state.h"
#include "pegnn/train.h"
#include "predict/applicability.h"
#include "support/options.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Model trained(const std::string& name) {
  return train(test::smooth_table(200), test::smooth_roles(), test::small_model(name), false,
               {.threads = 2})
      .model;
}

TEST(ModelApplicability, IsThatOfItsTrainingPoints) {
  const Model model = trained("pe-gcn");
  const ModelState& s = model.state();
  const std::vector<Point> points = {
      s.points[7], {-170, -60}, {s.points[7].x, s.points[7].y}, {0, 90}};
  const std::vector<double> features = {0.5, 0.5, 0.5, 0.5, 1e6, 0.5, 0.5, 0.5};
  const Applicable found = model.applicability(points, features, {});
  EXPECT_GT(found.reach, 0);
  EXPECT_EQ(0, found.distance[0]);
  EXPECT_EQ(0, found.distance[2]);
  double nearest = 1e9;
  for (const Point& p : s.points) nearest = std::min(nearest, great_circle(p, points[3]).value);
  EXPECT_NEAR(nearest, found.distance[3], 1e-3);
  EXPECT_EQ((std::vector<bool>{true, false, false, false}), found.inside);
}

TEST(ModelApplicability, FeaturesBeyondAllBoundsAreOutside) {
  const Model model = trained("pe-gcn");
  const Point here = model.state().points[7];
  // What a raster without a declared value for "no data" often has.
  const std::vector<double> features = {0.5, 0.5, -1e30, 0.5};
  const std::vector<Point> points = {here, here};
  EXPECT_EQ((std::vector<bool>{true, false}), model.applicability(points, features, {}).inside);
}

TEST(ModelApplicability, OfManyRowsIsWhatItIsOfFew) {
  const Model model = trained("kriging");
  const Table table = test::smooth_table(100, 5);
  const std::size_t width = model.info().roles.features.size();
  std::vector<Point> points;
  std::vector<double> features;
  for (std::size_t i = 0; i < 70'000; ++i) {
    points.push_back({table.find("lon")->values[i % 100] + 1, table.find("lat")->values[i % 100]});
    features.insert(features.end(), width, 0.5);
  }
  const Applicable few = model.applicability(
      std::span(points).first(100), std::span(features).first(100 * width), {.threads = 1});
  const Applicable many = model.applicability(points, features, {.threads = 3});
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(few.distance[i % 100], many.distance[i]) << i;
    ASSERT_EQ(few.inside[i % 100], many.inside[i]) << i;
  }
  EXPECT_EQ(few.reach, many.reach);
}

TEST(ModelApplicability, OfNoRowsStillHasAReach) {
  const Applicable none = trained("pe-gcn").applicability({}, {}, {});
  EXPECT_TRUE(none.distance.empty());
  EXPECT_TRUE(none.inside.empty());
  EXPECT_GT(none.reach, 0);
}

TEST(ModelApplicability, NeedsTrainingPointsAndPlacesThatAreSomewhere) {
  const Model model = trained("pe-gcn");
  const std::vector<Point> here = {{11, 46}}, nowhere = {{kNaN, 46}}, north = {{11, 90.5}};
  const std::vector<double> two = {0.1, 0.2}, missing = {kNaN, 0.2};
  test::refusal([&] { model.applicability(nowhere, two, {}); });
  test::refusal([&] { model.applicability(north, two, {}); });
  test::refusal([&] { model.applicability(here, missing, {}); });
  test::refusal([&] { model.applicability(here, {}, {}); });
  ModelState without = trained("knn").state();
  without.points.clear();
  without.features.clear();
  const std::vector<double> values(without.roles.features.size(), 0.5);
  const std::string said = test::refusal([&] { Model(without).applicability(here, values, {}); });
  EXPECT_NE(said.find("training points"), std::string::npos);
}

TEST(ModelApplicability, CanBeStopped) {
  const Model model = trained("pe-gcn");
  const std::vector<Point> here = {{11, 46}};
  const std::vector<double> two = {0.1, 0.2};
  RunSettings run;
  run.stop = [] { return true; };
  test::refusal([&] { model.applicability(here, two, run); }, ErrorKind::interrupted);
}

}  // namespace
}  // namespace pegnn
