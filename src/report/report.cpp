#include "report/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include <fmt/core.h>

#include "base/assert.h"
#include "base/text.h"
#include "report/moran_panel.h"
#include "report/plots.h"
#include "report/variogram_panel.h"

namespace pegnn {

namespace {

// The rows that can be drawn, and what is left of each.
struct Rows {
  std::vector<double> observed, predicted, residual;
  std::vector<Point> points;  // empty when there are none to draw
  std::int64_t dropped = 0, placeless = 0;
};

Rows drawable_rows(const ReportData& data) {
  Rows rows;
  const bool places = data.points.size() == data.observed.size();
  for (std::size_t i = 0; i < data.observed.size(); ++i) {
    const double residual = data.observed[i] - data.predicted[i];
    if (!plottable(data.observed[i]) || !plottable(data.predicted[i]) || !plottable(residual)) {
      ++rows.dropped;
      continue;
    }
    rows.observed.push_back(data.observed[i]);
    rows.predicted.push_back(data.predicted[i]);
    rows.residual.push_back(residual);
    if (!places) continue;
    rows.points.push_back(data.points[i]);
    if (!plottable(data.points[i].x) || !plottable(data.points[i].y)) ++rows.placeless;
  }
  if (rows.placeless == std::ssize(rows.points)) rows.points.clear();
  return rows;
}

std::string or_else(const std::string& text, const char* otherwise) {
  return text.empty() ? std::string(otherwise) : text;
}

std::string sentence(const std::string& caption, const std::string& note) {
  return note.empty() ? caption : caption + " " + note;
}

// "2,064 validation rows", or the count alone.
std::string rows_text(const ReportData& data, const Rows& rows) {
  if (!data.rows_shown.empty()) return data.rows_shown;
  const auto n = static_cast<long long>(rows.observed.size());
  return format_count(n) + (n == 1 ? " row" : " rows");
}

// Losses that span more than a decade are read on a logarithmic axis; it needs positive values.
bool wants_log(const std::vector<ReportCurvePoint>& curve) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const ReportCurvePoint& point : curve) {
    for (const double v : {point.main, point.auxiliary, point.validation}) {
      if (!plottable(v)) continue;
      if (v <= 0) return false;
      least = std::min(least, v);
      most = std::max(most, v);
    }
  }
  return most > 12 * least;
}

std::vector<Series> series_of(const ReportData& data) {
  Series main{"training loss", 1, {}, {}};
  Series auxiliary{data.auxiliary_name + " loss", 2, {}, {}};
  Series validation{"validation error", 3, {}, {}};
  for (const ReportCurvePoint& point : data.curve) {
    const auto step = static_cast<double>(point.step);
    const auto add = [&](Series& series, double value) {
      if (!plottable(value)) return;
      series.x.push_back(step);
      series.y.push_back(value);
    };
    add(main, point.main);
    add(auxiliary, point.auxiliary);
    add(validation, point.validation);
  }
  std::vector<Series> all;
  for (Series* series : {&main, &auxiliary, &validation}) {
    if (!series->y.empty()) all.push_back(std::move(*series));
  }
  return all;
}

// Nothing when no loss was recorded.
std::optional<std::string> curve_panel(const ReportData& data) {
  LineChart chart;
  chart.series = series_of(data);
  if (chart.series.empty()) return std::nullopt;
  chart.log_y = wants_log(data.curve);
  chart.x_title = "training step";
  chart.y_title = chart.log_y ? "loss (logarithmic axis)" : "loss";
  chart.text = {
      "curve", "Learning curves",
      fmt::format("Loss against training step, {} to {}.", format_count(data.curve.front().step),
                  format_count(data.curve.back().step))};
  const bool validated = chart.series.back().colour == 3;
  std::string caption =
      validated ? "Look for the validation error levelling off while the training loss "
                  "still falls: from there on the model only memorises."
                : "Look for a loss that levels off before the last step: then more steps "
                  "would gain little.";
  if (data.best_step >= 0) {
    Marker marker{static_cast<double>(data.best_step), std::numeric_limits<double>::quiet_NaN(),
                  "best: step " + format_count(data.best_step)};
    for (const ReportCurvePoint& point : data.curve) {
      if (point.step == data.best_step && !std::isnan(point.validation))
        marker.y = point.validation;
    }
    chart.marker = marker;
    caption += fmt::format(" The weights of step {} were kept.", format_count(data.best_step));
  }
  const Plot plot = line_chart(chart);
  return figure_html("Learning curves", plot.svg, sentence(caption, plot.note));
}

std::string scatter_panel(const ReportData& data, const Rows& rows) {
  const std::string target = or_else(data.target_name, "target");
  const std::string shown = rows_text(data, rows);
  const Plot plot =
      scatter({{"scatter", "Observed against predicted",
                fmt::format("{} of {}, with the line of perfect prediction.", shown, target)},
               "observed " + target,
               "predicted " + target,
               rows.observed,
               rows.predicted});
  const std::string caption = fmt::format(
      "On the dashed line a prediction is exact; a cloud flatter than the line means that extremes "
      "are "
      "drawn towards the mean ({}).",
      shown);
  return figure_html("Observed against predicted", plot.svg, sentence(caption, plot.note));
}

// Observed and predicted share their colours: the middle 96 % of both together.
Range value_colours(std::vector<double> observed, const std::vector<double>& predicted) {
  observed.insert(observed.end(), predicted.begin(), predicted.end());
  return widened({quantile(observed, 0.02), quantile(observed, 0.98)}, 0);
}

// One map of values at the places of all rows. `drawn` is what the map shows of them.
struct MapPanel {
  const char *id, *heading, *caption;
  std::string value_title;
  std::span<const double> values, drawn;
  ColourMap map = ColourMap::sequential;
  Range colours;
};

std::string map_panel(const Rows& rows, const MapFrame& frame, const MapPanel& panel) {
  const Range all = range_of(panel.drawn).value_or(panel.colours);
  const PointMap map{
      {panel.id, panel.heading,
       fmt::format("Map of {} places coloured by {}, from {} to {}.",
                   format_count(static_cast<long long>(panel.values.size())), panel.value_title,
                   display_number(all.lo), display_number(all.hi))},
      panel.value_title,
      rows.points,
      panel.values,
      panel.map,
      panel.colours,
      all.lo<panel.colours.lo, all.hi> panel.colours.hi};
  const Plot plot = point_map(map, frame);
  return figure_html(panel.heading, plot.svg, sentence(panel.caption, plot.note));
}

// As tall as what stands beside it.
std::string histogram_panel(const ReportData& data, const Rows& rows, double height) {
  const Plot plot = histogram({{"histogram", "Histogram of residuals",
                                fmt::format("Residuals of the {}.", rows_text(data, rows))},
                               "residual of " + or_else(data.target_name, "target"),
                               "rows",
                               rows.residual,
                               std::clamp(height, 300.0, 480.0)});
  return figure_html("Histogram of residuals", plot.svg,
                     sentence("Look for a peak at zero and equal tails.", plot.note));
}

std::string map_rows(const ReportData& data, const Rows& rows) {
  const std::string target = or_else(data.target_name, "target");
  if (rows.points.empty()) {
    const std::array<std::string, 1> absent = {
        absent_html("Maps", "There are no maps: no place is known for these rows.")};
    const std::array<std::string, 1> below = {histogram_panel(data, rows, 440)};
    return row_html(absent) + row_html(below);
  }
  const MapFrame frame(rows.points, data.space, data.x_name, data.y_name);
  const std::vector<double> observed = drawn_values(rows.points, rows.observed, frame);
  const std::vector<double> predicted = drawn_values(rows.points, rows.predicted, frame);
  const std::vector<double> residual = drawn_values(rows.points, rows.residual, frame);
  const Range colours = value_colours(observed, predicted);
  const std::array<std::string, 2> first = {
      map_panel(
          rows, frame,
          {"map-predicted", "Predicted",
           "Look for the pattern of the observed map, perhaps smoother. Both maps share their "
           "colours, which span the 2nd to the 98th percentile of what is shown.",
           "predicted " + target, rows.predicted, predicted, ColourMap::sequential, colours}),
      map_panel(rows, frame,
                {"map-observed", "Observed",
                 "What was measured, in the colours of the map of predictions.",
                 "observed " + target, rows.observed, observed, ColourMap::sequential, colours})};
  const std::array<std::string, 2> second = {
      map_panel(
          rows, frame,
          {"map-residual", "Residuals",
           "Look for patches of one colour: there the model errs the same way over a whole area "
           "(red: it predicts too little, blue: too much). The colours span 98 % of what is "
           "shown, evenly around zero.",
           "residual: observed − predicted " + target, rows.residual, residual,
           ColourMap::diverging, residual_colours(residual)}),
      histogram_panel(data, rows, frame.height())};
  return row_html(first) + row_html(second);
}

// Learning curves beside observed against predicted; a thin panel with the reason where one of them
// cannot be.
std::string first_row(const ReportData& data, const Rows& rows) {
  std::vector<std::string> absent, figures;
  if (std::optional<std::string> curve = curve_panel(data)) {
    figures.push_back(std::move(*curve));
  } else {
    absent.push_back(absent_html("Learning curves",
                                 "There is no curve: no loss was recorded, as for a model that is "
                                 "not trained in steps."));
  }
  if (rows.observed.empty()) {
    absent.push_back(
        absent_html("Predictions",
                    "There are no rows with both an observed and a predicted value, so "
                    "there is nothing to compare or map."));
  } else {
    figures.push_back(scatter_panel(data, rows));
  }
  return row_html(absent) + row_html(figures);
}

// Those of the caller, then what the plots had to leave out.
std::vector<std::string> remarks_of(const ReportData& data, const Rows& rows) {
  std::vector<std::string> remarks = data.remarks;
  const std::string all = format_count(static_cast<long long>(data.observed.size()));
  if (rows.dropped > 0) {
    remarks.push_back(fmt::format(
        "Left out of the plots, because the observed or predicted value is not a finite "
        "number: {} of {} rows.",
        format_count(rows.dropped), all));
  }
  if (rows.placeless > 0) {
    remarks.push_back(fmt::format(
        "Left out of the maps, because a coordinate is not a finite number: {} of {} rows.",
        format_count(rows.placeless), all));
  }
  return remarks;
}

}  // namespace

std::string render_report(const ReportData& data) {
  PEGNN_ASSERT(data.observed.size() == data.predicted.size(),
               "every observed value of a report has its prediction");
  const Rows rows = drawable_rows(data);
  std::string page = page_begin(or_else(data.title, "Model"), data.subtitle);
  page += cards_html(data.figures);
  page += remarks_html(remarks_of(data, rows));
  page += first_row(data, rows);
  if (!rows.observed.empty()) page += map_rows(data, rows);
  page += moran_row_html(data.residual_moran);
  if (!rows.observed.empty()) {
    page += residual_variogram_row_html(data.observed_variogram, data.residual_variogram,
                                        {data.space, data.metres_per_unit},
                                        or_else(data.target_name, "target"));
  }
  if (!data.options.empty()) page += folded_html("Options", facts_table_html(data.options), false);
  if (!data.provenance.empty()) {
    page += folded_html("Provenance", facts_table_html(data.provenance), true);
  }
  return page + page_end();
}

}  // namespace pegnn
