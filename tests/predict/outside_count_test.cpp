#include "predict/outside_count.h"

#include <limits>

#include <gtest/gtest.h>

#include "model/state.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Points a degree apart on the equator, around 180 degrees if need be.
Model row_of_points(double first, std::int64_t count, const std::string& name = "idw") {
  Table table("row.csv");
  std::vector<double> lon, lat(as_size(count), 0.0), y;
  for (std::int64_t i = 0; i < count; ++i) {
    const double at = first + static_cast<double>(i);
    lon.push_back(at > 180 ? at - 360 : at);
    y.push_back(static_cast<double>(i));
  }
  table.add("lon", lon);
  table.add("lat", lat);
  table.add("y", y);
  return train(std::move(table), test::smooth_roles(false), test::small_model(name, 1), false,
               {.threads = 1})
      .model;
}

Outside count(const Model& model, const std::vector<Point>& points,
              const std::vector<double>& features = {}) {
  Predictor predictor(model, {.count_outside = true}, {.threads = 2});
  predictor.ask(points, features);
  return predictor.outside();
}

TEST(OutsideCount, SaysHowManyRowsLieOutsideAndHowFar) {
  const Model model = row_of_points(0, 20);
  const Outside found = count(model, {{5, 0.5}, {5, 3}, {30, 0}});
  EXPECT_EQ(3, found.rows);
  EXPECT_EQ(3, found.judged);
  EXPECT_DOUBLE_EQ(2.0 / 3, found.share);
  EXPECT_NEAR(11 * 111195, found.farthest, 10);
  EXPECT_NEAR(111195, found.reach, 1);
  EXPECT_TRUE(found.worth_warning);
  EXPECT_EQ(
      "2 of 3 rows lie outside the area of applicability: up to 1,223 km from the nearest training "
      "point, where up to 111 km is usual",
      found.sentence);
}

TEST(OutsideCount, AThirdOfTheRowsIsOrdinaryUnlessOneIsFarBeyondAll) {
  const Model model = row_of_points(0, 20);
  const Outside third = count(model, {{5, 0}, {6, 0}, {6, 5}});
  EXPECT_FALSE(third.worth_warning);
  EXPECT_EQ(0U, third.sentence.find("1 of 3 rows lies outside"));
  EXPECT_TRUE(count(model, {{5, 0}, {6, 5}}).worth_warning);
  // No training point is farther than a degree from its nearest.
  EXPECT_FALSE(count(model, {{5, 0}, {6, 0}, {6, 9.99}}).worth_warning);
  EXPECT_TRUE(count(model, {{5, 0}, {6, 0}, {6, 10.01}}).worth_warning);
}

TEST(OutsideCount, PolesAndTheAntimeridianArePlacesLikeAnyOther) {
  const Model model = row_of_points(170, 20);
  const Outside near = count(model, {{180, 0}, {-180, 0.2}, {179.5, 0.4}, {-179.5, -0.4}});
  EXPECT_EQ(0, near.share);
  EXPECT_TRUE(near.sentence.empty());
  const Outside poles = count(model, {{0, 90}, {123, -90}});
  EXPECT_EQ(1, poles.share);
  EXPECT_NEAR(90 * 111195, poles.farthest, 50);
}

TEST(OutsideCount, OfUnlikeFeaturesSaysSo) {
  const Model model = train(test::smooth_table(200), test::smooth_roles(),
                            test::small_model("boosting"), false, {.threads = 2})
                          .model;
  const Point here = model.state().points[7];
  const Outside wild =
      count(model, {here, here, here, here}, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -9999, 0.5});
  EXPECT_TRUE(wild.worth_warning);
  EXPECT_EQ(
      "1 of 4 rows lies outside the area of applicability: with features unlike those of the "
      "training rows",
      wild.sentence);
  const Outside both = count(model, {here, {-170, -60}}, {-9999, 0.5, 0.5, 0.5});
  EXPECT_NE(std::string::npos, both.sentence.find(" is usual, or with features unlike"))
      << both.sentence;
}

TEST(OutsideCount, OnePlaceIsAllThereIsToBeNear) {
  Table table("same.csv");
  table.add("lon", std::vector<double>(5, 5.0));
  table.add("lat", std::vector<double>(5, 50.0));
  table.add("y", {1, 2, 3, 4, 5});
  const Model model = train(std::move(table), test::smooth_roles(false),
                            test::small_model("idw", 1), false, {.threads = 1})
                          .model;
  EXPECT_FALSE(count(model, {{5, 50}}).worth_warning);
  const Outside found = count(model, {{5, 51}});
  EXPECT_TRUE(found.worth_warning);
  EXPECT_EQ(
      "1 of 1 row lies outside the area of applicability: up to 111 km from where all training "
      "points are",
      found.sentence);
}

TEST(OutsideCount, OfNoRowsOrUnaskedSaysNothing) {
  const Model model = row_of_points(0, 20);
  EXPECT_EQ(0, count(model, {}).rows);
  EXPECT_FALSE(count(model, {}).worth_warning);
  Predictor predictor(model, {}, {.threads = 1});
  predictor.ask(std::vector<Point>{{100, 80}}, {});
  EXPECT_EQ(0, predictor.outside().rows);
  ModelState without = model.state();
  without.points.clear();
  EXPECT_FALSE(count(Model(without), {{100, 80}}).worth_warning);
}

// Half of the rows are outside, in stretches that no stride can be blind to.
TEST(OutsideCount, LooksAtSomeRowsOfALongTableWhateverThePieces) {
  const Model model = row_of_points(0, 20);
  std::vector<Point> places;
  for (int i = 0; i < 300'000; ++i) places.push_back({5, i / 1000 % 2 == 0 ? 0.2 : 4.0});
  const Outside whole = count(model, places);
  EXPECT_EQ(300'000, whole.rows);
  // 8,192 and 4,096 of each doubling, the last of which is not full: 37,856 / 64 rows.
  EXPECT_EQ(8192 + 5 * 4096 + 592, whole.judged);
  EXPECT_NEAR(0.5, whole.share, 0.01);
  EXPECT_EQ(0U, whole.sentence.find("about 50 % of 300,000 rows lie outside")) << whole.sentence;
  Predictor predictor(model, {.count_outside = true}, {.threads = 1});
  for (std::size_t first = 0, step = 1; first < places.size(); first += step, step = step * 2 + 1) {
    predictor.ask(std::span(places).subspan(first, std::min(step, places.size() - first)), {});
  }
  EXPECT_EQ(whole.judged, predictor.outside().judged);
  EXPECT_EQ(whole.share, predictor.outside().share);
  // With columns asked for, all are looked at.
  Predictor all(model, {.applicability = true}, {.threads = 2});
  all.ask(places, {});
  EXPECT_EQ(300'000, all.outside().judged);
  EXPECT_EQ(0U, all.outside().sentence.find("150,000 of 300,000 rows lie"));
}

TEST(PredictorWithApplicability, GivesWhatTheModelSaysOfThePlaces) {
  const Model model = train(test::smooth_table(200), test::smooth_roles(),
                            test::small_model("pe-gcn"), false, {.threads = 2})
                          .model;
  const std::vector<Point> points = {model.state().points[7], {-170, -60}, {11, 46.1}};
  const std::vector<double> features = {0.5, 0.5, 0.5, 0.5, 0.4, 0.6};
  Predictor predictor(model, {.applicability = true}, {.threads = 1});
  const Answer found = predictor.ask(points, features);
  ASSERT_EQ("pred_aoa", column_name(found.columns.back()));
  const Applicable expected = model.applicability(points, features, {});
  const std::span<const double> distance = found.find(OutputKind::distance);
  EXPECT_EQ(expected.distance, std::vector<double>(distance.begin(), distance.end()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(expected.inside[i] ? 1 : 0, found.find(OutputKind::applicable)[i]);
  }
  EXPECT_EQ(model.predict(points, features, {}),
            std::vector<double>(found.mean().begin(), found.mean().end()));
  // A row by itself is judged as among others.
  const Answer alone = predictor.ask(std::span(points).subspan(2), std::span(features).subspan(4));
  EXPECT_EQ(distance[2], alone.find(OutputKind::distance)[0]);
}

TEST(PredictorWithApplicability, LeavesRowsWithoutAPlaceEmpty) {
  const Model model = row_of_points(0, 20, "mean");
  Table table("places.csv");
  table.add("lon", {5, kNaN, 50});
  table.add("lat", {0, 0, 0});
  const Answer found = model.ask(
      table, {.drop_missing = true, .mean_only = true, .applicability = true}, {.threads = 1});
  ASSERT_EQ(3U, found.columns.size());
  EXPECT_EQ(0, found.column(1)[0]);
  EXPECT_EQ(1, found.column(2)[0]);
  for (const std::size_t c : {0U, 1U, 2U}) EXPECT_TRUE(std::isnan(found.column(c)[1]));
  EXPECT_GT(found.column(1)[2], 3e6);
  EXPECT_EQ(0, found.column(2)[2]);
}

TEST(PredictorWithApplicability, NeedsTrainingPoints) {
  ModelState without = row_of_points(0, 20).state();
  without.points.clear();
  const Model model(std::move(without));
  const std::string said =
      test::refusal([&] { Predictor(model, {.applicability = true}, {.threads = 1}); });
  EXPECT_NE(std::string::npos, said.find("does not keep its training points")) << said;
}

}  // namespace
}  // namespace pegnn
