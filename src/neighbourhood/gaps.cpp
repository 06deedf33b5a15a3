#include "neighbourhood/gaps.h"

#include <algorithm>
#include <cstddef>

#include "base/array.h"

namespace pegnn {
namespace {

// Fewer places than these do not tell.
constexpr std::int64_t kFewestPlaces = 8;
constexpr double kSamePlace = 1e-9;  // relative, of distances

// A gap is complete this part of the way from `extrapolation_ratio` to a ratio of 1.
constexpr double kComplete = 1.0 / 3;

}  // namespace

double gap_ratio(Span<const double> distances) {
  std::int64_t places = 0;
  for (std::int64_t i = 0; i < std::ssize(distances); ++i) {
    if (i == 0 || distances[i] > distances[i - 1] * (1 + kSamePlace)) ++places;
  }
  return places < kFewestPlaces ? 0.0 : distances.front() / distances.back();
}

float gap_share(double ratio, double extrapolation_ratio) {
  if (!(ratio > extrapolation_ratio)) return 0;
  return static_cast<float>(
      std::min(1.0, (ratio - extrapolation_ratio) / (kComplete * (1 - extrapolation_ratio))));
}

}  // namespace pegnn
