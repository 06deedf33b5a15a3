#pragma once
// How remote a place is from the training points: what the weights of a combination go by.

#include <cstdint>

#include "base/array.h"

namespace pegnn {

// From 0, in the midst of the training points, to 1, far from all of them:
//
//   w = logistic(intercept + by_distance log(d / spacing + 0.05) + by_gap g)^power
//
// d is the mean distance to the nearest 4 training points, spacing the length that it is told in,
// and g the distance of the nearest by that of the farthest of 24 (gap_ratio, gaps.h). The 0.05
// keeps the logarithm finite on top of training points, and differences there small.
struct Remoteness {
  // That many of the nearest training points are asked for, or all where there are fewer.
  static constexpr std::int64_t kNeighbours = 24;

  double intercept = 0, by_distance = 0, by_gap = 0;
  double power = 1;
  double spacing = 1;

  // Coefficients up to 1e6, power in (0, 100], spacing above 0, and all of them finite.
  bool usable() const;
  // `distances` to the nearest training points, of which there is one at least, ascend.
  double share(Span<const double> distances) const;

  // log(d / spacing + 0.05), with d the mean distance to the nearest 4.
  static double log_distance(Span<const double> distances, double spacing);
  static double mean_distance(Span<const double> distances);
};

}  // namespace pegnn
