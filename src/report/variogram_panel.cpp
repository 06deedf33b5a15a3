#include "report/variogram_panel.h"

#include <array>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "base/text.h"
#include "report/axis.h"
#include "report/page.h"
#include "report/plots.h"

namespace pegnn {
namespace {

// Distances in kilometres where metres are known, unless all are short.
struct Unit {
  double size = 1;  // in units of the space
  std::string name;
};

Unit unit_of(const Distances& distances, double reach) {
  const double metres = distances.space == Space::sphere ? 1 : distances.metres_per_unit;
  if (metres > 0) {
    return reach * metres < 5000 ? Unit{1 / metres, "m"} : Unit{1000 / metres, "km"};
  }
  return {1, distances.space == Space::degrees ? "degrees" : "units of the coordinates"};
}

// Thousands are written out, as in the axes.
std::string number_text(double value, int digits) {
  const bool large = std::fabs(value) >= 1000 && std::fabs(value) < 1e9;
  return large ? format_count(std::llround(value)) : display_number(value, digits);
}

std::string distance_text(double distance, const Unit& unit) {
  return fmt::format("{} {}", number_text(distance / unit.size, 3), unit.name);
}

// Where a variogram comes within a twentieth of the variance: pairs farther apart are as good as
// independent. Nothing when it does not, or when it begins there.
std::optional<double> range_of_dependence(const Variogram& variogram) {
  for (std::int64_t i = 0; i < variogram.lags.size(); ++i) {
    if (variogram.lags[i].semivariance < 0.95 * variogram.sill) continue;
    if (i == 0) return std::nullopt;
    return variogram.lags[i].distance;
  }
  return std::nullopt;
}

struct Figure {
  std::string id, heading, description, quantity;
  Distances distances;
  std::vector<NamedVariogram> curves;
};

std::string figure(const Figure& figure, const std::string& caption) {
  const Unit unit = unit_of(figure.distances, figure.curves.front().variogram.reach);
  LineChart chart;
  chart.text = {figure.id, figure.heading, figure.description};
  chart.x_title = fmt::format("distance ({})", unit.name);
  chart.y_title = "semivariance of " + figure.quantity;
  chart.whole_x = false;
  chart.from_zero = true;
  std::vector<Series> levels;
  for (std::size_t c = 0; c < figure.curves.size(); ++c) {
    const Variogram& variogram = figure.curves[c].variogram;
    Series series{figure.curves[c].name, static_cast<int>(c) + 1, {}, {}};
    for (const VariogramBin& lag : variogram.lags) {
      series.x.push_back(lag.distance / unit.size);
      series.y.push_back(lag.semivariance);
    }
    chart.series.push_back(std::move(series));
    if (c > 0 && variogram.sill == figure.curves[c - 1].variogram.sill) continue;
    const bool one = figure.curves.back().variogram.sill == figure.curves.front().variogram.sill;
    levels.push_back({one ? "variance" : "variance of " + figure.curves[c].name,
                      static_cast<int>(c) + 1,
                      {0, variogram.reach / unit.size},
                      {variogram.sill, variogram.sill},
                      true});
  }
  chart.series.insert(chart.series.end(), levels.begin(), levels.end());
  const Plot plot = line_chart(chart);
  return figure_html(figure.heading, plot.svg, caption);
}

// Lags of all curves beside each other: they have the same pairs.
std::string lags_html(const Figure& figure) {
  const Variogram& first = figure.curves.front().variogram;
  const Unit unit = unit_of(figure.distances, first.reach);
  TextTable table;
  table.heading = {fmt::format("distance ({})", unit.name), "pairs"};
  table.numeric = {false, true};
  for (const NamedVariogram& curve : figure.curves) {
    table.heading.push_back(curve.name);
    table.numeric.push_back(true);
  }
  for (std::int64_t i = 0; i < first.lags.size(); ++i) {
    table.rows.push_back({number_text(first.lags[i].distance / unit.size, 3),
                          format_count(static_cast<long long>(first.lags[i].pairs))});
    for (const NamedVariogram& curve : figure.curves) {
      const bool there = i < curve.variogram.lags.size();
      table.rows.back().push_back(there ? number_text(curve.variogram.lags[i].semivariance, 4)
                                        : "–");
    }
  }
  table.rows.push_back({"variance", ""});
  for (const NamedVariogram& curve : figure.curves) {
    table.rows.back().push_back(number_text(curve.variogram.sill, 4));
  }
  return table_html(table);
}

std::string description(double reach, const Unit& unit) {
  return fmt::format(
      "Half the mean squared difference of pairs of rows against their distance, up "
      "to {}.",
      distance_text(reach, unit));
}

std::string pairs_sentence(const Variogram& variogram) {
  return variogram.sampled ? fmt::format(" Of {} pairs of rows, drawn at random.",
                                         format_count(kMostVariogramPairs))
                           : std::string(" Of all pairs of rows.");
}

std::string absent(const char* heading) {
  return absent_html(
      heading, "There is no variogram: it needs rows at two places at least, with finite values.");
}

// How alike near rows are, from what is left of the variance in the first lag.
std::string near_text(const Variogram& variogram) {
  if (!(variogram.sill > 0)) return "no variance at all";
  const double share = variogram.lags.front().semivariance / variogram.sill;
  return fmt::format("{:.0f} % of the variance", 100 * share);
}

}  // namespace

std::string residual_variogram_row_html(const Variogram& observed, const Variogram& residual,
                                        const Distances& distances, const std::string& target) {
  constexpr const char* kHeading = "Variogram of the target and of the residuals";
  if (observed.lags.empty() || residual.lags.empty()) {
    const std::string panel = absent(kHeading);
    return row_html(std::span(&panel, 1));
  }
  const Unit unit = unit_of(distances, observed.reach);
  const std::string near = distance_text(residual.lags.front().distance, unit);
  std::string verdict = fmt::format(
      "At a distance of about {} the semivariance is {} in what was observed, and {} in the "
      "residuals. ",
      near, near_text(observed), near_text(residual));
  const bool left = residual.lags.front().semivariance < 0.9 * residual.sill;
  verdict += left ? "Near residuals differ less than far ones: structure of this size is left that "
                    "the model does not explain, or errors are smaller where rows are dense."
                  : "Residuals of near rows differ about as much as any: at these distances the "
                    "model has used what neighbours share.";
  if (const auto range = range_of_dependence(observed)) {
    verdict += fmt::format(" What was observed depends on its neighbourhood up to about {}.",
                           distance_text(*range, unit));
  }
  const Figure shown{"variogram", kHeading,  description(observed.reach, unit),
                     target,      distances, {{"observed", observed}, {"residual", residual}}};
  const std::string caption =
      "A curve that rises shows that near rows are alike; where it reaches its dotted line, the "
      "variance, rows are independent. A good model leaves residuals whose curve is low and flat." +
      pairs_sentence(observed);
  const std::string body = fmt::format("<p>{}</p>\n", escape_html(verdict)) + lags_html(shown);
  const std::array<std::string, 2> panels = {figure(shown, caption),
                                             panel_html("Semivariance by distance", body)};
  return row_html(panels);
}

VariogramPanel value_variogram_panel(const Variogram& usual, const Variogram& robust,
                                     const Distances& distances, const std::string& value) {
  constexpr const char* kHeading = "Variogram";
  if (usual.lags.empty()) return {absent(kHeading), {}};
  const Unit unit = unit_of(distances, usual.reach);
  std::string verdict =
      fmt::format("At a distance of about {} the semivariance is {}. ",
                  distance_text(usual.lags.front().distance, unit), near_text(usual));
  if (const auto range = range_of_dependence(usual)) {
    verdict += fmt::format("Rows more than about {} apart differ as much as any two.",
                           distance_text(*range, unit));
  } else if (usual.lags.front().semivariance >= 0.95 * usual.sill) {
    verdict += "That is as much as any two: at these distances there is no structure to see.";
  } else {
    verdict += fmt::format(
        "The curve has not levelled off at {}: there is a trend, or structure "
        "larger than what is shown.",
        distance_text(usual.lags.back().distance, unit));
  }
  const Figure shown{"variogram",
                     kHeading,
                     description(usual.reach, unit),
                     value,
                     distances,
                     {{"all pairs (Matheron)", usual}, {"robust (Cressie–Hawkins)", robust}}};
  const std::string caption =
      " A curve that rises shows that near rows are alike; the dotted line is the variance, where "
      "rows are independent. Far below the other, the robust curve tells of a few extreme values." +
      pairs_sentence(usual);
  return {figure(shown, verdict + caption), lags_html(shown)};
}

}  // namespace pegnn
