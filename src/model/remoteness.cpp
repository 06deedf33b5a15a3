#include "model/remoteness.h"

#include <algorithm>
#include <cmath>

#include "neighbourhood/gaps.h"

namespace pegnn {

bool Remoteness::usable() const {
  constexpr double kMost = 1e6, kSteepest = 100;
  const auto coefficient = [](double v) { return std::abs(v) <= kMost; };
  return coefficient(intercept) && coefficient(by_distance) && coefficient(by_gap) && power > 0 &&
         power <= kSteepest && spacing > 0 && std::isfinite(spacing);
}

double Remoteness::mean_distance(Span<const double> distances) {
  constexpr std::int64_t kNearest = 4;
  const std::int64_t count = std::min<std::int64_t>(kNearest, distances.size());
  double mean = 0;
  for (const double d : distances.first(count)) mean += d / static_cast<double>(count);
  return mean;
}

double Remoteness::log_distance(Span<const double> distances, double spacing) {
  constexpr double kFloor = 0.05, kFarthest = 1e300;
  return std::log(std::min(mean_distance(distances) / spacing, kFarthest) + kFloor);
}

double Remoteness::share(Span<const double> distances) const {
  const double at =
      intercept + by_distance * log_distance(distances, spacing) + by_gap * gap_ratio(distances);
  return std::pow(1 / (1 + std::exp(-at)), power);
}

}  // namespace pegnn
