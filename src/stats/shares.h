#pragma once
// Shares: weights that are not negative and sum up to 1, found by least squares.

#include <cstdint>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"

namespace pegnn {

// Groups of weights a, as many in each, that minimise  a^T q a - 2 c^T a  where no weight is below
// 0 and those of every group sum up to 1. q is symmetric and positive definite, of 12 weights at
// most; the smallest sets of weights that are not 0 are tried first and win ties.
// q: n x n, c: n, n = groups x per_group
Array<double> best_shares(Mat<const double> q, Span<const double> c, std::int64_t per_group,
                          const ThreadPool& pool);

}  // namespace pegnn
