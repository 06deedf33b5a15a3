#include "paper/experiments.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "support/paper.h"

namespace pegnn {
namespace {

// Results made up from what is asked for, so that it can be seen where each one ends up.
class MadeUp {
 public:
  explicit MadeUp(const PaperSets& sets) : sets_(sets) {}

  static double mse_of(const RunSpec& spec) {
    return 0.01 + spec.options.lambda / 100 + static_cast<double>(spec.options.seed) / 1000 +
           static_cast<double>(spec.options.k) / 1e4 +
           static_cast<double>(spec.options.batch) / 1e7;
  }

  const RunResult* operator()(const RunSpec& spec) {
    const PaperRows& rows = sets_.find(spec.dataset)->second;
    const std::string key = key_of(spec, rows);
    if (results_.contains(key)) return &results_[key];
    RunResult& r = results_[key];
    r.errors = {mse_of(spec), 2 * mse_of(spec)};
    r.seconds = 5;
    for (std::int64_t step = 10; step <= 30; step += 10) {
      const auto s = static_cast<double>(step);
      r.curve.push_back({.step = step,
                         .steps = 30,
                         .loss = 3 / s,
                         .main = 1 / s,
                         .auxiliary = 2 / s,
                         .watched = mse_of(spec) + 1 / s,
                         .sigma_main = 10 / s,
                         .sigma_auxiliary = 20 / s,
                         .seconds = s * spec.timed_threads,
                         .measured = true});
    }
    if (spec.keeps_predictions) r.predicted.assign(rows.test_rows.size(), mse_of(spec));
    return &r;
  }

  std::size_t runs() const { return results_.size(); }

 private:
  const PaperSets& sets_;
  std::map<std::string, RunResult> results_;
};

class Experiments : public testing::Test {
 protected:
  Reproduction all(const std::vector<std::string>& names) {
    return assemble(names, sets_, effort_, [&](const RunSpec& spec) { return made_up_(spec); });
  }

  PaperSets sets_ = test::small_sets();
  Effort effort_{.threads = 2};
  MadeUp made_up_{sets_};
};

TEST_F(Experiments, TablesHoldThePapersRowsThenOurs) {
  const Reproduction found = all({"table1", "table2"});
  for (const Task task : {Task::interpolation, Task::regression}) {
    const PaperTable& table = task == Task::interpolation ? *found.table1 : *found.table2;
    const auto published = published_rows(task);
    ASSERT_EQ(published.size() + further_rows().size(), table.rows.size());
    ASSERT_EQ(paper_datasets(task).size(), table.columns.size());
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const TableRow& row = table.rows[r];
      ASSERT_EQ(table.columns.size(), row.cells.size());
      EXPECT_EQ(r < published.size(), row.in_paper);
      if (!row.in_paper) {
        EXPECT_EQ(further_rows()[r - published.size()].name, row.name);
        EXPECT_EQ(r == published.size(), row.line_above);
        EXPECT_TRUE(std::isnan(row.cells[0].published.mse));
        continue;
      }
      EXPECT_EQ(published[r].name, row.name);
      EXPECT_EQ(published[r].line_above, row.line_above);
      for (std::size_t d = 0; d < row.cells.size(); ++d) {
        const TableCell& cell = row.cells[d];
        if (std::isfinite(published[r].errors[d].mse)) {
          EXPECT_EQ(published[r].errors[d].mse, cell.published.mse);
        }
        EXPECT_EQ(1, cell.seeds);
        EXPECT_EQ(2 * cell.ours.mse, cell.ours.mae);
        EXPECT_TRUE(std::isnan(cell.spread.mse));
      }
    }
  }
  EXPECT_EQ("California Housing", found.table1->columns.front());
  EXPECT_EQ("120 of 434,874 rows", found.table1->notes.back());
  EXPECT_EQ("", found.table1->notes.front());
  EXPECT_EQ(0.01456, found.table1->rows[12].cells[0].independent.mse);
}

TEST_F(Experiments, SeveralSeedsBecomeMeanAndSpread) {
  effort_.seeds = 3;
  const PaperTable table = *all({"table1"}).table1;
  const TableCell& cell = table.rows[1].cells[0];
  EXPECT_EQ(3, cell.seeds);
  EXPECT_NEAR(0.01 + 0.001 + 2048e-7, cell.ours.mse, 1e-12);
  EXPECT_NEAR(0.001, cell.spread.mse, 1e-9);
}

TEST_F(Experiments, ModelsThatKnowNoSeedHaveNoSpread) {
  effort_.seeds = 3;
  RunResult same;
  same.errors = {0.1, 0.3};
  const Reproduction found = assemble(std::vector<std::string>{"table2"}, sets_, effort_,
                                      [&](const RunSpec&) { return &same; });
  EXPECT_EQ(0.1, found.table2->rows[0].cells[0].ours.mse);
  EXPECT_EQ(0, found.table2->rows[0].cells[0].spread.mse);
}

TEST_F(Experiments, WhatFailedHasItsReasonUnlessAnotherSeedDid) {
  effort_.seeds = 2;
  RunResult good, bad;
  good.errors = {0.1, 0.3};
  bad.reason = "diverged";
  const auto table = [&](bool all_fail) {
    return *assemble(std::vector<std::string>{"table2"}, sets_, effort_, [&](const RunSpec& spec) {
              return all_fail || spec.options.seed == 0 ? &bad : &good;
            }).table2;
  };
  EXPECT_EQ("diverged", table(true).rows[0].cells[0].reason);
  EXPECT_EQ(0, table(true).rows[0].cells[0].seeds);
  EXPECT_EQ("", table(false).rows[0].cells[0].reason);
  EXPECT_EQ(1, table(false).rows[0].cells[0].seeds);
  const Reproduction found = assemble(std::vector<std::string>{"figure2", "figure3"}, sets_,
                                      effort_, [&](const RunSpec&) { return &bad; });
  ASSERT_EQ(5U, found.figure2->curves[0].curves.size());
  EXPECT_TRUE(found.figure2->curves[0].curves[0].y.empty());
  EXPECT_EQ(0, found.figure3->panels[0].bars[0].runs);
}

TEST_F(Experiments, OfAPartOfTheRowsNothingIsSaidAboutThePublishedNumbers) {
  const PaperTable table = *all({"table1"}).table1;
  EXPECT_TRUE(table.rows[0].cells[0].comparable);
  EXPECT_FALSE(table.rows[0].cells[3].comparable);
}

TEST_F(Experiments, APartAndOtherValuesAreRemarkedOn) {
  for (auto& [name, rows] : sets_) rows.data.verified = name != "election";
  sets_.at("election").data.file = "counties.csv";
  const std::vector<std::string> remarks = all({"figure5"}).remarks;
  ASSERT_EQ(2U, remarks.size());
  EXPECT_NE(std::string::npos, remarks[0].find("Of 3D Road there were 120 of 434,874 rows"));
  EXPECT_NE(std::string::npos, remarks[1].find("Election in counties.csv"));
}

TEST_F(Experiments, AnExactProcessOfTooManyRowsIsNotAskedFor) {
  sets_["3d-road"] = test::small_set("3d-road", 80'000);
  const PaperTable table = *all({"table1"}).table1;
  EXPECT_EQ("Exact GP", table.rows[21].name);
  EXPECT_EQ("its matrix would take 33 GB", table.rows[21].cells[3].reason);
  EXPECT_TRUE(std::isfinite(table.rows[21].cells[2].ours.mse));
}

TEST_F(Experiments, FigureTwoHasTruthTwoModelsAndSixPanels) {
  const Figure2 figure = *all({"figure2"}).figure2;
  const PaperRows& rows = sets_.at("california-housing");
  EXPECT_EQ(rows.test_rows.size(), figure.points.size());
  ASSERT_EQ(3U, figure.maps.size());
  EXPECT_EQ("truth", figure.maps[0].name);
  EXPECT_EQ("GraphSAGE", figure.maps[1].name);
  EXPECT_EQ("PE-GraphSAGE λ=0.25", figure.maps[2].name);
  for (const NamedValues& map : figure.maps) EXPECT_EQ(figure.points.size(), map.values.size());
  const auto first = static_cast<std::size_t>(rows.test_rows[0]);
  EXPECT_EQ(rows.data.table.find("MedHouseVal")->values[first], figure.maps[0].values[0]);
  EXPECT_EQ(rows.data.table.find("Latitude")->values[first], figure.points[0].y);
  ASSERT_EQ(6U, figure.curves.size());
  EXPECT_EQ("GCN, interpolation", figure.curves[0].title);
  EXPECT_EQ("GraphSAGE, regression", figure.curves[5].title);
  for (const CurvePanel& panel : figure.curves) {
    ASSERT_EQ(5U, panel.curves.size());
    EXPECT_EQ((std::vector<double>{10, 20, 30}), panel.curves[0].x);
    EXPECT_GT(panel.curves[0].y[0], panel.curves[0].y[2]);
  }
}

TEST_F(Experiments, FigureThreeHasFifteenBarsOfTenRunsOnTwoDataSets) {
  const Figure3 figure = *all({"figure3"}).figure3;
  EXPECT_EQ(300U, made_up_.runs());
  ASSERT_EQ(2U, figure.panels.size());
  EXPECT_EQ("120 of 434,874 rows", figure.panels[1].note);
  for (const BarPanel& panel : figure.panels) {
    ASSERT_EQ(15U, panel.bars.size());
    for (const Bar& bar : panel.bars) {
      EXPECT_EQ(10, bar.runs);
      // Seeds 0 to 9, a thousandth apart.
      EXPECT_NEAR(std::sqrt(55.0 / 6) / 1000, bar.deviation, 1e-9);
    }
    EXPECT_EQ("GCN", panel.bars[4].group);
    EXPECT_EQ("GAT", panel.bars[5].group);
  }
  EXPECT_EQ(0.0097, figure.panels[0].bars[12].published);
  EXPECT_EQ(0.0059, figure.panels[1].bars[12].published);
}

TEST_F(Experiments, FigureFourIsAGridOfNeighboursAndBatches) {
  const Figure4 figure = *all({"figure4"}).figure4;
  ASSERT_EQ(2U, figure.panels.size());
  for (const SensitivityPanel& panel : figure.panels) {
    ASSERT_EQ(panel.k.size(), panel.mse.size());
    for (const std::vector<double>& line : panel.mse) ASSERT_EQ(panel.batch.size(), line.size());
    // What was made up grows with both, but for the 5 neighbours that the model takes by itself.
    EXPECT_LT(panel.mse[2][0], panel.mse[3][0]);
    EXPECT_LT(panel.mse[0][0], panel.mse[0][3]);
  }
}

TEST_F(Experiments, FigureFiveFollowsLossesAndDeviations) {
  const Figure5 figure = *all({"figure5"}).figure5;
  EXPECT_EQ((std::vector<double>{10, 20, 30}), figure.step);
  EXPECT_EQ(0.1, figure.main_loss[0]);
  EXPECT_EQ(0.2, figure.auxiliary_loss[0]);
  EXPECT_EQ(0.5, figure.sigma_main[1]);
  EXPECT_EQ(1.0, figure.sigma_auxiliary[1]);
  EXPECT_TRUE(std::isfinite(figure.test_mse));
}

TEST_F(Experiments, StepTimesAreThoseOfOneAndOfAllThreads) {
  const std::vector<StepTime> times = all({"speed"}).step_times;
  ASSERT_EQ(6U, times.size());
  EXPECT_EQ(0.23, times[0].published);
  EXPECT_EQ(1, times[0].one_thread);
  EXPECT_EQ(2, times[0].all_threads);
  EXPECT_TRUE(times[0].note.empty());
  EXPECT_FALSE(times[5].note.empty());
}

TEST_F(Experiments, WhatWasNotTrainedIsLeftOpen) {
  std::set<std::string> asked;
  const std::vector<std::string> names(experiment_names().begin(), experiment_names().end());
  const Reproduction found = assemble(names, sets_, effort_, [&](const RunSpec& spec) {
    asked.insert(key_of(spec, sets_.at(spec.dataset)));
    return nullptr;
  });
  EXPECT_EQ("not trained yet", found.table1->rows[0].cells[0].reason);
  EXPECT_TRUE(std::isnan(found.table1->rows[0].cells[0].ours.mse));
  EXPECT_FALSE(found.figure3);
  EXPECT_FALSE(found.figure4);
  EXPECT_FALSE(found.figure5);
  EXPECT_TRUE(found.figure2->curves.empty());
  // The same runs are asked for as when they are there.
  (void)all(names);
  EXPECT_EQ(asked.size(), made_up_.runs());
}

TEST_F(Experiments, ADataSetThatIsNotThereHasNoColumn) {
  sets_.erase("3d-road");
  sets_.erase("california-housing");
  const Reproduction found = all({"table1", "figure2", "figure3", "figure4", "speed"});
  EXPECT_EQ((std::vector<std::string>{"Election", "Air Temperature"}), found.table1->columns);
  EXPECT_EQ(0.0034, found.table1->rows[0].cells[0].published.mse);
  EXPECT_EQ(0.0225, found.table1->rows[0].cells[1].published.mse);
  EXPECT_FALSE(found.figure2);
  EXPECT_FALSE(found.figure3);
  EXPECT_FALSE(found.figure4);
  EXPECT_TRUE(found.step_times.empty());
}

TEST_F(Experiments, EachNamesTheDataSetsItNeeds) {
  EXPECT_EQ(4U, datasets_of("table1").size());
  EXPECT_EQ(3U, datasets_of("table2").size());
  EXPECT_EQ((std::vector<std::string_view>{"california-housing", "3d-road"}),
            datasets_of("figure3"));
  EXPECT_EQ((std::vector<std::string_view>{"air-temperature"}), datasets_of("figure5"));
}

}  // namespace
}  // namespace pegnn
