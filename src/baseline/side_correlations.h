#pragma once
// Correlations among a few places for kSide systems side by side (linalg/small_systems.h). The
// instruction set is chosen at run time (Highway).

#include <cstdint>

#include "baseline/local_gaussian.h"
#include "linalg/small_systems.h"

namespace pegnn {

// What Correlations (baseline/local_gaussian.h) says of every pair of `count` places, up to
// rounding: the lower triangle of count x count, without the diagonal, which is left as it was.
// `places`: x, y and z of the first place, a group of kSide numbers each, then those of the next;
// all of it aligned to 64 bytes. `model` gives kernel, range and share of noise.
void side_correlations(const SpatialModel& model, std::int64_t count, const double* places,
                       double* triangle) noexcept;

}  // namespace pegnn
