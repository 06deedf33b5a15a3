#pragma once
// Lengths as people read them: in kilometres or metres wherever their unit is known.

#include <string>

#include "pegnn/geo.h"

namespace pegnn {

// Of distances in that space between points of that CRS: 1 on the sphere, in a plane that of the
// CRS; 0 where it is not known, as in degrees.
double metres_per_unit(Space space, const Crs& crs);

// "11.9 km", "227 m"; where the metres of a unit are 0, not known, "30,000 units". Below 1,000 as
// many digits, from there whole numbers.
std::string length_text(double length, double metres_per_unit, int digits = 3);

}  // namespace pegnn
