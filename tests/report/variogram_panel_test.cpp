#include "report/variogram_panel.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "support/markup.h"

namespace pegnn {
namespace {

using testing_report::holds_no_number;
using testing_report::markup_fault;
using testing_report::occurrences;
using testing_report::pictures;

Variogram rising(double first, double sill, bool sampled = false) {
  Variogram made;
  made.sill = sill;
  made.reach = 300'000;
  made.sampled = sampled;
  for (int i = 0; i < 15; ++i) {
    made.lags.push_back(
        {10'000.0 + 20'000 * i, first + (sill - first) * std::min(1.0, i / 8.0), 100.0 + i});
  }
  return made;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(VariogramPanel, ShowsTargetAndResidualsWithTheirVariances) {
  const std::string html =
      residual_variogram_row_html(rising(1, 10), rising(2, 2), {Space::sphere, 1}, "price");
  EXPECT_EQ(markup_fault(html), "");
  EXPECT_FALSE(holds_no_number(pictures(html)));
  EXPECT_EQ(occurrences(html, "<svg"), 1);
  EXPECT_EQ(occurrences(html, "class=\"series c"), 8) << "two curves, two levels, and their legend";
  for (const char* part :
       {"distance (km)", "semivariance of price", "variance of observed", "variance of residual",
        "10 % of the variance in what was observed", "100 % of the variance in the residuals",
        "the model has used what neighbours share", "Of all pairs of rows."}) {
    EXPECT_TRUE(has(html, part)) << part;
  }
}

TEST(VariogramPanel, TellsOfStructureThatIsLeft) {
  const std::string html =
      residual_variogram_row_html(rising(1, 10), rising(1, 2, true), {Space::sphere, 1}, "price");
  EXPECT_TRUE(has(html, "Near residuals differ less than far ones"));
  EXPECT_TRUE(has(html, "depends on its neighbourhood up to about 170 km"));
  EXPECT_TRUE(has(residual_variogram_row_html(rising(1, 10, true), rising(1, 2, true),
                                              {Space::sphere, 1}, "price"),
                  "Of 4,000,000 pairs of rows, drawn at random."));
}

TEST(VariogramPanel, ComparesTheUsualWithTheRobustForm) {
  const auto of = [](const Variogram& usual, const Variogram& robust) {
    return value_variogram_panel(usual, robust, {Space::plane, 0}, "price");
  };
  const VariogramPanel panel = of(rising(1, 10), rising(0.5, 10));
  const std::string& html = panel.figure_html;
  EXPECT_EQ(markup_fault(html), "");
  EXPECT_EQ(markup_fault(panel.numbers_html), "");
  EXPECT_EQ(occurrences(panel.numbers_html, "<tr"), 17) << "heading, 15 lags, variance";
  EXPECT_EQ(occurrences(html, "class=\"series c"), 6) << "two curves, one level, and their legend";
  EXPECT_TRUE(has(html, "robust (Cressie–Hawkins)"));
  EXPECT_TRUE(has(html, "170,000 units of the coordinates apart differ as much as any two"));
  EXPECT_TRUE(has(of(rising(10, 10), rising(10, 10)).figure_html, "no structure to see"));
  Variogram trend = rising(1, 10);
  trend.sill = 30;
  EXPECT_TRUE(has(of(trend, trend).figure_html, "The curve has not levelled off"));
}

TEST(VariogramPanel, SaysWhyThereIsNone) {
  for (const std::string& html :
       {residual_variogram_row_html({}, {}, {Space::sphere, 1}, "price"),
        value_variogram_panel({}, {}, {Space::sphere, 1}, "price").figure_html}) {
    EXPECT_TRUE(has(html, "There is no variogram"));
    EXPECT_EQ(occurrences(html, "<svg"), 0);
  }
}

TEST(VariogramPanel, OfAConstantHasNoNumbersThatAreNone) {
  const std::string html =
      residual_variogram_row_html(rising(0, 0), rising(0, 0), {Space::sphere, 1}, "price");
  EXPECT_FALSE(holds_no_number(pictures(html)));
  EXPECT_TRUE(has(html, "no variance at all"));
}

}  // namespace
}  // namespace pegnn
