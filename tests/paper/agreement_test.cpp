#include "paper/report/agreement.h"

#include <limits>

#include <gtest/gtest.h>

#include "paper/report/paper_rows.h"

namespace pegnn {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Agreement, IsNearUpToFifteenPerCentOnBothSides) {
  EXPECT_EQ(agreement(0.0115, 0.01), Agreement::near);
  EXPECT_EQ(agreement(0.0085, 0.01), Agreement::near);
  EXPECT_EQ(agreement(0.0116, 0.01), Agreement::above);
  EXPECT_EQ(agreement(0.0084, 0.01), Agreement::below);
}

TEST(Agreement, IsUnknownWithoutTwoPositiveNumbers) {
  for (const double bad : {kNotThere, kInf, 0.0, -0.1}) {
    EXPECT_EQ(agreement(bad, 0.01), Agreement::unknown);
    EXPECT_EQ(agreement(0.01, bad), Agreement::unknown);
    EXPECT_EQ(difference_text(bad, 0.01), "");
  }
}

TEST(Agreement, DifferencesAreSignedPerCentAndFarOnesAreTimes) {
  EXPECT_EQ(difference_text(0.0157, 0.0155), "+1\u202f%");
  EXPECT_EQ(difference_text(0.0097, 0.0157), "−38\u202f%");
  EXPECT_EQ(difference_text(0.02, 0.02), "0\u202f%");
  EXPECT_EQ(difference_text(0.24, 0.02), "×12");
  EXPECT_EQ(difference_text(0.01152, 0.01), "+15.2\u202f%");  // not near, and not 15 either
}

TEST(Agreement, ErrorsHaveFourDecimalsAndTwoDigits) {
  EXPECT_EQ(error_text(0.0157), "0.0157");
  EXPECT_EQ(error_text(0.004), "0.0040");
  EXPECT_EQ(error_text(0.00068), "0.00068");
  EXPECT_EQ(error_text(0), "0.0000");
  EXPECT_EQ(error_text(123.45), "123");
  EXPECT_EQ(error_text(kNotThere), "–");
  EXPECT_EQ(error_text(kInf), "–");
  EXPECT_EQ(spread_text(0.00068), "0.0007");
  EXPECT_EQ(spread_text(0.00004), "0.00004");
}

TableCell cell(double published, double ours, double independent = kNotThere) {
  TableCell made;
  made.published = {published, 2 * published};
  made.ours = {ours, 2 * published};
  made.independent.mse = independent;
  return made;
}

TEST(Agreement, TalliesTheRowsOfThePaperAlone) {
  PaperTable table;
  table.columns = {"A", "B"};
  table.rows = {{"GCN", "gcn", true, true, {cell(0.1, 0.1), cell(0.1, 0.2, 0.21)}},
                {"PE-GCN", "pe-gcn", false, true, {cell(0.1, 0.05, 0.1)}},  // a cell too few
                {"kriging", "kriging", true, false, {cell(0.1, 0.1), cell(0.1, 0.1)}}};
  TableTally tally;
  tally.add(table);
  EXPECT_EQ(tally.mse.near, 1);
  EXPECT_EQ(tally.mse.above, 1);
  EXPECT_EQ(tally.mse.below, 1);
  EXPECT_EQ(tally.mae.near, 3);
  EXPECT_EQ(tally.pe_mse.all(), 1);
  EXPECT_EQ(tally.pe_mae.near, 1);
  EXPECT_EQ(tally.shared, 1);  // 0.21 sides with 0.2; 0.1 does not side with 0.05
}

TEST(Agreement, AnIndependentRunBetweenTheTwoSidesWithNeither) {
  const auto side = [](double published, double ours, double independent) {
    TableCell one;
    one.published.mse = published;
    one.ours.mse = ours;
    one.independent.mse = independent;
    return shared_with_independent(one);
  };
  EXPECT_TRUE(side(0.01, 0.02, 0.021));
  EXPECT_FALSE(side(0.01, 0.012, 0.011));
  EXPECT_FALSE(side(0.01, 0.02, 0.01));
  EXPECT_FALSE(side(0.01, 0.0101, 0.01));
}

TEST(Agreement, WhatCannotBeComparedIsNotCounted) {
  PaperTable table;
  table.columns = {"A"};
  table.rows = {{"GCN", "gcn", true, true, {cell(0.1, 0.1)}}};
  table.rows[0].cells[0].comparable = false;
  TableTally tally;
  tally.add(table);
  EXPECT_EQ(tally.mse.all(), 0);
  EXPECT_EQ(tally.mse.missing, 0);
}

TEST(PaperRows, AreGroupedByLinesAndByWhatIsInThePaper) {
  PaperTable table;
  EXPECT_TRUE(groups_of(table).empty());
  table.rows = {{"GCN", "gcn", false, true, {}},
                {"PE-GCN", "pe-gcn", false, true, {}},
                {"GAT", "gat", true, true, {}},
                {"kriging", "kriging", false, false, {}}};
  const std::vector<RowGroup> groups = groups_of(table);
  ASSERT_EQ(groups.size(), 3);
  EXPECT_EQ(groups[0].end, 2);
  EXPECT_EQ(groups[1].begin, 2);
  EXPECT_EQ(groups[2].begin, 3);
}

}  // namespace
}  // namespace pegnn
