#pragma once
// The variogram of observations (stats/variogram.h), in bins made for choosing a process by it.

#include <cstdint>
#include <vector>

#include "base/thread_pool.h"
#include "baseline/covariance_fit.h"
#include "baseline/local_gaussian.h"
#include "baseline/observations.h"
#include "baseline/progress.h"
#include "stats/variogram.h"

namespace pegnn {

// Method of moments (Matheron 1963), up to a third of the extent: all pairs of at most 2,000
// observations drawn at random, and each of these with its 30 nearest among all, so that short
// distances are there as well. Bin edges grow in proportion from the spacing of the points, since
// a field may vary within a thousandth of the extent. Empty bins are left out. Rows of one place
// make a bin of distance 0.
Array<VariogramBin> empirical_variogram(const Observations& observations, const Spacing& spacing,
                                        std::uint64_t seed, const ThreadPool& pool,
                                        const FitProgress& progress);

// Weighted least squares with Cressie's weights pairs / gamma(distance)^2 (Math. Geology 17, 1985),
// gamma the model's own variogram, over what is not given.
SpatialModel fit_by_variogram(const Array<VariogramBin>& bins, Covariance kernel,
                              const GivenCovariance& given, const Spacing& spacing,
                              double label_variance, FitProgress& progress);

}  // namespace pegnn
