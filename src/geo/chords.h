#pragma once
// Many chords of the unit sphere at once become great-circle distances.

#include "base/array.h"

namespace pegnn {

// Nearly all neighbours are nearer than a tenth of the radius (637 km). There the series of
// 2 asin(c / 2) / c in (c / 2)^2 reaches double precision with these terms (the next is below
// 5e-18) and saves atan2, which would make a search for five neighbours a third slower. Last term
// first.
inline constexpr double kChordSeriesEnd = 0.01;  // the largest squared chord it serves
inline constexpr double kChordSeries[] = {63.0 / 2816, 35.0 / 1152, 5.0 / 112,
                                          3.0 / 40,    1.0 / 6,     1.0};

// In place, what metres_of_squared_chord (geo/sphere.h) says of each, bit for bit.
void chords_to_metres(Span<double> squared_chords);

}  // namespace pegnn
