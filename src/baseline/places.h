#pragma once
// Places as vectors whose straight-line distance every covariance function may use.

#include <cmath>

#include "base/array.h"
#include "pegnn/geo.h"

namespace pegnn {

// On the sphere the point of the globe, in metres: distances are chords through the Earth, for
// which any covariance function of three-dimensional space stays positive definite, which is not so
// for great-circle distances (Gneiting, Bernoulli 19, 2013). Elsewhere the coordinates, and z = 0.
struct Place {
  double x = 0, y = 0, z = 0;
};

Place place_of(Space space, Point point);
Array<Place> places_of(Space space, Span<const Point> points);

inline double squared_distance(const Place& a, const Place& b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

// Rows at the same place, taken together: k of them with mean label y and noise variance s2 tell as
// much as one with label y and noise variance s2 / k. Sites stand in the order of their first row.
struct Sites {
  Array<Point> points;
  Array<double> labels;         // means
  Array<double> counts;         // rows there
  Array<std::int32_t> site_of;  // of each row

  std::int64_t size() const { return std::ssize(points); }
};

Sites merge_coincident(Space space, Span<const Point> points, Span<const double> labels);

}  // namespace pegnn
