#include "report/moran_panel.h"

#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/core.h>

#include "base/text.h"
#include "report/page.h"
#include "report/plots.h"

namespace pegnn {

namespace {

constexpr const char* kHeading = "Moran scatter of the residuals";

// Three digits are what 999 permutations can tell.
std::string p_text(double p) {
  if (std::isnan(p)) return "–";
  return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p);
}

std::string verdict(const Moran& moran) {
  const std::string figures =
      std::isnan(moran.p_sim) ? fmt::format("I = {}", display_number(moran.I, 3))
                              : fmt::format("I = {}, p {}{}", display_number(moran.I, 3),
                                            moran.p_sim < 0.001 ? "" : "= ", p_text(moran.p_sim));
  if (std::isnan(moran.p_sim)) {
    return fmt::format(
        "Moran's I of the residuals is {}; without permutations there is no p-value to "
        "judge it by.",
        display_number(moran.I, 3));
  }
  if (moran.p_sim > 0.05) {
    return fmt::format(
        "The residuals show no spatial pattern beyond chance ({}): what the places could "
        "explain, the model has used.",
        figures);
  }
  if (moran.I < moran.EI) {
    return fmt::format(
        "Residuals of neighbours differ more than by chance ({}): the model may smooth "
        "over, or change more finely than the data.",
        figures);
  }
  // Below a tenth the slope is hardly visible, however certain many rows make it.
  const char* strength = moran.I < 0.1 ? "slightly " : "";
  return fmt::format(
      "Residuals of neighbours are {}alike ({}): some spatial structure is left that "
      "the model does not explain.",
      strength, figures);
}

std::string numbers_html(const Moran& moran) {
  TextTable table;
  table.numeric = {false, true};
  table.rows = {{"Moran's I", display_number(moran.I, 4)},
                {"Expected by chance", display_number(moran.EI, 3)},
                {"z against permutations", display_number(moran.z_sim, 3)},
                {"p-value, one-sided", p_text(moran.p_sim)}};
  return table_html(table);
}

std::string quadrants_html(const Moran& moran) {
  std::array<std::int64_t, 5> rows{}, significant{};
  for (std::size_t i = 0; i < moran.q.size(); ++i) {
    const auto q = static_cast<std::size_t>(moran.q[i] >= 1 && moran.q[i] <= 4 ? moran.q[i] : 0);
    ++rows[q];
    if (i < moran.p.size() && moran.p[i] <= 0.05) ++significant[q];
  }
  struct Quadrant {
    const char *letters, *meaning;
  };
  constexpr std::array<Quadrant, 4> kQuadrants = {
      Quadrant{"HH", "high among high: predicted too low over an area"},
      Quadrant{"LH", "low among high: an outlier"},
      Quadrant{"LL", "low among low: predicted too high over an area"},
      Quadrant{"HL", "high among low: an outlier"}};
  TextTable table;
  table.heading = {"", "residual among its neighbours", "rows"};
  table.numeric = {false, false, true};
  if (!moran.p.empty()) {
    table.heading.emplace_back("p ≤ 0.05");
    table.numeric.push_back(true);
  }
  for (std::size_t q = 1; q <= kQuadrants.size(); ++q) {
    table.rows.push_back(
        {kQuadrants[q - 1].letters, kQuadrants[q - 1].meaning, format_count(rows[q])});
    if (!moran.p.empty()) table.rows.back().push_back(format_count(significant[q]));
  }
  return table_html(table);
}

}  // namespace

std::string moran_row_html(const Moran& moran) {
  const char* missing = nullptr;
  if (moran.z.empty() || moran.lag.size() != moran.z.size()) {
    missing =
        "There is no Moran scatter: Moran's I of the residuals was not computed, as it is not for "
        "rows without neighbours.";
  } else if (!plottable(moran.I)) {
    missing =
        "There is no Moran scatter: the residuals are all equal, so Moran's I is not defined.";
  }
  if (missing != nullptr) {
    const std::string absent = absent_html(kHeading, missing);
    return row_html(std::span(&absent, 1));
  }
  const Plot plot = moran_scatter(
      {"moran", kHeading,
       fmt::format(
           "Standardised residuals against the mean of their neighbours; the slope, Moran's I, "
           "is {}.",
           display_number(moran.I, 3))},
      "residual", moran);
  const std::string caption =
      "The flatter the line, the less spatial structure the model has left unexplained. " +
      plot.note;
  std::string body = fmt::format("<p>{}</p>\n", escape_html(verdict(moran))) + numbers_html(moran);
  if (!moran.q.empty()) body += quadrants_html(moran);
  const std::array<std::string, 2> panels = {
      figure_html(kHeading, plot.svg, caption),
      panel_html("Spatial structure of the residuals", body)};
  return row_html(panels);
}

}  // namespace pegnn
