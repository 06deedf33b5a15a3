#include "report/league_page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "base/text.h"
#include "geo/length.h"
#include "pegnn/version.h"
#include "report/bar_chart.h"
#include "report/page.h"
#include "table/roles.h"

namespace pegnn {
namespace {

// Residual maps of as many models; more would not be looked at.
constexpr std::size_t kMaps = 4;

std::string figure(double value, int digits = 4) {
  return std::isfinite(value) ? display_number(value, digits) : "–";
}

// As many decimals whatever the size, with a true minus sign.
std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "–";
  const std::string size = fmt::format("{:.{}f}", std::fabs(value), decimals);
  const bool zero = size.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !zero ? "−" : "") + size;
}

std::string lead_text(const LeagueRow& row) {
  if (row.verdict == Verdict::best) return "–";
  // Beyond ten times as much, how many times says more than per cent.
  return row.lead < 9 ? fmt::format("+{} %", figure(100 * row.lead, 3))
                      : fmt::format("×{}", figure(row.lead + 1, 2));
}

std::string p_text(double p) {
  if (!std::isfinite(p)) return "–";
  return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p);
}

// Best, tied and worse are told apart by the verdict's word too, not by colour alone.
const char* colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::best:
      return "c3";
    case Verdict::tied:
      return "c1";
    default:
      return "q0";
  }
}

std::vector<const LeagueRow*> trained_rows(const Comparison& comparison) {
  std::vector<const LeagueRow*> rows;
  for (const LeagueRow& row : comparison.rows) {
    if (row.verdict != Verdict::not_trained) rows.push_back(&row);
  }
  return rows;
}

// "5-fold cross-validation, 3 repeats"
std::string scheme_text(const Comparison& c) {
  const SchemeInfo& scheme = c.scheme;
  const auto length = [&](double units) { return length_text(units, scheme.metres_per_unit); };
  std::string text = scheme.scheme == "test-rows" ? "given test rows"
                     : scheme.scheme == "block"   ? "spatial blocks of " + length(scheme.block_size)
                     : scheme.scheme == "knndm"   ? "matched distances (kNNDM)"
                     : scheme.scheme == "fold-column" ? "rows by " + scheme.fold_column
                                                      : "random rows";
  if (scheme.buffer > 0) text += fmt::format(", buffer of {}", length(scheme.buffer));
  if (c.folds > 1) text += fmt::format(", {} folds", c.folds);
  if (c.repeats > 1) {
    const bool splits = c.folds == 1 && scheme.redrawn;
    text += fmt::format(", {} {}", c.repeats, splits ? "splits" : "repeats");
  }
  return text;
}

std::vector<ReportFact> cards(const Comparison& c, const std::vector<const LeagueRow*>& rows) {
  if (rows.empty()) return {};
  const Evaluation& best = rows.front()->evaluation;
  const auto tied = std::count_if(
      rows.begin(), rows.end(), [](const LeagueRow* row) { return row->verdict == Verdict::tied; });
  return {{"best model", best.model,
           tied == 0 ? (rows.size() > 1 ? "ahead of all others" : "alone")
                     : fmt::format("tied with {} other{}", tied, tied == 1 ? "" : "s")},
          {"its RMSE", figure(best.mean["rmse"]), "in units of the target"},
          {"its R²", std::isfinite(best.mean["r2"]) ? fixed(best.mean["r2"], 3) : "undefined", ""},
          {"models", format_count(static_cast<long long>(rows.size())), "trained and scored"},
          {"held-out rows", format_count(best.mean.rows), scheme_text(c)},
          {"training rows", format_count(best.folds.front().train_rows), "in the first fold"}};
}

std::vector<std::string> remarks(const Comparison& c) {
  std::vector<std::string> sentences;
  for (std::string warning : c.warnings) {
    if (!warning.empty() && warning[0] >= 'a' && warning[0] <= 'z') {
      warning[0] = static_cast<char>(warning[0] - 'a' + 'A');
    }
    sentences.push_back(warning + ".");
  }
  for (const LeagueRow& row : c.rows) {
    if (row.verdict == Verdict::not_trained) {
      sentences.push_back(fmt::format("{} was not trained: {}", row.evaluation.model, row.reason));
    }
  }
  if (c.interrupted) sentences.emplace_back("The league was interrupted: some models are missing.");
  return sentences;
}

std::string error_panel(const Comparison& c, const std::vector<const LeagueRow*>& rows,
                        const std::string& target) {
  BarChart chart;
  chart.text = {"bars-error", "Errors",
                "Root mean squared error of every model on rows it has not seen, from the best "
                "down."};
  chart.x_title = "RMSE of " + target;
  for (const LeagueRow* row : rows) {
    const Evaluation& e = row->evaluation;
    chart.bars.push_back({e.model, e.mean["rmse"], e.folds.size() > 1 ? e.sd["rmse"] : std::nan(""),
                          colour_of(row->verdict), figure(e.mean["rmse"])});
  }
  const Plot plot = bar_chart(chart);
  std::string caption =
      "Green is the best, blue is tied with it, grey is worse by more than chance.";
  if (c.folds * c.repeats > 1) {
    caption += fmt::format(
        " Whiskers: one standard deviation of {}.",
        c.folds == 1 ? (c.scheme.redrawn ? "the splits and training seeds" : "the training seeds")
        : c.repeats > 1 ? "the folds of all repeats"
                        : "the folds");
  }
  return figure_html("Errors", plot.svg, plot.note.empty() ? caption : caption + " " + plot.note);
}

std::string moran_panel(const std::vector<const LeagueRow*>& rows) {
  BarChart chart;
  chart.text = {"bars-moran", "Structure left in the residuals",
                "Moran's I of the residuals of every model among five neighbours."};
  chart.x_title = "Moran's I of the residuals";
  for (const LeagueRow* row : rows) {
    const double moran = row->evaluation.residual_moran;
    chart.bars.push_back(
        {row->evaluation.model, moran, std::nan(""), colour_of(row->verdict), fixed(moran, 2)});
  }
  return figure_html("Structure left in the residuals", bar_chart(chart).svg,
                     "Near zero, a model has used what neighbours tell; the longer the bar, the "
                     "more alike the errors of neighbours are.");
}

std::string table_panel(const std::vector<const LeagueRow*>& rows) {
  TextTable table;
  table.heading = {"model",     "RMSE",    "± sd",      "MAE",  "R²", "MSE, min–max",
                   "Moran's I", "train s", "predict s", "lead", "p",  "verdict"};
  table.numeric = {false, true, true, true, true, true, true, true, true, true, true, false};
  for (const LeagueRow* row : rows) {
    const Evaluation& e = row->evaluation;
    table.rows.push_back({e.model, figure(e.mean["rmse"]),
                          e.folds.size() > 1 ? figure(e.sd["rmse"], 2) : "–", figure(e.mean["mae"]),
                          fixed(e.mean["r2"], 3), figure(e.mean["mse_minmax"]),
                          fixed(e.residual_moran, 2), fmt::format("{:.2f}", e.train_seconds()),
                          fmt::format("{:.2f}", e.predict_seconds()), lead_text(*row),
                          p_text(row->p_holm), name_of(row->verdict)});
  }
  const char* kCaption =
      "<figcaption>Lead: how much larger the mean squared error is than the best one. p: the "
      "chance "
      "of such a lead among equally good models, from random signs of the differences in whole "
      "spatial blocks, corrected for the number of models (Holm). Worse: p &lt; 0.05. Seconds are "
      "those of one fold.</figcaption>\n";
  return panel_html("League", "<div class=\"wide\">\n" + table_html(table) + "</div>\n" + kCaption);
}

// Residuals of one model at the places of the rows it was scored on.
struct Residuals {
  const LeagueRow* row;
  std::vector<double> values, drawn;
};

std::string maps_html(const Comparison& c, const std::vector<const LeagueRow*>& rows,
                      const Roles& roles) {
  std::vector<Point> points;
  std::vector<std::size_t> held;
  for (std::size_t i = 0; i < c.points.size() && !rows.empty(); ++i) {
    const auto at = static_cast<std::size_t>(c.table_rows[i]);
    if (std::isnan(rows.front()->evaluation.predicted[at])) continue;
    held.push_back(i);
    points.push_back(c.points[i]);
  }
  if (points.empty()) return {};
  const MapFrame frame(points, c.space, x_name(roles), y_name(roles));
  std::vector<Residuals> maps;
  std::vector<double> all;
  for (std::size_t m = 0; m < std::min(kMaps, rows.size()); ++m) {
    Residuals one{rows[m], {}, {}};
    for (const std::size_t i : held) {
      const auto at = static_cast<std::size_t>(c.table_rows[i]);
      one.values.push_back(c.observed[i] - rows[m]->evaluation.predicted[at]);
    }
    one.drawn = drawn_values(points, one.values, frame);
    all.insert(all.end(), one.drawn.begin(), one.drawn.end());
    maps.push_back(std::move(one));
  }
  const Range colours = residual_colours(all);
  std::string html;
  std::vector<std::string> pair;
  for (std::size_t m = 0; m < maps.size(); ++m) {
    const std::string& name = maps[m].row->evaluation.model;
    const Range range = range_of(maps[m].drawn).value_or(colours);
    const Plot plot =
        point_map({{fmt::format("map-{}", m), "Residuals of " + name,
                    fmt::format("Map of {} places coloured by residual, from {} to {}.",
                                format_count(static_cast<long long>(points.size())),
                                display_number(range.lo), display_number(range.hi))},
                   "observed − predicted " + roles.target,
                   points,
                   maps[m].values,
                   ColourMap::diverging,
                   colours,
                   range.lo<colours.lo, range.hi> colours.hi},
                  frame);
    std::string caption =
        m == 0 ? "Red: predicted too little; blue: too much. All maps share their colours, which "
                 "span 98 % of what is shown. Patches of one colour are structure left over."
               : fmt::format("Moran's I of these residuals: {}.",
                             fixed(maps[m].row->evaluation.residual_moran, 2));
    if (!plot.note.empty()) caption += " " + plot.note;
    pair.push_back(figure_html("Residuals of " + name, plot.svg, caption));
    if (pair.size() < 2 && m + 1 < maps.size()) continue;
    html += row_html(pair);
    pair.clear();
  }
  return html;
}

}  // namespace

std::string league_page(const Comparison& comparison, const std::string& source, const Roles& roles,
                        const std::string& command) {
  const std::vector<const LeagueRow*> rows = trained_rows(comparison);
  std::string page = page_begin(roles.target, fmt::format("{} models on {}, {}", rows.size(),
                                                          source, scheme_text(comparison)));
  page += cards_html(cards(comparison, rows));
  page += remarks_html(remarks(comparison));
  if (!rows.empty()) {
    const std::array<std::string, 2> charts = {error_panel(comparison, rows, roles.target),
                                               moran_panel(rows)};
    const std::array<std::string, 1> table = {table_panel(rows)};
    page += row_html(charts) + row_html(table) + maps_html(comparison, rows, roles);
  }
  std::vector<ReportFact> facts = {
      {"table", source, ""},
      {"rows used", format_count(static_cast<long long>(comparison.points.size())), ""},
      {"coordinates", describe_coordinates(roles), ""},
      {"features", roles.features.empty() ? "none" : join(roles.features, ", "), ""},
      {"folds",
       fmt::format("{}, the same for every model; split seed {}", scheme_text(comparison),
                   comparison.split_seed),
       ""},
      {"version", version(), ""}};
  if (!command.empty()) facts.push_back({"command", command, ""});
  page += folded_html("Provenance", facts_table_html(facts), true);
  return page + page_end();
}

}  // namespace pegnn
