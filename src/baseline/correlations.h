#pragma once
// Correlations between two sets of inputs, whole matrices at a time.

#include "base/matrix.h"
#include "base/thread_pool.h"
#include "baseline/covariance.h"

namespace pegnn {

// rho_ij = correlation at the distance between row i of z and row j of x, both already divided by
// the length scales. `slope`, unless it has no rows, takes slope_over_u of the same distances. An
// entry depends on its two rows alone.   z: m x d, x: n x d, rho and slope: m x n
void correlations(const ThreadPool& pool, Covariance covariance, Mat<const double> z,
                  Mat<const double> x, Mat<double> rho, Mat<double> slope = {});

}  // namespace pegnn
