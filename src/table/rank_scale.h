#pragma once
// Normal scores of a column: where a value stands among those fitted on, as a normal deviate.
//
//   z = Phi^-1((r_lo + r_hi) / 2n),   r_lo values lie below, r_hi do not lie above
//
// (van der Waerden's scores, ties in the middle of their ranks.) The share is kept within 0.001 of
// 0 and 1, so that |z| < 3.1 and the outermost thousandth of a column stands in one place.

#include <cstddef>

#include "base/array.h"

namespace pegnn {

// At most kMostKnots values and their scores, both ascending, the values strictly. In between, the
// score is on the line from knot to knot; beyond the ends it stays what it is there, as a network
// has learned nothing of what lies farther out. So a constant column becomes 0 for every value.
struct RankScale {
  static constexpr std::int64_t kMostKnots = 1024;

  Array<double> values;
  Array<double> scores;

  double apply(double value) const;
  friend bool operator==(const RankScale&, const RankScale&) = default;
};

// Fitted on a column's values, all finite, their range too. Up to kMostKnots different values have
// their exact score; of more, scores are off by 0.0121 at most (6.18 / 512).
RankScale fit_ranks(Array<double> column);

}  // namespace pegnn
