#pragma once
// How svgp finds inducing points, length scales, variance, noise and mean.

#include <cstdint>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "baseline/covariance.h"
#include "baseline/gp_inputs.h"
#include "baseline/progress.h"
#include "baseline/variational_gp.h"

namespace pegnn {

struct VariationalSettings {
  Covariance covariance = Covariance::matern32;
  std::int64_t inducing = 500;  // at most
  std::int64_t batch = 2048;    // rows per step; 0 or more than there are: all
  std::int64_t steps = 1;
  std::uint64_t seed = 0;
};

// The process that makes the variational bound large, settled on all rows. A small process with few
// inducing points, started from several length scales of the place, tells where to begin and where
// inducing points are needed; then all parameters climb together, with natural gradient steps for q
// between steps of Adam (Salimbeni, Eleftheriadis and Hensman, AISTATS 2018). Both inputs and
// target are of order 1.   x: n x inputs.columns(), y: n
VariationalGp learn_variational(const GpInputs& inputs, const VariationalSettings& settings,
                                Mat<const double> x, Span<const double> y, const ThreadPool& pool,
                                FitProgress& progress);

}  // namespace pegnn
