#include "encoder/scales.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/array.h"

namespace pegnn {

Array<double> geometric_scales(std::int64_t count, double lowest, double highest) {
  Array<double> scales(count);
  for (std::int64_t s = 0; s < count; ++s) {
    const double exponent =
        count > 1 ? static_cast<double>(s) / static_cast<double>(count - 1) : 0.0;
    scales[s] = lowest * std::pow(highest / lowest, exponent);
  }
  return scales;
}

ScaleRange natural_scales(Span<const Point> points, double spacing) {
  if (points.empty()) return {1.0, 1.0};
  double x_lo = points[0].x, x_hi = x_lo, y_lo = points[0].y, y_hi = y_lo;
  for (const Point& p : points) {
    x_lo = std::min(x_lo, p.x);
    x_hi = std::max(x_hi, p.x);
    y_lo = std::min(y_lo, p.y);
    y_hi = std::max(y_hi, p.y);
  }
  double extent = std::max(x_hi - x_lo, y_hi - y_lo);
  // All points in one place, or nearer than anything can tell: any scale will do.
  if (!(extent > 1e-100)) extent = 1.0;
  // A wave sin(c / sigma) has length 2 pi sigma.
  const double highest = 2.0 * extent / (2.0 * std::numbers::pi);
  double lowest = 4.0 * spacing / (2.0 * std::numbers::pi);
  // Where most points coincide the spacing is zero: stop four decades below the coarsest.
  lowest = std::clamp(lowest, highest * 1e-4, highest);
  return {lowest, highest};
}

}  // namespace pegnn
