#pragma once
// Minimising a smooth function of a few parameters: the one door to the optimiser library (NLopt).

#include <cstdint>
#include <functional>

#include "base/array.h"

namespace pegnn {

// The value at `x`; fills `gradient` (as long as x) unless it is empty. A value that is not finite
// marks a point that cannot be used.
using Objective = std::function<double(Span<const double> x, Span<double> gradient)>;

struct Bounds {
  Array<double> lo, hi;  // of each parameter
};

struct Minimum {
  Array<double> x;
  double value = 0;
  std::int64_t evaluations = 0;
};

// Limited-memory BFGS (Nocedal 1980) with bounds, from `start` (clipped into the bounds), until the
// value changes by less than `tolerance` relative to itself or after `evaluations` calls. Returns
// the best point met. Exceptions of the objective pass through.
Minimum minimise(const Objective& objective, Array<double> start, const Bounds& bounds,
                 double tolerance, std::int64_t evaluations);

// The same without gradients: Nelder and Mead's simplex (1965). `step` is the size of the first
// simplex along each parameter.
Minimum minimise_simplex(const Objective& objective, Array<double> start, const Bounds& bounds,
                         Span<const double> step, double tolerance, std::int64_t evaluations);

}  // namespace pegnn
