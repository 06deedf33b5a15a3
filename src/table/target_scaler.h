#pragma once
// The target as models learn it, and back: scaled, with or without a transform before.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/array.h"
#include "table/column_scale.h"

namespace pegnn {

enum class TargetTransform {
  none,
  asinh,  // asinh((value - centre) / spread): linear near the centre, logarithmic far from it
};

// Does nothing unless fitted. `spread` is positive; `linear` scales what the transform leaves. The
// way back from asinh is exponential, and a model that goes a little too far would end up beyond
// all measure: transformed values are taken to lie within [least, most].
struct TargetScaler {
  ColumnScale linear;
  TargetTransform transform = TargetTransform::none;
  double centre = 0, spread = 1;
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  double apply(double value) const {
    if (transform == TargetTransform::none) return linear.apply(value);
    return linear.apply(std::asinh((value - centre) / spread));
  }
  double invert(double scaled) const {
    if (transform == TargetTransform::none) return linear.invert(scaled);
    return centre + spread * std::sinh(transformed(scaled));
  }
  // The transformed target that a scaled one stands for.
  double transformed(double scaled) const { return std::clamp(linear.invert(scaled), least, most); }
  // A standard deviation around `mean`, both scaled, in the target's units: half the way from where
  // mean - deviation comes back to where mean + deviation does.
  double invert_deviation(double mean, double deviation) const {
    if (transform == TargetTransform::none) return deviation * linear.scale;
    const double half = std::min(deviation * linear.scale, most - least);
    return spread * std::cosh(transformed(mean)) * std::sinh(half);
  }
  // Follows variances, which are told in squared units of what `linear` scales.
  std::string_view told_of() const {
    return transform == TargetTransform::none ? "" : " of the transformed target";
  }
  friend bool operator==(const TargetScaler&, const TargetScaler&) = default;
};

// Fitted on the values, all finite: the centre is their median, the spread half their interquartile
// range or, where that is nothing beside their range, their standard deviation; `least` and `most`
// leave room for as much again as that range on either side. Errors are those of fit_column.
TargetScaler fit_target(Span<const double> values, Scaling scaling, TargetTransform transform);

}  // namespace pegnn
