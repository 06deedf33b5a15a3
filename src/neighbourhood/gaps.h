#pragma once
// Extrapolation: how much a point lies in a gap of the training points, or beyond them.

#include "base/array.h"

namespace pegnn {

// The distance of the nearest of some neighbours by that of the farthest; `distances` ascend. In
// the midst of scattered points the first of 24 is some five times nearer than the last, however
// densely they stand; from the middle of a hole or from outside all are about as far. Rows at one
// place count once. 0 where there are too few places to tell.
double gap_ratio(Span<const double> distances);

// From 0, in the midst of the points, to 1. `extrapolation_ratio` is the ratio from which on
// answers are extrapolated: one that most of the points themselves do not reach.
float gap_share(double ratio, double extrapolation_ratio);

}  // namespace pegnn
