#include <cmath>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/train.h"
#include "support/tables.h"

namespace pegnn {
namespace {

Model small_model(const char* backbone = "gcn", bool features = true) {
  Options o = preset("default");
  o.steps = 40;
  o.backbone = backbone;
  return train(test::smooth_table(400), test::smooth_roles(features), o, false, {.threads = 2})
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
  for (const char* backbone : {"gcn", "mlp"}) {
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

TEST(Predict, PlacesAtThePolesAndTheAntimeridianAreOrdinary) {
  const Model model = small_model("gcn", false);
  for (const double p : model.predict({{0, 90}, {180, 0}, {-180, 0}, {77, -90}}, {}, {})) {
    EXPECT_TRUE(std::isfinite(p));
  }
}

}  // namespace
}  // namespace pegnn
