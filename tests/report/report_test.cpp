#include "report/report.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "support/markup.h"

namespace pegnn {
namespace {

using testing_report::holds_no_number;
using testing_report::markup_fault;
using testing_report::occurrences;
using testing_report::pictures;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ReportData sample(std::uint64_t rows) {
  const Rng rng{11, Stream::sample};
  ReportData data;
  data.title = "price";
  data.subtitle = "a model on a table";
  data.target_name = "price";
  data.figures = {{"RMSE", "0.5", "in units of price"}, {"Rows", "many", ""}};
  data.options = {{"k", "5", "Neighbours per point."}};
  data.provenance = {{"Seed", "0", ""}};
  for (int step = 1; step <= 500; ++step) {
    data.curve.push_back({step, 1.0 / step, 0.1, step % 50 == 0 ? 1.1 / step : kNan});
  }
  data.best_step = 450;
  for (std::uint64_t i = 0; i < rows; ++i) {
    data.points.push_back({-120 + 10 * rng.uniform(i, 0), 35 + 8 * rng.uniform(i, 1)});
    data.observed.push_back(rng.normal(i, 2));
    data.predicted.push_back(0.8 * data.observed.back() + 0.3 * rng.normal(i, 3));
    data.residual_moran.z.push_back(rng.normal(i, 4));
    data.residual_moran.lag.push_back(rng.normal(i, 5));
    data.residual_moran.p.push_back(rng.uniform(i, 6));
    data.residual_moran.q.push_back(1 + static_cast<int>(i % 4));
  }
  data.residual_moran.I = 0.01;
  data.residual_moran.p_sim = 0.4;
  data.observed_variogram = {{{10, 0.5, 9}, {20, 1, 9}}, 1, 25, false};
  data.residual_variogram = {{{10, 0.1, 9}, {20, 0.1, 9}}, 0.1, 25, false};
  return data;
}

void expect_sound(const std::string& page) {
  EXPECT_EQ(markup_fault(page), "");
  EXPECT_FALSE(holds_no_number(pictures(page)));
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
}

TEST(Report, ShowsEveryPanelInOrder) {
  const std::string page = render_report(sample(400));
  expect_sound(page);
  EXPECT_EQ(occurrences(page, "<svg"), 8);
  std::size_t before = 0;
  for (const char* part :
       {"class=\"cards\"", "id=\"curve-t\"", "id=\"scatter-t\"", "id=\"map-predicted-t\"",
        "id=\"map-observed-t\"", "id=\"map-residual-t\"", "id=\"histogram-t\"", "id=\"moran-t\"",
        "id=\"variogram-t\"", ">Options<", ">Provenance<"}) {
    const std::size_t at = page.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    EXPECT_GT(at, before) << part;
    before = at;
  }
  EXPECT_NE(page.find("best: step 450"), std::string::npos);
  EXPECT_NE(page.find("no spatial pattern beyond chance"), std::string::npos);
}

TEST(Report, IsTheSameEveryTime) {
  EXPECT_EQ(render_report(sample(300)), render_report(sample(300)));
}

TEST(Report, AsksForNothingOutside) {
  const std::string page = render_report(sample(50));
  for (const char* part :
       {"http", "url(", "@import", "<link", "<script", "<img", "<iframe", "src="}) {
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  }
}

TEST(Report, EscapesEveryName) {
  const std::string evil = "<b onclick='x'>&\"";
  ReportData data = sample(60);
  data.title = data.subtitle = data.target_name = data.rows_shown = data.auxiliary_name = evil;
  data.x_name = data.y_name = evil;
  data.space = Space::plane;
  data.figures = data.options = data.provenance = {{evil, evil, evil}};
  data.remarks = {evil};
  const std::string page = render_report(data);
  expect_sound(page);
  EXPECT_EQ(page.find("<b onclick"), std::string::npos);
  EXPECT_EQ(page.find("'x'"), std::string::npos);
  EXPECT_NE(page.find("&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;"), std::string::npos);
}

TEST(Report, OfManyRowsStaysSmall) {
  const std::string page = render_report(sample(200000));
  expect_sound(page);
  EXPECT_LT(page.size(), 1500000U);
}

TEST(Report, OfTheMostDotsStaysSmall) {
  for (const std::uint64_t rows : {4000U, 8000U}) {  // the most of a scatter and of a map
    const std::string page = render_report(sample(rows));
    expect_sound(page);
    EXPECT_LT(page.size(), 1000000U) << rows;
  }
}

TEST(Report, OfNothingSaysSo) {
  const std::string page = render_report({});
  expect_sound(page);
  EXPECT_EQ(occurrences(page, "<svg"), 0);
  EXPECT_NE(page.find("There is no curve"), std::string::npos);
  EXPECT_NE(page.find("There are no rows"), std::string::npos);
  EXPECT_NE(page.find("There is no Moran scatter"), std::string::npos);
}

TEST(Report, OfOneRowIsDrawn) {
  ReportData data;
  data.observed = {3};
  data.predicted = {3};
  data.points = {{10, 50}};
  data.curve = {{1, 0.5, kNan, kNan}};
  const std::string page = render_report(data);
  expect_sound(page);
  EXPECT_EQ(occurrences(page, "<svg"), 6);
}

TEST(Report, OfAConstantTargetInOnePlaceIsDrawn) {
  ReportData data;
  data.observed.assign(500, 7);
  data.predicted.assign(500, 7);
  data.points.assign(500, {0, 90});
  data.residual_moran.z.assign(500, 0);
  data.residual_moran.lag.assign(500, 0);
  data.residual_moran.I = kNan;
  const std::string page = render_report(data);
  expect_sound(page);
  EXPECT_NE(page.find("residuals are all equal"), std::string::npos);
}

TEST(Report, CountsTheRowsItCannotDraw) {
  ReportData data = sample(1234);
  data.predicted[3] = kNan;
  data.observed[5] = std::numeric_limits<double>::infinity();
  data.points[9].x = kNan;
  const std::string page = render_report(data);
  expect_sound(page);
  EXPECT_NE(page.find("not a finite number: 2 of 1,234 rows"), std::string::npos);
  EXPECT_NE(page.find("coordinate is not a finite number: 1 of 1,234 rows"), std::string::npos);
}

TEST(Report, WithoutPlacesLeavesOutTheMaps) {
  ReportData data = sample(100);
  data.points.clear();
  const std::string page = render_report(data);
  expect_sound(page);
  EXPECT_NE(page.find("There are no maps"), std::string::npos);
  EXPECT_NE(page.find("id=\"histogram-t\""), std::string::npos);
}

TEST(Report, TakesHugeAndTinyMagnitudes) {
  for (const double scale : {1e-290, 1e-9, 1e9, 1e290}) {
    ReportData data = sample(100);
    for (double& v : data.observed) v *= scale;
    for (double& v : data.predicted) v *= scale;
    for (ReportCurvePoint& point : data.curve) point.main *= scale;
    expect_sound(render_report(data));
  }
}

TEST(Report, TakesACurveThatDiverged) {
  ReportData data = sample(10);
  data.curve[100].main = std::numeric_limits<double>::infinity();
  data.curve[101].main = 1e308;
  data.curve[102].main = -1;
  for (ReportCurvePoint& point : data.curve) point.validation = kNan;
  expect_sound(render_report(data));
}

TEST(Report, SaysWhatMoranMeans) {
  ReportData data = sample(50);
  data.residual_moran.I = 0.4;
  data.residual_moran.p_sim = 0.001;
  EXPECT_NE(render_report(data).find("some spatial structure is left"), std::string::npos);
  data.residual_moran.I = -0.4;
  EXPECT_NE(render_report(data).find("differ more than by chance"), std::string::npos);
  data.residual_moran.p_sim = kNan;
  EXPECT_NE(render_report(data).find("without permutations"), std::string::npos);
}

}  // namespace
}  // namespace pegnn
