#include "neighbourhood/gaps.h"

#include <algorithm>

#include "base/array.h"

namespace pegnn {
namespace {

// A gap is complete this part of the way from `extrapolation_ratio` to a ratio of 1.
constexpr double kComplete = 1.0 / 3;

}  // namespace

double gap_ratio(Span<const double> distances) {
  return gap_ratio(distances.size(), [&](std::int64_t i) { return distances[i]; });
}

float gap_share(double ratio, double extrapolation_ratio) {
  if (!(ratio > extrapolation_ratio)) return 0;
  return static_cast<float>(
      std::min(1.0, (ratio - extrapolation_ratio) / (kComplete * (1 - extrapolation_ratio))));
}

}  // namespace pegnn
