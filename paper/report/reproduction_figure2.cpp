#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/report/figure_parts.h"
#include "paper/report/reproduction_figures.h"
#include "report/page.h"
#include "report/plots.h"

namespace pegnn {
namespace {

// Plain networks are vermilion and dashed on the whole page; those with the encoder take the other
// colours in their order.
int colour_of(const std::string& name, int& next) {
  if (!name.starts_with("PE-")) return 2;
  const int colour = next;
  next = next == 5 ? 1 : std::max(3, next + 1);
  return colour;
}

std::string maps_html(const Figure2& figure) {
  std::vector<const NamedValues*> maps;
  for (const NamedValues& map : figure.maps) {
    if (map.values.size() == figure.points.size() && any_plottable(map.values)) {
      maps.push_back(&map);
    }
  }
  const bool placed = std::any_of(figure.points.begin(), figure.points.end(),
                                  [](const Point& p) { return plottable(p.x) && plottable(p.y); });
  if (maps.empty() || !placed) return {};
  const MapFrame frame(figure.points, Space::sphere, "longitude", "latitude");
  std::vector<double> all;
  for (const NamedValues* map : maps) {
    const std::vector<double> drawn = drawn_values(figure.points, map->values, frame);
    all.insert(all.end(), drawn.begin(), drawn.end());
  }
  const Range colours = widened({quantile(all, 0.02), quantile(all, 0.98)}, 0);
  const Range shown = range_of(all).value_or(colours);
  std::vector<SmallFigure> figures;
  std::string note;
  for (std::size_t m = 0; m < maps.size(); ++m) {
    const Plot plot =
        point_map({{fmt::format("figure-2-map-{}", m), maps[m]->name,
                    fmt::format("Map of {} places coloured by {}.",
                                format_count(static_cast<long long>(figure.points.size())),
                                figure.value_name)},
                   figure.value_name,
                   figure.points,
                   maps[m]->values,
                   ColourMap::sequential,
                   colours,
                   (shown.lo < colours.lo),
                   (shown.hi > colours.hi)},
                  frame);
    note = plot.note;
    figures.push_back({maps[m]->name, plot.svg});
  }
  return small_figures_html(figures) +
         caption_html(sentences(
             fmt::format(
                 "{} at the {} test rows: what was measured, and what the "
                 "models predict there from place and features. All maps share their colours, "
                 "which span the 2nd to the 98th percentile.",
                 figure.value_name, format_count(static_cast<long long>(figure.points.size()))),
             note));
}

std::string curves_html(const Figure2& figure) {
  std::vector<SmallFigure> figures;
  std::vector<std::string> missing;
  std::string note;
  for (std::size_t p = 0; p < figure.curves.size(); ++p) {
    const CurvePanel& panel = figure.curves[p];
    LineChart chart;
    chart.text = {fmt::format("figure-2-curves-{}", p), "Test error of " + panel.title,
                  "Mean squared error on the test rows by training step, one line per model."};
    chart.x_title = "training step";
    chart.y_title = "test MSE (logarithmic axis)";
    chart.log_y = true;
    chart.height = kSmallHeight + 40;
    int next = 1;
    for (const Curve& curve : panel.curves) {
      Series series = series_of(curve.name, colour_of(curve.name, next), curve.x, curve.y);
      if (any_plottable(series.y)) {
        chart.series.push_back(std::move(series));
      } else {
        missing.push_back(curve.name);
      }
    }
    if (chart.series.empty()) continue;
    const Plot plot = line_chart(chart);
    if (!plot.note.empty()) note = plot.note;
    figures.push_back({panel.title, plot.svg});
  }
  if (figures.empty()) return {};
  return small_figures_html(figures) +
         caption_html(
             sentences("Error on the test rows while the networks are trained, one picture "
                       "per backbone." +
                           not_run(missing),
                       note));
}

}  // namespace

std::string figure2_html(const Figure2& figure) {
  const std::string body = maps_html(figure) + curves_html(figure);
  return body.empty() ? body
                      : section_html("figure-2",
                                     "Figure 2: predictions and test errors on California Housing",
                                     body, true);
}

}  // namespace pegnn
