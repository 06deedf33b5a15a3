#include "report/colour_scale.h"

#include <algorithm>
#include <cmath>

namespace pegnn {
namespace {

double at_rank(const std::vector<double>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::llround(rank))];
}

// Three significant digits, or as many as part two neighbours.
std::vector<std::string> parted_labels(const std::vector<double>& values, double unit) {
  std::vector<std::string> labels;
  for (int digits = 3; digits <= 9; ++digits) {
    labels.clear();
    for (const double v : values) {
      const double size = std::max(std::fabs(v / unit), 1e-9);
      const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(size)));
      labels.push_back(grouped(v / unit, v == 0 ? 0 : std::clamp(decimals, 0, 9)));
    }
    if (std::adjacent_find(labels.begin(), labels.end()) == labels.end()) break;
  }
  return labels;
}

}  // namespace

ColourScale::ColourScale(std::span<const float> values, Spread spread, double lo, double hi) {
  std::vector<double> kept;
  kept.reserve(values.size());
  for (const float v : values) {
    if (plottable(v)) kept.push_back(v);
  }
  any_ = !kept.empty();
  if (spread == Spread::quantile) spread_by_quantiles(kept);
  if (knots_.size() < 2) spread_evenly(kept, spread, lo, hi);
}

void ColourScale::spread_evenly(std::span<const double> values, Spread spread, double lo,
                                double hi) {
  const Range all = range_of(values).value_or(Range{0, 1});
  const auto chosen = [](double given, double otherwise) {
    return plottable(given) ? given : otherwise;
  };
  Range range{chosen(lo, all.lo), chosen(hi, all.hi)};
  if (spread == Spread::cut && any_) {
    const Range most{chosen(lo, quantile(values, 0.02)), chosen(hi, quantile(values, 0.98))};
    // Else nearly all values are equal, but not all.
    if (most.span() > 0) range = most;
  }
  if (range.hi < range.lo) std::swap(range.lo, range.hi);
  one_ = any_ && range.lo == range.hi;
  range = widened(range, 0);
  beyond_low_ = any_ && all.lo < range.lo;
  beyond_high_ = any_ && all.hi > range.hi;
  knots_ = {{range.lo, 0}, {range.hi, 1}};
}

// Of equal values the middle rank counts, so that they have one colour.
void ColourScale::spread_by_quantiles(std::vector<double> values) {
  constexpr int kSteps = 64;
  if (values.empty()) return;
  std::ranges::sort(values);
  // Too near each other for labels, or for QGIS, which reads decimal numbers.
  if (widened({values.front(), values.back()}, 0).span() > values.back() - values.front()) return;
  const double least = 1e-6 * (values.back() - values.front());
  for (int i = 0; i <= kSteps; ++i) {
    const double value = at_rank(values, static_cast<double>(i) / kSteps);
    if (!knots_.empty() && value - knots_.back().first <= least) continue;
    const auto [first, last] = std::equal_range(values.begin(), values.end(), value);
    const double rank = static_cast<double>((first - values.begin()) + (last - values.begin()) - 1);
    knots_.emplace_back(value, rank / 2 / static_cast<double>(values.size() - 1));
  }
  // The least and the greatest have the end colours, however many they are.
  knots_.front().second = 0;
  knots_.back().second = 1;
  even_ = knots_.size() < 2;
  if (even_) knots_.clear();
}

double ColourScale::share(double value) const {
  const auto after = std::ranges::upper_bound(knots_, value, {}, &std::pair<double, double>::first);
  if (after == knots_.begin()) return 0;
  if (after == knots_.end()) return 1;
  const auto& [lo, from] = *std::prev(after);
  const auto& [hi, to] = *after;
  return std::lerp(from, to, (value - lo) / (hi - lo));
}

Ticks ColourScale::ticks(int at_most) const {
  const Range shown = range();
  if (one_) {  // the range around one value is not a fact to be read
    const double value = shown.lo + shown.span() / 2;
    return {{share(value)}, {display_number(value)}};
  }
  Ticks ticks = linear_ticks(shown, at_most);
  if (even_) {
    for (double& at : ticks.at) at = share(at);
    return ticks;
  }
  std::vector<double> values;
  for (int i = 0; i <= at_most; ++i) {
    const double wanted = static_cast<double>(i) / at_most;
    const auto nearest = std::ranges::min_element(
        knots_, {}, [&](const auto& one) { return std::fabs(one.second - wanted); });
    if (values.empty() || nearest->first > values.back()) values.push_back(nearest->first);
  }
  ticks.at.clear();
  for (const double value : values) ticks.at.push_back(share(value));
  ticks.label = parted_labels(values, std::pow(10.0, ticks.exponent));
  return ticks;
}

}  // namespace pegnn
