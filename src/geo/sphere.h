#pragma once
// The unit sphere: exact trigonometry in degrees, unit vectors, chords.

#include "pegnn/geo.h"

namespace pegnn {

struct UnitVector {
  double x, y, z;
};

// The point of the unit sphere at longitude p.x, latitude p.y in degrees, both finite. Exact at
// multiples of 90 degrees: 180 and -180 give the same vector, as do all longitudes at a pole.
UnitVector unit_vector(Point p);

// Squared straight-line distance through the unit sphere: orders pairs as the great circle does.
inline double squared_chord(const UnitVector& a, const UnitVector& b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

// The great-circle distance that belongs to a squared chord, at least 0. Accurate to a few units in
// the last place, but near 4 (antipodes) the chord itself knows the angle to about 1e-8 only; there
// `great_circle` is better. Grows with the chord.
Metres metres_of_squared_chord(double squared_chord);

// Distance in the unit of the space: metres along the great circle on the sphere, coordinate units
// otherwise.
double distance(Space space, Point a, Point b);

}  // namespace pegnn
