#pragma once
// Extrapolation: how much a point lies in a gap of the training points, or beyond them.

#include <cstdint>

#include "base/array.h"

namespace pegnn {

// The distance of the nearest of some neighbours by that of the farthest; `distances` ascend. In
// the midst of scattered points the first of 24 is some five times nearer than the last, however
// densely they stand; from the middle of a hole or from outside all are about as far. Rows at one
// place count once. 0 where there are too few places to tell.
double gap_ratio(Span<const double> distances);

// Fewer places than these do not tell.
inline constexpr std::int64_t kFewestGapPlaces = 8;
inline constexpr double kSamePlace = 1e-9;  // relative, of distances

// The same for `count` distances that are found when they are asked for, distance(i) of neighbour
// i: mostly a few of the first ones and the last.
template <class Distance>
double gap_ratio(std::int64_t count, Distance&& distance) {
  if (count < kFewestGapPlaces) return 0;
  const double first = distance(0);
  std::int64_t places = 1;
  double before = first;
  for (std::int64_t i = 1; i < count && places < kFewestGapPlaces; ++i) {
    const double here = distance(i);
    if (here > before * (1 + kSamePlace)) ++places;
    before = here;
  }
  return places < kFewestGapPlaces ? 0.0 : first / distance(count - 1);
}

// From 0, in the midst of the points, to 1. `extrapolation_ratio` is the ratio from which on
// answers are extrapolated: one that most of the points themselves do not reach.
float gap_share(double ratio, double extrapolation_ratio);

}  // namespace pegnn
