#pragma once
// P-values when as many tests are made as there are rows; `classify` (pegnn/stats.h) goes by them.

#include "base/array.h"
#include "pegnn/stats.h"

namespace pegnn {

// Adjusted p-values of Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995): with the m values
// sorted, p_(1) <= ... <= p_(m),
//   adjusted_(i) = min over j >= i of  min(1, m p_(j) / j).
// Calling significant what is adjusted to alpha at most keeps the expected share of false ones
// among them at alpha, also under positive dependence between tests (Benjamini and Yekutieli, Ann.
// Stat. 29, 2001). For the directed p-values of Moran, which are half of two-sided ones, that share
// is twice alpha at most. NaN is no test: it stays NaN and does not count in m.
Array<double> benjamini_hochberg(Span<const double> p);

}  // namespace pegnn
