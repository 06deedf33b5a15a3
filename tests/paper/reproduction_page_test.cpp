#include "paper/report/reproduction_page.h"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "paper/report/agreement.h"
#include "paper/report/dumbbell_chart.h"
#include "paper/report/paper_rows.h"
#include "support/markup.h"

namespace pegnn {
namespace {

using testing_report::holds_no_number;
using testing_report::markup_fault;
using testing_report::occurrences;
using testing_report::pictures;

constexpr const char* kCommand = "pegnn reproduce --preset reference";

bool holds(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

TableCell cell_of(double published, double ours) {
  TableCell cell;
  cell.published = {published, 3 * published};
  cell.ours = {ours, 3 * ours};
  cell.independent = {1.01 * ours, 3 * ours};
  cell.spread = {0.02 * ours, 0.01 * ours};
  cell.seeds = 5;
  cell.seconds = 4;
  return cell;
}

// Two backbones with and without the encoder, a Gaussian process, a further row of ours.
PaperTable sample_table(std::size_t columns) {
  PaperTable table;
  table.title = "Table 1: spatial interpolation";
  const std::vector<std::string> names = {"GCN",        "PE-GCN λ=0", "PE-GCN λ=0.5", "GAT",
                                          "PE-GAT λ=0", "Exact GP",   "kriging"};
  for (std::size_t c = 0; c < columns; ++c) {
    table.columns.push_back("Data set " + std::string(1, static_cast<char>('A' + c)));
    table.notes.push_back(c == 0 ? "5,000 of 434,874 rows" : "");
  }
  for (std::size_t r = 0; r < names.size(); ++r) {
    TableRow row{names[r], r == 1 || r == 2 || r == 4 ? "pe-x" : "x", false, r != 6, {}};
    row.line_above = r == 0 || r == 3 || r == 5;
    for (std::size_t c = 0; c < columns; ++c) {
      const double published =
          (with_encoder(row) ? 0.0101 : 0.0501) + 0.0001 * static_cast<double>(10 * r + c);
      row.cells.push_back(cell_of(r == 6 ? kNotThere : published, 1.1 * published));
      if (r == 6) row.cells.back().ours = {0.0033, 0.0099};
    }
    table.rows.push_back(row);
  }
  return table;
}

Figure2 sample_figure2(std::size_t rows) {
  const Rng rng{7, Stream::sample};
  Figure2 figure;
  figure.value_name = "MedHouseVal";
  figure.maps = {{"Truth", {}}, {"GraphSAGE", {}}, {"PE-GraphSAGE", {}}};
  for (std::size_t i = 0; i < rows; ++i) {
    figure.points.push_back({-120 + rng.uniform(1, i), 36 + rng.uniform(2, i)});
    for (NamedValues& map : figure.maps) map.values.push_back(rng.normal(3, i));
  }
  for (const char* backbone : {"GCN", "GAT"}) {
    CurvePanel panel{backbone, {}};
    for (const char* setting : {"", "PE λ=0", "PE λ=0.25", "PE λ=0.5", "PE λ=0.75"}) {
      panel.curves.push_back(
          {std::string(setting).empty() ? backbone : std::string("PE-") + setting,
           {0, 100, 200},
           {0.06, 0.04, 0.03}});
    }
    figure.curves.push_back(panel);
  }
  return figure;
}

Reproduction sample() {
  Reproduction found;
  found.table1 = sample_table(4);
  found.table2 = sample_table(3);
  found.table2->title = "Table 2: spatial regression";
  found.figure2 = sample_figure2(60);
  found.figure3 = Figure3{{{"California Housing",
                            "all rows",
                            {{"GCN", "GCN", 0.055, 0.001, 0.0558, 10},
                             {"PE-GCN λ=0", "GCN", 0.016, 0.001, 0.0161, 10},
                             {"GAT", "GAT", 0.056, 0.001, 0.0558, 10}}}}};
  found.figure4 = Figure4{{{"PE-GCN", {2, 5, 50}, {512, 2048}, {{1, 2}, {3, kNotThere}, {5, 6}}}}};
  found.figure5 = Figure5{{0, 1, 2}, {3, 2, 1}, {4, 3, 2}, {1, 0.8, 0.7}, {1, 0.9, 0.9}, 0.0038};
  found.step_times = {{"PE-GCN", 0.23, 0.023, 0.01, ""},
                      {"exact GP", 0.77, kNotThere, 0.007, "of a part"}};
  found.threads = 8;
  found.preset = "reference";
  found.seeds = 5;
  found.runs = 1234;
  found.compute_seconds = 3725;
  found.remarks = {"One <data set> is missing."};
  return found;
}

// Well-formed, each id once, no picture with a number that is none, nothing from elsewhere, and no
// panel without content.
void expect_sound(const std::string& page) {
  EXPECT_EQ(markup_fault(page), "");
  EXPECT_FALSE(holds_no_number(pictures(page)));
  EXPECT_FALSE(holds(page, "<script"));
  EXPECT_FALSE(holds(page, "http"));
  EXPECT_FALSE(holds(page, "<h3></h3>"));
  EXPECT_FALSE(holds(page, "</h2>\n</section>"));
  EXPECT_FALSE(holds(page, "<tbody>\n</tbody>"));
  std::set<std::string> ids;
  for (auto at = page.find(" id=\""); at != std::string::npos; at = page.find(" id=\"", at + 1)) {
    const std::string id = page.substr(at + 5, page.find('"', at + 5) - at - 5);
    EXPECT_TRUE(ids.insert(id).second) << id;
  }
  for (auto at = page.find("href=\"#"); at != std::string::npos;
       at = page.find("href=\"#", at + 1)) {
    EXPECT_TRUE(ids.count(page.substr(at + 7, page.find('"', at + 7) - at - 7)));
  }
}

TEST(ReproductionPage, ShowsEveryRowWithOursAndThePublishedNumber) {
  const Reproduction found = sample();
  const std::string page = reproduction_page(found, kCommand);
  expect_sound(page);
  for (const std::optional<PaperTable>* table : {&found.table1, &found.table2}) {
    EXPECT_TRUE(holds(page, (*table)->title));
    for (const TableRow& row : (*table)->rows) {
      EXPECT_TRUE(holds(page, "<th scope=\"row\">" + row.name + "</th>")) << row.name;
      for (const TableCell& cell : row.cells) {
        EXPECT_TRUE(holds(page, error_text(cell.ours.mse)));
        if (!row.in_paper) continue;
        for (const double published : {cell.published.mse, cell.published.mae}) {
          EXPECT_TRUE(holds(page, "<small class=\"under\">" + error_text(published) + "<"));
        }
        EXPECT_TRUE(holds(page, "independent run " + error_text(cell.independent.mse)));
      }
    }
  }
  // 6 rows of the paper, 7 columns, two errors, all of them ten per cent off.
  EXPECT_EQ(occurrences(page, "✓\u202f+10\u202f%"), 6 * 7 * 2);
  EXPECT_TRUE(holds(page, "<dd class=\"value\">84 of 84</dd>"));
  EXPECT_TRUE(holds(page, "<dd class=\"value\">42 of 42</dd>"));  // with the encoder
  EXPECT_TRUE(holds(page, "5,000 of 434,874 rows"));
  EXPECT_TRUE(holds(page, "±"));
}

TEST(ReproductionPage, ShowsFiguresTimesRemarksAndTheCommand) {
  const std::string page = reproduction_page(sample(), kCommand);
  // Charts of both tables, three maps, two sets of curves, bars, sensitivity, two of figure 5.
  EXPECT_EQ(occurrences(page, "<svg"), 4 + 3 + 3 + 2 + 1 + 1 + 2);
  for (const char* id :
       {"table-1", "table-2", "figure-2", "figure-3", "figure-4", "figure-5", "step-times"}) {
    EXPECT_TRUE(holds(page, std::string("id=\"") + id + "\"")) << id;
  }
  EXPECT_TRUE(holds(page, "One &lt;data set&gt; is missing."));
  EXPECT_TRUE(holds(page, "1,234"));
  EXPECT_TRUE(holds(page, "1 h 02 min"));
  EXPECT_TRUE(holds(page, ">10 ×<"));  // 0.23 s to 0.023 s
  EXPECT_TRUE(holds(page, "of a part"));
  EXPECT_FALSE(holds(page, ">110 ×<"));  // 0.77 s to 0.007 s, which are not of the same
  EXPECT_TRUE(holds(page, kCommand));
  EXPECT_FALSE(holds(page, "class=\"banner\""));
}

TEST(ReproductionPage, AQuickRunSaysThatItProvesNothing) {
  Reproduction found = sample();
  found.quick = true;
  const std::string page = reproduction_page(found, kCommand);
  expect_sound(page);
  EXPECT_TRUE(holds(page, "class=\"banner\""));
  EXPECT_TRUE(holds(page, "prove nothing"));
}

TEST(ReproductionPage, MissingNumbersAreADashWithTheReason) {
  Reproduction found = sample();
  for (const std::size_t column : {0U, 1U}) {
    TableCell& cell = found.table1->rows[1].cells[column];
    cell.ours = cell.spread = cell.independent = {};
    cell.reason = "needs <more> memory";
  }
  found.table1->rows[3].cells[2].ours = {};  // no reason known
  found.table1->rows[4].cells.resize(1);     // cells missing altogether
  const std::string page = reproduction_page(found, "");
  expect_sound(page);
  EXPECT_EQ(occurrences(page, "–<sup>a</sup>"), 4);
  EXPECT_TRUE(
      holds(page, "PE-GCN λ=0 on Data set A, PE-GCN λ=0 on Data set B: needs &lt;more&gt; memory"));
  EXPECT_TRUE(holds(page, "4 cells: not run"));
  EXPECT_TRUE(holds(page, "<small class=\"under\">0.0111<"));  // the published one stays
}

TEST(ReproductionPage, TellsLowerFromHigherAndWhereTheIndependentRunAgrees) {
  Reproduction found = sample();
  found.table2.reset();
  found.table1->rows[1].cells[0] = cell_of(0.01, 0.005);
  found.table1->rows[2].cells[0] = cell_of(0.01, 0.02);
  found.table1->rows[2].cells[0].independent.mse = 0.01;
  const std::string page = reproduction_page(found, "");
  EXPECT_EQ(occurrences(page, "▼\u202f−50\u202f%"), 2);  // both errors
  EXPECT_EQ(occurrences(page, "▲\u202f+100\u202f%"), 2);
  EXPECT_EQ(occurrences(page, "%</span>\u202f◇"), 1);
  EXPECT_TRUE(holds(page, "<dd class=\"value\">44 of 48</dd><dd class=\"note\">2 lower, 2 higher"));
}

TEST(ReproductionPage, BestOfOursIsBoldPerKindOfModel) {
  Reproduction found;
  found.table1 = sample_table(1);
  const std::string page = reproduction_page(found, "");
  // GCN and GAT each have a best; the Gaussian process and kriging stand alone.
  EXPECT_EQ(occurrences(page, "<b>"), 2 * 2);
  EXPECT_TRUE(holds(page, "<b>" + error_text(found.table1->rows[1].cells[0].ours.mse) + "</b>"));
}

TEST(ReproductionPage, SaysHowManyTimesTheEncoderLowersTheError) {
  Reproduction found;
  found.table1 = sample_table(1);
  TableRow* rows = found.table1->rows.data();
  rows[0].cells[0] = cell_of(0.06, 0.08);
  rows[1].cells[0] = cell_of(0.02, 0.02);
  rows[2].cells[0] = cell_of(0.03, 0.04);
  rows[3].cells[0] = cell_of(0.02, 0.02);
  rows[4].cells[0] = cell_of(0.01, 0.04);  // GAT: worse with it
  const std::string page = reproduction_page(found, "");
  EXPECT_TRUE(holds(page, "✓ 4.0 ×<small class=\"under\">3.0 ×"));
  EXPECT_TRUE(holds(page, "▲ 0.50 ×<small class=\"under\">2.0 ×"));
  EXPECT_TRUE(holds(page, "in 1 of 2 cases of ours and in 2 of 2 published ones"));
}

TEST(ReproductionPage, BeforeTheFirstRunThePublishedNumbersStandAlone) {
  Reproduction found;
  found.table1 = sample_table(2);
  for (TableRow& row : found.table1->rows) {
    for (TableCell& cell : row.cells) {
      cell.ours = cell.spread = cell.independent = {};
      cell.seeds = 0;
      cell.reason = "not trained yet";
    }
  }
  const std::string page = reproduction_page(found, "");
  expect_sound(page);
  EXPECT_FALSE(holds(page, "what the encoder gains"));
  EXPECT_FALSE(holds(page, "within 15\u00a0%</dt>"));
  EXPECT_TRUE(holds(page, "14 cells: not trained yet"));
  EXPECT_EQ(occurrences(page, "<svg"), 2);
}

TEST(ReproductionPage, OneSeedHasNoSpread) {
  Reproduction found;
  found.table1 = sample_table(1);
  for (TableRow& row : found.table1->rows) {
    for (TableCell& cell : row.cells) cell.seeds = 1, cell.spread = {};
  }
  const std::string page = reproduction_page(found, "");
  expect_sound(page);
  EXPECT_FALSE(holds(page, "±"));
  EXPECT_TRUE(holds(page, "1 seed for"));
}

TEST(ReproductionPage, WhatIsNotThereHasNoPanel) {
  const std::string empty = reproduction_page({}, "");
  expect_sound(empty);
  EXPECT_EQ(occurrences(empty, "<svg"), 0);
  EXPECT_EQ(occurrences(empty, "<section"), 0);
  EXPECT_FALSE(holds(empty, "<nav"));

  Reproduction hollow;  // all there, and nothing in it
  hollow.table1 = PaperTable{"Table 1", {"A"}, {}, {}};
  hollow.table2 = PaperTable{"Table 2", {}, {}, {{"GCN", "gcn", true, true, {}}}};
  hollow.figure2 = Figure2{};
  hollow.figure3 = Figure3{{{"A", "", {}}}};
  hollow.figure4 = Figure4{{{"PE-GCN", {}, {}, {}}}};
  hollow.figure5 = Figure5{};
  const std::string page = reproduction_page(hollow, "");
  expect_sound(page);
  EXPECT_EQ(occurrences(page, "<svg"), 0);
  EXPECT_EQ(occurrences(page, "<section"), 0);
}

TEST(ReproductionPage, BearsNumbersThatAreNone) {
  const double inf = std::numeric_limits<double>::infinity();
  Reproduction found = sample();
  for (const double bad : {kNotThere, inf, -inf, 0.0, -1.0, 1e305}) {
    for (TableRow& row : found.table1->rows) {
      row.cells[0].ours = {bad, bad};
      row.cells[1].published = row.cells[1].independent = {bad, bad};
      row.cells[2].spread = {bad, bad};
    }
    for (NamedValues& map : found.figure2->maps) map.values[3] = bad;
    found.figure2->points[5].x = bad;
    for (Curve& curve : found.figure2->curves[0].curves) curve.y = {bad, bad, bad};
    for (Bar& bar : found.figure3->panels[0].bars) bar.deviation = bar.published = bad;
    found.figure3->panels[0].bars[0].mean = bad;
    found.figure4->panels[0].mse[0] = {bad, bad};
    found.figure5->main_loss[1] = found.figure5->sigma_main[1] = found.figure5->test_mse = bad;
    found.step_times[0].one_thread = found.step_times[1].published = bad;
    expect_sound(reproduction_page(found, ""));
  }
}

TEST(ReproductionPage, CurvesThatWereNotRunAreNamed) {
  Reproduction found = sample();
  found.figure2->curves[0].curves[2].y = {kNotThere, kNotThere, kNotThere};
  found.figure2->curves[0].curves[3].y.clear();
  found.figure3->panels[0].bars[1].mean = kNotThere;
  const std::string page = reproduction_page(found, "");
  expect_sound(page);
  EXPECT_TRUE(holds(page, "Not run: PE-PE λ=0.25, PE-PE λ=0.5."));
  EXPECT_TRUE(holds(page, "Not run: PE-GCN λ=0 on California Housing."));
}

TEST(ReproductionPage, LongAndOddNamesAreEscapedAndKept) {
  Reproduction found = sample();
  const std::string name = std::string(200, 'x') + " <b>&\"bold\"</b>";
  found.table1->rows[0].name = found.table1->columns[0] = name;
  found.figure3->panels[0].bars[0].name = found.figure3->panels[0].title = name;
  found.figure2->curves[0].curves[0].name = found.figure2->maps[0].name = name;
  const std::string page = reproduction_page(found, "pegnn <reproduce>");
  expect_sound(page);
  EXPECT_FALSE(holds(page, "\"bold\""));
  EXPECT_TRUE(holds(page, "pegnn &lt;reproduce&gt;"));
}

std::string dumbbells(std::vector<DumbbellRow> rows) {
  const Plot plot = dumbbell_chart(
      {{"chart", "Chart", "A chart."}, "error", "ours", "published", "third", std::move(rows)});
  EXPECT_EQ(markup_fault(plot.svg), "");
  EXPECT_FALSE(holds_no_number(plot.svg));
  return plot.svg;
}

TEST(DumbbellChart, JoinsTwoNumbersAndExplainsOnlyWhatItHolds) {
  const std::string svg = dumbbells(
      {{"a", 0.1, 0.2, kNotThere, "c3", false}, {"b", 0.1, kNotThere, kNotThere, "q0", true}});
  EXPECT_EQ(occurrences(svg, "class=\"join\""), 1);
  EXPECT_EQ(occurrences(svg, "class=\"ring\""), 1 + 1);  // with the legend
  EXPECT_EQ(occurrences(svg, "class=\"hollow\""), 0);
  EXPECT_FALSE(holds(svg, ">third<"));
}

TEST(DumbbellChart, BearsNoRowsAndNumbersWithoutALogarithm) {
  dumbbells({});
  const std::string svg =
      dumbbells({{"zero", 0, -1, kNotThere, "c1", true}, {"far", 1e-300, 1e299, 1, "c1", true}});
  EXPECT_EQ(occurrences(svg, "class=\"join\""), 1);
}

}  // namespace
}  // namespace pegnn
