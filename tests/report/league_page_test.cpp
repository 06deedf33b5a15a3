#include "report/league_page.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "report/bar_chart.h"
#include "support/markup.h"

namespace pegnn {
namespace {

using testing_report::holds_no_number;
using testing_report::markup_fault;
using testing_report::occurrences;
using testing_report::pictures;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

LeagueRow row_of(const std::string& name, double error, Verdict verdict, std::size_t rows) {
  const Rng rng{5, Stream::sample};
  LeagueRow row;
  Evaluation& e = row.evaluation;
  e.model = name;
  e.scheme.scheme = "random";
  e.folds.resize(2);
  for (FoldScore& fold : e.folds) fold.train_rows = 80;
  e.mean.rows = static_cast<std::int64_t>(rows);
  e.mean["mse"] = error * error;
  e.mean["mae"] = e.mean["rmse"] = error;
  e.mean["r2"] = 0.5;
  e.mean["mse_minmax"] = error / 100;
  e.mean["mae_minmax"] = error / 10;
  e.sd["rmse"] = error / 20;
  e.residual_moran = -0.001;
  for (std::size_t i = 0; i < rows; ++i) e.predicted.push_back(error * rng.normal(1, i));
  row.verdict = verdict;
  row.lead = error * error - 1;
  row.p = row.p_holm = verdict == Verdict::best ? kNan : 0.2;
  return row;
}

Comparison sample(std::size_t models, std::size_t rows) {
  const Rng rng{6, Stream::sample};
  Comparison c;
  for (std::size_t m = 0; m < models; ++m) {
    c.rows.push_back(row_of("model-" + std::to_string(m), 1 + static_cast<double>(m),
                            m == 0 ? Verdict::best : Verdict::worse, rows));
  }
  LeagueRow failed;
  failed.evaluation.model = "broken";
  failed.reason = "needs <more> memory";
  c.rows.push_back(failed);
  c.scheme.scheme = "random";
  c.folds = 2;
  c.warnings = {"feature 'a' copies the target"};
  for (std::size_t i = 0; i < rows; ++i) {
    c.table_rows.push_back(static_cast<std::int64_t>(i));
    c.points.push_back({10 + rng.uniform(1, i), 40 + rng.uniform(2, i)});
    c.observed.push_back(rng.normal(3, i));
  }
  return c;
}

const Roles kRoles{"lon", "lat", true, "price", {}};

void expect_sound(const std::string& page) {
  EXPECT_EQ(markup_fault(page), "");
  EXPECT_FALSE(holds_no_number(pictures(page)));
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
}

TEST(LeaguePage, ShowsBarsTableMapsWarningsAndTheCommand) {
  const std::string page = league_page(sample(6, 90), "houses.csv", kRoles, "pegnn compare x.csv");
  expect_sound(page);
  EXPECT_EQ(occurrences(page, "<svg"), 2 + 4);  // two charts, the four best maps
  EXPECT_NE(page.find("Feature &#39;a&#39; copies the target."), std::string::npos);
  EXPECT_NE(page.find("broken was not trained: needs &lt;more&gt; memory"), std::string::npos);
  EXPECT_NE(page.find("pegnn compare x.csv"), std::string::npos);
  EXPECT_EQ(occurrences(page, "<tr><th scope=\"row\">model-"), 6);
}

TEST(LeaguePage, ManagesOneModelOneRowAndUndefinedFigures) {
  expect_sound(league_page(sample(1, 1), "t.csv", kRoles, ""));
  Comparison c = sample(3, 20);
  for (LeagueRow& row : c.rows) {
    row.evaluation.mean["r2"] = row.evaluation.mean["mse_minmax"] = kNan;
    row.evaluation.residual_moran = kNan;
  }
  c.space = Space::plane;
  expect_sound(league_page(c, "t.csv", kRoles, ""));
  c.rows.erase(c.rows.begin(), c.rows.begin() + 3);  // only the one that was not trained
  expect_sound(league_page(c, "t.csv", kRoles, ""));
}

std::string chart_of(std::vector<ChartBar> bars, std::string* note = nullptr) {
  const Plot plot = bar_chart({{"bars", "Bars", "Some bars."}, "error", std::move(bars)});
  EXPECT_EQ(markup_fault(plot.svg), "");
  EXPECT_FALSE(holds_no_number(plot.svg));
  if (note != nullptr) *note = plot.note;
  return plot.svg;
}

TEST(BarChart, DrawsABarAndAWhiskerForEachFigure) {
  const std::string svg = chart_of({{"a", 1, 0.1, "c1", "1"}, {"b", 2, kNan, "c2", "2"}});
  EXPECT_EQ(occurrences(svg, "<rect"), 1 + 2);  // the ground and the bars
  EXPECT_EQ(occurrences(svg, "class=\"whisker\""), 3);
}

TEST(BarChart, MarksWhatABarIsComparedWithAndHoldsItInTheAxis) {
  std::vector<ChartBar> bars = {{"a", 1, kNan, "c1", "1"}, {"b", 2, kNan, "c1", "2"}};
  bars[0].mark = 3;
  const std::string svg = chart_of(bars);
  EXPECT_EQ(occurrences(svg, "class=\"best\""), 1);
  EXPECT_NE(svg.find(">3<"), std::string::npos);
  bars[1].gap_above = true;
  EXPECT_NE(chart_of(bars), svg);
}

TEST(BarChart, PutsFiguresFarApartOnALogarithmicAxis) {
  std::string note;
  const std::string svg = chart_of({{"a", 0.001, kNan, "c1", ""}, {"b", 5, 8, "c2", ""}}, &note);
  EXPECT_EQ(occurrences(svg, "<circle"), 2);
  EXPECT_NE(note.find("logarithmic"), std::string::npos);
}

TEST(BarChart, BearsNegativeMissingAndNoFigures) {
  chart_of({});
  chart_of({{"none", kNan, kNan, "c1", ""}});
  chart_of({{"zero", 0, 0, "c1", ""}});
  const std::string svg = chart_of({{"minus", -0.2, kNan, "c1", ""},
                                    {"plus", 0.4, kNan, "c1", ""},
                                    {"large", 1e305, kNan, "c1", ""}});
  EXPECT_EQ(occurrences(svg, "class=\"dot c1\""), 2);
}

}  // namespace
}  // namespace pegnn
