#pragma once
// Places and numbers that a caller hands over as arrays, checked as those of a table are.

#include <string_view>

#include "base/array.h"
#include "pegnn/geo.h"

namespace pegnn {

// The points, with longitudes in (180, 360] brought to (-180, 0]. Error{usage} for a coordinate
// that is not finite; where `geographic`, for one outside [-180, 360] or [-90, 90]; else for one
// beyond 1e100.
Array<Point> checked_points(Span<const Point> points, bool geographic);

// Whether a place of a model is one: longitude in [-180, 180] and latitude in [-90, 90] where
// `geographic`, else two numbers up to 1e100.
bool is_place(bool geographic, Point point);

// Error{usage} unless all are finite; `what` they are: "value", "weight".
void check_finite(Span<const double> values, std::string_view what);

}  // namespace pegnn
