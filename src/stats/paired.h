#pragma once
// Is the difference of two models' errors more than chance? A test on spatial blocks, and the
// correction for asking it of many models.

#include <cstdint>

#include "base/array.h"
#include "pegnn/geo.h"

namespace pegnn {

// The two-sided p-value of a total that is the sum of `blocks`, at most 64 of them.
//
// If neither model were better, every block's sum could as well have the other sign. So all signs
// are drawn at random, 9,999 times, and p = (1 + how often the total is then at least as far from 0
// as the one seen) / 10,000. Blocks large enough to be nearly independent of each other make this
// right although neighbouring rows are not (Canay, Romano and Shaikh, Econometrica 85, 2017); a
// t-test over rows would find differences where there are none.
//
// `noise` is the standard deviation that the total has for another reason (other training seeds);
// every draw gets its share of it. 1 when there are no blocks or all are 0. The same seed gives the
// same value.
double sign_flip_p(Span<const double> blocks, double noise, std::uint64_t seed);

// The same for one difference per row, added up over spatial blocks of about equal numbers of rows:
// the larger of the p-values of 16 and of 32 blocks. Fewer blocks are nearer to independence, more
// of them notice more; a lead that only one of the two sees is not taken for one. As many points
// as differences, all finite; the space is sphere or plane.
double paired_p(Span<const Point> points, Space space, Span<const double> differences, double noise,
                std::uint64_t seed);

// p-values corrected for their number (Holm, Scand. J. Statist. 6, 1979): the smallest times n, the
// next times n - 1, ..., never less than the one before and never more than 1.
Array<double> holm(Span<const double> p);

}  // namespace pegnn
