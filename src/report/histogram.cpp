#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "base/text.h"
#include "report/frame.h"
#include "report/plots.h"

namespace pegnn {

namespace {

constexpr double kBins = 50;  // at most about

struct Moments {
  std::int64_t count = 0;
  double mean = 0, deviation = 0;
};

// Scaled by the largest magnitude, so that squares of large values do not overflow.
Moments moments_of(std::span<const double> values) {
  Moments m;
  const Range range = range_of(values).value_or(Range{0, 0});
  const double scale = std::max(std::fabs(range.lo), std::fabs(range.hi));
  for (const double v : values) {
    if (!plottable(v)) continue;
    ++m.count;
    if (scale > 0) m.mean += v / scale;
  }
  if (m.count == 0 || scale <= 0) return m;
  const auto n = static_cast<double>(m.count);
  m.mean /= n;
  double squares = 0;
  for (const double v : values) {
    if (plottable(v)) squares += (v / scale - m.mean) * (v / scale - m.mean);
  }
  m.deviation = scale * std::sqrt(squares / n);
  m.mean *= scale;
  return m;
}

struct Bins {
  double first = 0, width = 1;
  std::vector<std::int64_t> count;
  double edge(std::size_t i) const { return first + width * static_cast<double>(i); }
};

Bins bins_of(std::span<const double> values, Range range) {
  Bins bins;
  bins.width = nice_step(range.span() / kBins);
  bins.first = std::floor(range.lo / bins.width + 1e-9) * bins.width;
  const double count = std::ceil((range.hi - bins.first) / bins.width - 1e-9);
  bins.count.assign(static_cast<std::size_t>(std::clamp(count, 1.0, 2 * kBins)), 0);
  const double last = static_cast<double>(bins.count.size() - 1);
  for (const double v : values) {
    if (!plottable(v)) continue;
    const double bin = std::clamp(std::floor((v - bins.first) / bins.width), 0.0, last);
    ++bins.count[static_cast<std::size_t>(bin)];
  }
  return bins;
}

// The normal density times rows times bin width: what each bar would be.
std::string normal_curve(const Frame& frame, const Moments& m, const Bins& bins, Range range) {
  constexpr int kSteps = 120;
  std::string data;
  for (int i = 0; i <= kSteps; ++i) {
    const double v = range.lo + range.span() * i / kSteps;
    const double z = (v - m.mean) / m.deviation;
    const double rows = static_cast<double>(m.count) * bins.width / m.deviation *
                        std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    data += fmt::format("{}{} {}", i == 0 ? 'M' : 'L', coordinate(frame.x(v)),
                        coordinate(frame.y(rows)));
  }
  return data;
}

}  // namespace

Plot histogram(const Histogram& plot) {
  const ShownRange shown = shown_range(plot.values);
  const Moments m = moments_of(plot.values);
  const Bins bins = bins_of(plot.values, widened(shown.range, 0));
  const Range x_range{bins.edge(0), bins.edge(bins.count.size())};
  double most = static_cast<double>(*std::max_element(bins.count.begin(), bins.count.end()));
  const bool curve = m.count > 2 && m.deviation > 1e-3 * bins.width && m.deviation < x_range.span();
  if (curve) {
    const double peak = static_cast<double>(m.count) * bins.width / m.deviation * 0.4;
    most = std::max(most, std::min(peak, 1.5 * most));
  }
  Svg svg(plot.text.id, plot.height, plot.text.title, plot.text.description);
  const Range y_range{0, std::max(1.06 * most, 1.0)};
  const Frame frame = draw_frame(svg, {x_range, plot.x_title}, {y_range, plot.y_title, false, true},
                                 {0, plot.height});
  std::string bars;
  for (std::size_t i = 0; i < bins.count.size(); ++i) {
    if (bins.count[i] == 0) continue;
    const double left = frame.x(bins.edge(i)) + 0.5, right = frame.x(bins.edge(i + 1)) - 0.5;
    bars += fmt::format("M{} {}V{}H{}V{}z", coordinate(left), coordinate(frame.box.bottom),
                        coordinate(frame.y(static_cast<double>(bins.count[i]))),
                        coordinate(std::max(right, left + 0.5)), coordinate(frame.box.bottom));
  }
  svg.path(bars, "bars");
  Plot result;
  if (curve) {
    svg.path(normal_curve(frame, m, bins, x_range), "normal");
    result.note = fmt::format(
        "The line is the normal curve of the same mean, {}, and standard "
        "deviation, {}.",
        display_number(m.mean, 3), display_number(m.deviation, 3));
  }
  if (x_range.holds(0)) {
    svg.line({frame.x(0), frame.box.top}, {frame.x(0), frame.box.bottom}, "zero");
  }
  if (shown.outside > 0) {
    result.note +=
        fmt::format(" {} {} beyond the frame, counted in the outermost bars.",
                    format_count(shown.outside), shown.outside == 1 ? "value lies" : "values lie");
  }
  result.svg = svg.finish();
  return result;
}

}  // namespace pegnn
