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

double Remoteness::share(Span<const double> distances) const {
  constexpr std::int64_t kNearest = 4;
  constexpr double kFloor = 0.05, kFarthest = 1e300;
  const std::int64_t count = std::min<std::int64_t>(kNearest, distances.size());
  double mean = 0;
  for (const double d : distances.first(count)) mean += d / static_cast<double>(count);
  const double rho = std::log(std::min(mean / spacing, kFarthest) + kFloor);
  const double at = intercept + by_distance * rho + by_gap * gap_ratio(distances);
  return std::pow(1 / (1 + std::exp(-at)), power);
}

}  // namespace pegnn
