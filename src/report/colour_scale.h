#pragma once
// Which colour a value of a raster has: where it lies along a course of colours.

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "report/axis.h"

namespace pegnn {

// How values are spread over the colours.
enum class Spread {
  range,     // evenly from the least to the greatest
  cut,       // evenly from the 2nd to the 98th percentile; those beyond have the end colours
  quantile,  // every colour stands for as many values
};

// Made of the plottable ones among `values`; the ends `lo` and `hi` may be given where they are
// spread evenly.
class ColourScale {
 public:
  static constexpr double kOpen = std::numeric_limits<double>::quiet_NaN();
  ColourScale(std::span<const float> values, Spread spread, double lo = kOpen, double hi = kOpen);

  // In [0, 1], of a finite value.
  double share(double value) const;
  // Values along the colours and their shares, both rising, from 0 to 1: between two of them
  // colours run evenly. Two where values are spread evenly.
  const std::vector<std::pair<double, double>>& knots() const { return knots_; }
  Range range() const { return {knots_.front().first, knots_.back().first}; }
  // Where a bar of the colours is labelled, with shares in place of values: at about `at_most`
  // round values, or, spread by quantiles, at values that part the colours evenly.
  Ticks ticks(int at_most) const;

  bool any() const { return any_; }  // a plottable value
  bool one() const { return one_; }  // all are equal; the range is one around it
  bool beyond_low() const { return beyond_low_; }
  bool beyond_high() const { return beyond_high_; }

 private:
  void spread_evenly(std::span<const double> values, Spread spread, double lo, double hi);
  void spread_by_quantiles(std::vector<double> values);

  std::vector<std::pair<double, double>> knots_;
  bool any_ = false, one_ = false, beyond_low_ = false, beyond_high_ = false;
  bool even_ = true;
};

}  // namespace pegnn
