#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "report/frame.h"
#include "report/plots.h"

namespace pegnn {

namespace {

constexpr double kLegendRow = 20;
constexpr std::size_t kLongSeries = 160;  // more hides the course of a noisy loss
constexpr std::size_t kShortSeries = 60;  // up to here each measurement gets its dot

// A series as drawn: the mean, least and greatest of runs of consecutive measurements.
struct Runs {
  std::vector<double> x, mean, least, most;
  bool joined = false;  // runs of more than one
};

Runs runs_of(const Series& series, bool positive_only) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < series.y.size(); ++i) {
    if (!plottable(series.x[i]) || !plottable(series.y[i])) continue;
    if (positive_only && series.y[i] <= 0) continue;
    x.push_back(series.x[i]);
    y.push_back(series.y[i]);
  }
  Runs runs;
  const std::size_t length = (x.size() + kLongSeries - 1) / kLongSeries;
  runs.joined = length > 1;
  for (std::size_t begin = 0; begin < x.size(); begin += length) {
    const std::size_t end = std::min(begin + length, x.size());
    double x_sum = 0, y_sum = 0;
    // Divided before they are added: a loss that has run away may be near the largest number.
    const double share = 1 / static_cast<double>(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      x_sum += share * x[i];
      y_sum += share * y[i];
    }
    const auto from = y.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = y.begin() + static_cast<std::ptrdiff_t>(end);
    runs.x.push_back(x_sum);
    runs.mean.push_back(y_sum);
    runs.least.push_back(*std::min_element(from, to));
    runs.most.push_back(*std::max_element(from, to));
  }
  return runs;
}

void append_point(std::string& data, char command, Pixel at) {
  data += fmt::format("{}{} {}", command, coordinate(at.x), coordinate(at.y));
}

// Beside two others a colour alone is told apart; among more, the third is dotted too.
std::string stroke_class(const Series& series, bool many) {
  return fmt::format("series c{}{}", series.colour,
                     series.reference             ? " reference"
                     : many && series.colour == 3 ? " dotted"
                                                  : "");
}

void draw_runs(Svg& svg, const Frame& frame, const Runs& runs, const Series& series, bool many) {
  const int colour = series.colour;
  const std::size_t n = runs.x.size();
  std::string line, band;
  for (std::size_t i = 0; i < n; ++i) {
    append_point(line, i == 0 ? 'M' : 'L', {frame.x(runs.x[i]), frame.y(runs.mean[i])});
    append_point(band, i == 0 ? 'M' : 'L', {frame.x(runs.x[i]), frame.y(runs.most[i])});
  }
  for (std::size_t i = n; i-- > 0;) {
    append_point(band, 'L', {frame.x(runs.x[i]), frame.y(runs.least[i])});
  }
  if (runs.joined) svg.path(band, fmt::format("band c{}", colour));
  svg.path(line, stroke_class(series, many));
  if (n > kShortSeries || series.reference) return;
  for (std::size_t i = 0; i < n; ++i) {
    svg.circle({frame.x(runs.x[i]), frame.y(runs.mean[i])}, n > 1 ? 2.2 : 4,
               fmt::format("dot c{}", colour));
  }
}

// Names beside a stroke of their colour, in as many rows as they need. Returns the height used.
double draw_legend(Svg& svg, const std::vector<Series>& series) {
  constexpr double kStroke = 22, kGap = 18;
  double x = 2, y = kLegendRow;
  for (const Series& one : series) {
    const std::string name = fitted(one.name, kPlotWidth - kStroke - 12);
    const double width = kStroke + 6 + text_width(name);
    if (x > 2 && x + width > kPlotWidth) {
      x = 2;
      y += kLegendRow;
    }
    svg.line({x, y - 10}, {x + kStroke, y - 10}, stroke_class(one, series.size() > 3));
    svg.text({x + kStroke + 6, y - 6}, name, "axis");
    x += width + kGap;
  }
  return y;
}

void draw_marker(Svg& svg, const Frame& frame, const Marker& marker) {
  const double x = frame.x(marker.x);
  svg.line({x, frame.box.top}, {x, frame.box.bottom}, "marker");
  if (plottable(marker.y)) svg.circle({x, frame.y(marker.y)}, 4.5, "best");
  const bool left = x + 8 + text_width(marker.label) > frame.box.right;
  svg.text({left ? x - 7 : x + 7, frame.box.top + 16}, marker.label, "axis halo",
           left ? Anchor::end : Anchor::start);
}

}  // namespace

Plot line_chart(const LineChart& chart) {
  Plot plot;
  std::vector<Runs> all;
  std::vector<double> x_values, y_values;
  for (const Series& series : chart.series) {
    Runs runs = runs_of(series, chart.log_y);
    x_values.insert(x_values.end(), runs.x.begin(), runs.x.end());
    y_values.insert(y_values.end(), runs.least.begin(), runs.least.end());
    y_values.insert(y_values.end(), runs.most.begin(), runs.most.end());
    if (runs.joined) {
      plot.note =
          "Of long series the line is the mean of consecutive steps and the band their span.";
    }
    all.push_back(std::move(runs));
  }
  if (chart.marker && plottable(chart.marker->x)) x_values.push_back(chart.marker->x);
  const std::optional<Range> y_full = range_of(y_values);
  Range x_range = widened(range_of(x_values).value_or(Range{0, 1}), 0.02);
  const bool log_x = chart.log_x && range_of(x_values).value_or(Range{0, 1}).lo > 0;
  if (log_x) {
    const Range range = *range_of(x_values);
    const double factor = std::pow(range.hi / range.lo, 0.02) * 1.02;
    x_range = {range.lo / factor, range.hi * factor};
  }
  Range y_range = widened(y_full.value_or(Range{0, 1}), 0.06);
  if (chart.log_y) {
    // Twelve decades are more than any loss means.
    const Range range = y_full.value_or(Range{0.1, 1});
    const double hi = std::max(range.hi, 1e-280);
    const double lo = std::max(range.lo, hi * 1e-12);
    const double factor = std::pow(hi / lo, 0.06) * 1.02;
    y_range = {lo / factor, hi * factor};
  }
  if (chart.from_zero && !log_x && !chart.log_y) {
    x_range = {0, std::max(x_range.hi, 1e-290)};
    y_range = {0, std::max(y_range.hi, 1e-290)};
  }
  Svg svg(chart.text.id, chart.height, chart.text.title, chart.text.description);
  const double top = draw_legend(svg, chart.series);
  const Frame frame = draw_frame(svg, {x_range, chart.x_title, log_x, chart.whole_x},
                                 {y_range, chart.y_title, chart.log_y}, {top + 6, chart.height});
  for (std::size_t i = 0; i < all.size(); ++i) {
    draw_runs(svg, frame, all[i], chart.series[i], all.size() > 3);
  }
  if (chart.marker && plottable(chart.marker->x)) draw_marker(svg, frame, *chart.marker);
  plot.svg = svg.finish();
  return plot;
}

}  // namespace pegnn
