#include "paper/report/dumbbell_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "report/frame.h"

namespace pegnn {
namespace {

constexpr double kRow = 16, kGap = 8;
constexpr double kWidestName = 196;
constexpr double kLegend = 24, kBelow = 44;
constexpr double kFound = 3.8, kPublished = 4.8, kThird = 3.8;

bool shown(double value) { return plottable(value) && value > 0; }

Range extent_of(const std::vector<DumbbellRow>& rows) {
  std::vector<double> values;
  for (const DumbbellRow& row : rows) {
    for (const double value : {row.found, row.published, row.third}) {
      if (shown(value)) values.push_back(value);
    }
  }
  const Range range = range_of(values).value_or(Range{0.1, 1});
  // Twelve decades are more than any error means.
  const double lo = std::max(range.lo, range.hi * 1e-12);
  const double factor = std::pow(range.hi / lo, 0.04) * 1.04;
  return {lo / factor, range.hi * factor};
}

void draw_diamond(Svg& svg, Pixel at) {
  svg.path(fmt::format("M{} {}L{} {}L{} {}L{} {}z", coordinate(at.x - kThird), coordinate(at.y),
                       coordinate(at.x), coordinate(at.y - kThird), coordinate(at.x + kThird),
                       coordinate(at.y), coordinate(at.x), coordinate(at.y + kThird)),
           "hollow");
}

// Only what the chart holds is explained.
void draw_legend(Svg& svg, const DumbbellChart& chart) {
  const auto any = [&](double DumbbellRow::*value) {
    return std::any_of(chart.rows.begin(), chart.rows.end(),
                       [&](const DumbbellRow& row) { return shown(row.*value); });
  };
  double x = 6;
  const auto name = [&](const std::string& text) {
    svg.text({x + 9, 16}, text, "axis");
    x += 9 + text_width(text) + 20;
  };
  if (any(&DumbbellRow::found)) {
    svg.circle({x, 12}, kFound, "dot c3");
    name(chart.found_name);
  }
  if (any(&DumbbellRow::published)) {
    svg.circle({x, 12}, kPublished, "ring");
    name(chart.published_name);
  }
  if (any(&DumbbellRow::third)) {
    draw_diamond(svg, {x, 12});
    name(chart.third_name);
  }
}

void draw_row(Svg& svg, const DumbbellRow& row, const Scale& x, double y) {
  if (shown(row.found) && shown(row.published)) {
    svg.line({x(row.published), y}, {x(row.found), y}, "join");
  }
  if (shown(row.found)) svg.circle({x(row.found), y}, kFound, "dot " + row.css_class);
  if (shown(row.published)) svg.circle({x(row.published), y}, kPublished, "ring");
  if (shown(row.third)) draw_diamond(svg, {x(row.third), y});
}

}  // namespace

Plot dumbbell_chart(const DumbbellChart& chart) {
  double names = 0, height = kGap / 2;
  std::vector<double> middles;
  for (const DumbbellRow& row : chart.rows) {
    if (row.line_above && !middles.empty()) height += kGap;
    middles.push_back(kLegend + height + kRow / 2);
    height += kRow;
    names = std::max(names, text_width(row.name));
  }
  names = std::min(names, kWidestName);
  const Box box{names + 10, kLegend, kPlotWidth - 12, kLegend + height + kGap / 2};
  const Range range = extent_of(chart.rows);
  const Scale x(range, box.left, box.right, true);
  Svg svg(chart.text.id, box.bottom + kBelow, chart.text.title, chart.text.description);
  draw_legend(svg, chart);
  svg.rect(box, "plot");
  const Ticks ticks = ticks_that_fit(
      x, 8, [&](int count) { return log_ticks(range, count); }, horizontal_room);
  draw_x_ticks(svg, box, x, ticks);
  svg.text({box.left + box.width() / 2, box.bottom + 36},
           fitted(chart.x_title, box.width() - 40) + factor_text(ticks.exponent), "axis",
           Anchor::middle);
  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    const DumbbellRow& row = chart.rows[i];
    if (row.line_above && i > 0) {
      const double line = middles[i] - (kRow + kGap) / 2;
      svg.line({0, line}, {box.right, line}, "grid");
    }
    svg.text({box.left - 8, middles[i] + 4}, fitted(row.name, names), "axis", Anchor::end);
    draw_row(svg, row, x, middles[i]);
  }
  return {svg.finish(), "The axis is logarithmic."};
}

}  // namespace pegnn
