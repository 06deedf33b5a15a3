#include "report/bar_chart.h"

#include <algorithm>
#include <cmath>

#include "report/frame.h"

namespace pegnn {
namespace {

constexpr double kRow = 23, kBar = 13;  // height of a row and of the bar in it
constexpr double kGap = 10;             // between kinds of models
constexpr double kWidestName = 170;     // a third of the drawing
constexpr double kBelow = 44, kAbove = 6;
constexpr double kLogFactor = 30;

struct Extent {
  Range range;
  bool log = false;
};

double whisker_of(const ChartBar& bar) {
  return plottable(bar.whisker) ? std::abs(bar.whisker) : 0.0;
}

Extent extent_of(const std::vector<ChartBar>& bars) {
  double least = std::numeric_limits<double>::infinity(), lo = 0, hi = 0;
  for (const ChartBar& bar : bars) {
    if (plottable(bar.mark)) {
      least = std::min(least, bar.mark);
      lo = std::min(lo, bar.mark);
      hi = std::max(hi, bar.mark);
    }
    if (!plottable(bar.value)) continue;
    least = std::min(least, bar.value);
    lo = std::min(lo, bar.value - whisker_of(bar));
    hi = std::max(hi, bar.value + whisker_of(bar));
  }
  if (least > 0 && hi > kLogFactor * least && plottable(least)) {
    return {{least / 1.5, hi * 1.1}, true};
  }
  // A whisker below zero says only that the deviation is large.
  if (least >= 0) lo = 0;
  Range range{lo, hi};
  if (!(range.span() > 1e-290)) range.hi = range.lo + 1;
  const double spare = 0.04 * range.span();
  return {{lo < 0 ? lo - spare : 0, range.hi > 0 ? range.hi + spare : range.hi}, false};
}

void draw_bar(Svg& svg, const ChartBar& bar, double middle, const Scale& x, bool log) {
  if (!plottable(bar.value)) return;
  const double end = x(bar.value), zero = x(0);
  if (log) {
    svg.circle({end, middle}, 5, "dot " + bar.css_class);
  } else {
    svg.rect({std::min(zero, end), middle - kBar / 2, std::max(zero, end), middle + kBar / 2},
             "dot " + bar.css_class);
  }
  if (!(whisker_of(bar) > 0)) return;
  const double from = x(bar.value - whisker_of(bar)), to = x(bar.value + whisker_of(bar));
  svg.line({from, middle}, {to, middle}, "whisker");
  for (const double edge : {from, to}) {
    svg.line({edge, middle - 4}, {edge, middle + 4}, "whisker");
  }
}

}  // namespace

Plot bar_chart(const BarChart& chart) {
  const Extent extent = extent_of(chart.bars);
  double names = 0, labels = 0, height = 0;
  std::vector<double> middles;
  for (const ChartBar& bar : chart.bars) {
    if (bar.gap_above && height > 0) height += kGap;
    middles.push_back(kAbove + height + kRow / 2);
    height += kRow;
    names = std::max(names, text_width(bar.name));
    labels = std::max(labels, text_width(bar.label));
  }
  names = std::min(names, kWidestName);
  const Box box{names + 10, kAbove, kPlotWidth - labels - 12, kAbove + height};
  const Scale x(extent.range, box.left, box.right, extent.log);
  Svg svg(chart.text.id, box.bottom + kBelow, chart.text.title, chart.text.description);
  svg.rect(box, "plot");
  const Ticks ticks = ticks_that_fit(
      x, 6,
      [&](int count) {
        return extent.log ? log_ticks(extent.range, count) : linear_ticks(extent.range, count);
      },
      horizontal_room);
  draw_x_ticks(svg, box, x, ticks);
  svg.text({box.left + box.width() / 2, box.bottom + 36},
           fitted(chart.x_title, box.width()) + factor_text(ticks.exponent), "axis",
           Anchor::middle);
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const ChartBar& bar = chart.bars[i];
    const double middle = middles[i];
    svg.text({box.left - 8, middle + 4}, fitted(bar.name, names), "axis", Anchor::end);
    svg.text({kPlotWidth, middle + 4}, bar.label, "tick", Anchor::end);
    draw_bar(svg, bar, middle, x, extent.log);
    if (plottable(bar.mark)) svg.circle({x(bar.mark), middle}, 4, "best");
  }
  if (!extent.log) svg.line({x(0), box.top}, {x(0), box.bottom}, "zero");
  return {svg.finish(), extent.log ? "The axis is logarithmic." : ""};
}

}  // namespace pegnn
