#pragma once
// Where the inducing points of a sparse Gaussian process start.

#include <cstdint>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "baseline/covariance.h"

namespace pegnn {

// At most `most` rows of x, drawn one after the other with probability proportional to how
// uncertain their value is given the values at those drawn before: crowds get their share, and so
// do outliers. Stops where nothing is left uncertain, so that rows on top of each other are drawn
// once. These are the pivots of the randomly pivoted Cholesky factorisation (Chen, Epperly, Tropp
// and Webber, Comm. Pure Appl. Math. 78, 2025). Of a large table a random part stands to be drawn
// from. x: n x d, n at least 1; lengths: of each column
Array<std::int64_t> draw_inducing(const ThreadPool& pool, Covariance covariance,
                                  Mat<const double> x, Span<const double> lengths,
                                  std::int64_t most, std::uint64_t seed);

}  // namespace pegnn
