#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/map.h"
#include "pegnn/train.h"
#include "support/combined.h"
#include "support/options.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

Model small_model(const std::string& backbone = "gcn", bool features = true) {
  return train(test::smooth_table(400), test::smooth_roles(features),
               test::small_model("pe-" + backbone, 40), false, {.threads = 2})
      .model;
}

std::vector<Point> places(std::size_t n) {
  const Table t = test::smooth_table(n, 9);
  std::vector<Point> points;
  for (std::size_t i = 0; i < n; ++i) {
    points.push_back({t.find("lon")->values[i], t.find("lat")->values[i]});
  }
  return points;
}

TEST(Predict, APredictionDoesNotDependOnTheOtherRowsBitForBit) {
  for (const char* backbone : {"gcn", "mlp", "label_attention"}) {
    const Model model = small_model(backbone);
    const std::vector<Point> points = places(300);
    std::vector<double> features;
    for (std::size_t i = 0; i < 600; ++i) features.push_back(0.001 * static_cast<double>(i));
    const std::vector<double> together = model.predict(points, features, {.threads = 2});
    for (const std::size_t i : {0UL, 7UL, 150UL, 299UL}) {
      const std::vector<double> alone =
          model.predict({points[i]}, {features[2 * i], features[2 * i + 1]}, {.threads = 1});
      EXPECT_EQ(together[i], alone[0]) << backbone << ", row " << i;
    }
  }
}

TEST(Predict, PlacesAndFeaturesInHandAreCheckedAsThoseOfATable) {
  const Model model = small_model();
  const auto refused = [&](Point place, double feature) {
    return test::refusal([&] { model.predict({{11, 46}, place}, {1, 2, 3, feature}, {}); });
  };
  EXPECT_EQ("point 1 (from 0): longitude nan is outside [-180, 360]", refused({NAN, 46}, 1));
  EXPECT_EQ("point 1 (from 0): longitude 361 is outside [-180, 360]", refused({361, 46}, 1));
  EXPECT_EQ("point 1 (from 0): latitude 91 is outside [-90, 90]", refused({0, 91}, 1));
  EXPECT_EQ("feature value 3 (from 0) is nan, not a finite number", refused({0, 0}, NAN));
  EXPECT_EQ("feature value 3 (from 0) is inf, not a finite number", refused({0, 0}, INFINITY));
  EXPECT_EQ(model.predict({{-10, 46}}, {0.1, 0.2}, {}), model.predict({{350, 46}}, {0.1, 0.2}, {}));
  Predictor predictor(model, {}, {});
  const std::vector<Point> off{{0, -90.5}};
  const std::vector<double> two{1, 2};
  EXPECT_NE(test::refusal([&] { predictor.ask(off, two); }).find("latitude"), std::string::npos);
}

TEST(Predict, WhatIsNoFiniteNumberIsSaidAndNotPredicted) {
  ModelState state = small_model().state();
  state.scaler.target.linear.scale = 1e308;
  state.scaler.target.linear.offset = 1e308;
  for (float& v : state.parameters) v *= 100;
  const Model model(std::move(state));
  EXPECT_EQ(
      "the prediction at 11, 46 is not a finite number: the features there or the numbers of the "
      "model are too large",
      test::refusal(
          [&] {
            model.predict({{11, 46}}, {0.1, 0.2}, {});
          },
          ErrorKind::failure));
}

TEST(Predict, MoreRowsThanOneChunkAreTheSameAsFew) {
  const Model model = small_model("gcn", false);
  std::vector<Point> points = places(100);
  const std::vector<double> few = model.predict(points, {}, {.threads = 1});
  while (points.size() < 20'000) points.insert(points.end(), points.begin(), points.begin() + 100);
  const std::vector<double> many = model.predict(points, {}, {.threads = 2});
  for (std::size_t i = 0; i < many.size(); ++i) ASSERT_EQ(few[i % 100], many[i]);
}

TEST(Predict, TestOnlyLinksTheRowsAmongThemselves) {
  const Model model = small_model("gcn", false).with_graph("test-only");
  const std::vector<Point> points = places(50);
  const std::vector<double> together = model.predict(points, {}, {});
  const std::vector<double> alone = model.predict({points[0]}, {}, {});
  EXPECT_NE(together[0], alone[0]);
}

TEST(Predict, NoRowsGiveNoPredictions) {
  EXPECT_TRUE(small_model("gcn", false).predict(std::vector<Point>{}, {}, {}).empty());
}

TEST(Predict, ATableWithoutTheModelsFeaturesIsRefusedWithBothLists) {
  const Model model = small_model();
  Table table("new.csv");
  table.add("lon", {10.0});
  table.add("lat", {45.0});
  table.add("b", {1.0});
  try {
    model.predict(table, {}, false, {});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::data, e.kind());
    EXPECT_STREQ("new.csv: the model needs the feature a; the table has lon, lat, b", e.what());
  }
}

TEST(Predict, ColumnsAreMatchedByNameNotByPosition) {
  const Model model = small_model();
  Table one("one.csv"), other("other.csv");
  one.add("lon", {11.0});
  one.add("lat", {46.0});
  one.add("a", {0.25});
  one.add("b", {0.75});
  other.add("b", {0.75});
  other.add("lat", {46.0});
  other.add("a", {0.25});
  other.add("lon", {11.0});
  EXPECT_EQ(model.predict(one, {}, false, {}), model.predict(other, {}, false, {}));
}

TEST(Predict, RowsWithMissingValuesAreRefusedOrLeftEmpty) {
  const Model model = small_model();
  Table table("gaps.csv");
  table.add("lon", {11.0, 11.5});
  table.add("lat", {46.0, 46.5});
  table.add("a", {0.25, std::nan("")});
  table.add("b", {0.75, 0.5});
  EXPECT_THROW(model.predict(table, {}, false, {}), Error);
  const std::vector<double> predicted = model.predict(table, {}, true, {});
  ASSERT_EQ(2U, predicted.size());
  EXPECT_TRUE(std::isfinite(predicted[0]));
  EXPECT_TRUE(std::isnan(predicted[1]));
}

// The rows [begin, end) of a table.
Table part_of(const Table& table, std::size_t begin, std::size_t end) {
  Table part(table.source());
  for (const Column& column : table.columns()) {
    part.add(column.name, {column.values.begin() + static_cast<std::ptrdiff_t>(begin),
                           column.values.begin() + static_cast<std::ptrdiff_t>(end)});
  }
  part.set_lines({static_cast<std::int64_t>(begin) + 2});
  return part;
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// One that nobody has asked before, so that both callers find it not made ready.
void expect_answers_of_two_callers(const std::string& name, const std::string& bytes) {
  const Table table = test::smooth_table(300, 3);
  const Answer alone = Model::from_bytes(bytes).ask(table, {}, {.threads = 1});
  const Model model = Model::from_bytes(bytes);
  std::vector<Answer> found(2);
  std::vector<const FittedModel*> fitted(2);
  std::vector<std::thread> callers;
  for (std::size_t c = 0; c < 2; ++c) {
    callers.emplace_back([&, c] {
      for (int again = 0; again < 3; ++again) found[c] = model.ask(table, {}, {.threads = 2});
      fitted[c] = &model.fitted(ThreadPool(1));
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(fitted[0], fitted[1]) << name << ": one for all";
  for (const Answer& answer : found) EXPECT_EQ(alone.values, answer.values) << name;
}

TEST(Model, IsAskedByTwoThreadsAtTheSameTime) {
  for (const char* name : {"pe-gcn", "kcn", "label_attention", "kriging", "knn", "gp"}) {
    const Model model = train(test::smooth_table(200), test::smooth_roles(),
                              test::small_model(name), false, {.threads = 2})
                            .model;
    expect_answers_of_two_callers(name, model.bytes());
  }
  const std::vector<std::string> parts{"label_attention", "kriging", "nngp"};
  expect_answers_of_two_callers("combined", Model(test::combined_state(parts, 200)).bytes());
}

TEST(CellPredictor, AsksModelsMadeOfOthersToo) {
  const std::vector<std::string> parts{"kriging", "nngp"};
  const Model model(test::combined_state(parts, 200));
  const std::vector<Point> points = places(40);
  const std::vector<double> features(80, 0.5);
  const Answer want = model.ask(points, features, {.threads = 1});
  CellPredictor predictor(model, false, true, {.threads = 2});
  EXPECT_EQ(want.values, predictor.ask(points, features).answer.values);
}

TEST(Predictor, PiecesOfATableArePredictedAsTheWhole) {
  for (const char* model_name : {"pe-gcn", "label_attention", "kriging"}) {
    const Model model = train(test::smooth_table(300), test::smooth_roles(),
                              test::small_model(model_name), false, {.threads = 2})
                            .model;
    const Table table = test::smooth_table(500, 3);
    const Answer whole = model.ask(table, {}, {.threads = 1});
    EXPECT_EQ(whole.deviation().empty(), std::string(model_name) != "kriging");
    Predictor predictor(model, {}, {.threads = 2});
    std::vector<double> mean, deviation;
    for (const auto& [begin, end] :
         {std::pair(0UL, 1UL), {1UL, 333UL}, {333UL, 333UL}, {333UL, 500UL}}) {
      const Answer part = predictor.ask(part_of(table, begin, end));
      mean.insert(mean.end(), part.mean().begin(), part.mean().end());
      deviation.insert(deviation.end(), part.deviation().begin(), part.deviation().end());
    }
    predictor.finish();
    mean.insert(mean.end(), deviation.begin(), deviation.end());
    EXPECT_EQ(whole.values, mean);
  }
}

TEST(Predictor, RowsWithMissingValuesInAnyPieceAreRefusedTogetherAtTheEnd) {
  const Model model = small_model();
  Table table = test::smooth_table(30, 3), gaps("gaps.csv");
  for (Column column : table.columns()) {
    if (column.name == "a") column.values[4] = column.values[20] = std::nan("");
    if (column.name == "lat") column.values[25] = std::nan("");
    gaps.add(std::move(column));
  }
  Predictor predictor(model, {}, {});
  EXPECT_TRUE(std::isfinite(predictor.ask(part_of(gaps, 0, 4)).mean()[0]));
  EXPECT_FALSE(predictor.refused());
  EXPECT_TRUE(std::isnan(predictor.ask(part_of(gaps, 4, 10)).mean()[1]));
  EXPECT_TRUE(predictor.refused());
  EXPECT_TRUE(std::isnan(predictor.ask(part_of(gaps, 10, 30)).mean()[0]));
  EXPECT_EQ(error_of([&] { predictor.finish(); }),
            "gaps.csv: 3 rows have a missing or infinite value: line 6 (column 'a'), line 22 "
            "(column 'a'), line 27 (column 'lat'); --drop-na leaves these rows out");

  Predictor dropping(model, {.drop_missing = true}, {});
  EXPECT_TRUE(std::isnan(dropping.ask(part_of(gaps, 4, 5)).mean()[0]));  // nothing but gaps
  const std::vector<double> rest = dropping.ask(part_of(gaps, 5, 30)).values;
  EXPECT_EQ(rest.size(), 25U);
  EXPECT_EQ(std::count_if(rest.begin(), rest.end(), [](double p) { return std::isnan(p); }), 2);
  dropping.finish();
}

TEST(Predictor, TextAndBadCoordinatesInALatePieceAreNamedByTheirLine) {
  const Model model = small_model("gcn", false);
  TableReader reader = TableReader::over("lon,lat\n11,46\n12,47\n11,x\n", "late.csv");
  Predictor predictor(model, {}, {});
  predictor.ask(reader.next(2));
  EXPECT_NE(error_of([&] { predictor.ask(reader.next(2)); }).find("late.csv, line 4, column 'lat'"),
            std::string::npos);
  TableReader other = TableReader::over("lon,lat\n11,46\n12,47\n11,146\n", "late.csv");
  Predictor again(model, {}, {});
  again.ask(other.next(2));
  EXPECT_NE(error_of([&] { again.ask(other.next(2)); }).find("line 4, column 'lat': 146"),
            std::string::npos);
}

TEST(Predictor, ATableWithoutRowsIsRefusedAtTheEnd) {
  const Model model = small_model("gcn", false);
  Predictor predictor(model, {}, {});
  EXPECT_TRUE(predictor.ask(TableReader::over("lon,lat\n", "none.csv").next(5)).mean().empty());
  EXPECT_NE(error_of([&] { predictor.finish(); }).find("none.csv: no data rows"),
            std::string::npos);
}

TEST(Predictor, OnlyRowsLinkedToEachOtherMustAllBeThere) {
  EXPECT_FALSE(small_model().needs_all_rows());
  EXPECT_TRUE(small_model().with_graph("test-only").needs_all_rows());
  EXPECT_FALSE(small_model("mlp").with_graph("test-only").needs_all_rows());
  EXPECT_FALSE(small_model("kcn").with_graph("test-only").needs_all_rows());
  EXPECT_FALSE(small_model("label_attention").with_graph("test-only").needs_all_rows());
}

TEST(Predict, PlacesAtThePolesAndTheAntimeridianAreOrdinary) {
  for (const char* backbone : {"gcn", "label_attention"}) {
    const Model model = small_model(backbone, false);
    for (const double p : model.predict({{0, 90}, {180, 0}, {-180, 0}, {77, -90}}, {}, {})) {
      EXPECT_TRUE(std::isfinite(p)) << backbone;
    }
  }
}

}  // namespace
}  // namespace pegnn
