#pragma once
// The scales of sinusoidal encoders.

#include <cstdint>

#include "base/array.h"
#include "pegnn/geo.h"

namespace pegnn {

// lowest (highest / lowest)^(s / (count - 1)) for s = 0 .. count - 1; `lowest` alone for one scale.
Array<double> geometric_scales(std::int64_t count, double lowest, double highest);

struct ScaleRange {
  double lowest, highest;
};

// Scales that suit these points, in coordinate units: the finest wave is about four median
// neighbour spacings long (finer ones would be aliased by the points and only help to memorise
// them), the coarsest twice the extent. `spacing` is the median distance to the nearest other point
// in coordinate units (degrees for longitude/latitude).
ScaleRange natural_scales(Span<const Point> points, double spacing);

}  // namespace pegnn
