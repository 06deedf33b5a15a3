#pragma once
// Places as vectors whose straight-line distance every covariance function may use.

#include <cmath>
#include <span>
#include <vector>

#include "pegnn/geo.h"

namespace pegnn {

// On the sphere the point of the globe, in metres: distances are chords through the Earth, for
// which any covariance function of three-dimensional space stays positive definite, which is not so
// for great-circle distances (Gneiting, Bernoulli 19, 2013). Elsewhere the coordinates, and z = 0.
struct Place {
  double x = 0, y = 0, z = 0;
};

Place place_of(Space space, Point point);
std::vector<Place> places_of(Space space, std::span<const Point> points);

inline double squared_distance(const Place& a, const Place& b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

// Rows at the same place, taken together: k of them with mean label y and noise variance s2 tell as
// much as one with label y and noise variance s2 / k. Sites stand in the order of their first row.
struct Sites {
  std::vector<Point> points;
  std::vector<double> labels;         // means
  std::vector<double> counts;         // rows there
  std::vector<std::int32_t> site_of;  // of each row

  std::int64_t size() const { return static_cast<std::int64_t>(points.size()); }
};

Sites merge_coincident(Space space, std::span<const Point> points, std::span<const double> labels);

}  // namespace pegnn
