#pragma once
// How gp finds its length scales, variance and noise: rows to learn from, and the search.

#include <cstdint>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "baseline/covariance.h"
#include "baseline/exact_gp.h"
#include "baseline/gp_inputs.h"
#include "baseline/progress.h"
#include "pegnn/geo.h"

namespace pegnn {

// At most `most` of the rows to learn from, in random order but for pairs of neighbours.
Array<std::int64_t> learning_rows(Span<const Point> points, Space space, std::int64_t most,
                                  std::uint64_t seed, const ThreadPool& pool);

// The parameters that maximise the marginal likelihood of `rows` among the rows of x and y, found
// with limited-memory BFGS in at most `steps` evaluations. They start and stay within bounds that
// suit inputs and a target of order 1.   x: n x inputs.columns(), y: n
GpParameters learn_parameters(const GpInputs& inputs, Covariance covariance, Mat<const double> x,
                              Span<const double> y, Span<const std::int64_t> rows,
                              std::int64_t steps, const ThreadPool& pool, FitProgress& progress);

}  // namespace pegnn
