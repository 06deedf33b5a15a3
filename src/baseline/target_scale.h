#pragma once
// Mean and deviation of a target, by which it is divided while parameters are sought.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/array.h"

namespace pegnn {

struct TargetScale {
  double centre = 0, deviation = 0;  // 0: all values are the same

  explicit TargetScale(Span<const double> y) {
    double largest = 0, square = 0;
    for (const double v : y) largest = std::max(largest, std::abs(v));
    centre = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
    for (const double v : y) square += (v - centre) * (v - centre);
    deviation = std::sqrt(square / static_cast<double>(y.size()));
    if (deviation <= 1e-12 * largest) deviation = 0;  // the rounding of the mean
  }
};

}  // namespace pegnn
