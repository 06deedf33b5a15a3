#pragma once
// The process and the linear mean with which a network krigs its neighbours' labels, chosen from
// the rows it is trained on.

#include <cstdint>

#include "base/array.h"
#include "base/thread_pool.h"
#include "baseline/baseline.h"
#include "baseline/local_gaussian.h"
#include "baseline/progress.h"

namespace pegnn {

struct KrigingModel {
  SpatialModel process;  // in scaled units of the target
  Array<double> mean;    // coefficients of (1, features as they come); finite
  // Mean squared error of a sample of the rows, each predicted from its neighbours without itself:
  //   b.x_i + sum_j w_ij (y_j - b.x_j),   w: KrigingWeights (baseline/kriging_weights.h)
  double left_out_error = 0;
  double log_likelihood = 0;  // with the slopes integrated out: comparable between other features
};

// How many rows are looked at: up to `whole` all of them, of more those of `neighbourhoods` places
// with the nearest `neighbourhood` rows each. Wide enough for most rows to have their nearest in
// it, and together as many as a fit can use.
struct KrigingSample {
  std::int64_t whole = 200'000, neighbourhoods = 64, neighbourhood = 2048;
};

// Of `rows`, scaled and at least two, with `--k` neighbours and the kernel of `--kernel`; with auto
// that of exponential, matern32 and matern52 which has the least left_out_error. Range, sill and
// nugget are those of the greatest likelihood (linear_field.h), unless given. A field that adds
// less than 2 to the logarithm of the likelihood of noise alone is none: the sill is 0.
//
// The order of the rows does not matter, not by a bit; where only neighbourhoods are looked at, it
// decides between rows at the same distance. In a neighbourhood the rows stand as densely as in the
// table, which a sample of single rows would not. The same for any number of threads.
KrigingModel fit_kriging_model(const BaselineRows& rows, const BaselineSpec& spec,
                               const ThreadPool& pool, FitProgress& progress,
                               const KrigingSample& sample = {});

}  // namespace pegnn
