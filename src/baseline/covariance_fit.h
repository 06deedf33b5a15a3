#pragma once
// Range, sill and nugget of a process: as given, or found by maximum likelihood.

#include "base/array.h"
#include "base/thread_pool.h"
#include "baseline/local_gaussian.h"
#include "baseline/observations.h"
#include "baseline/progress.h"
#include "baseline/vecchia.h"
#include "table/scaler.h"

namespace pegnn {

struct Options;

// What the options say, in scaled units of the target; the rest is to be found.
struct GivenCovariance {
  double range = 0;    // 0: to be found
  double sill = 0;     // 0: to be found
  double nugget = -1;  // below 0: to be found

  bool complete() const { return range > 0 && sill > 0 && nugget >= 0; }
  bool nothing() const { return !(range > 0) && !(sill > 0) && nugget < 0; }
};

GivenCovariance given_covariance(const Options& options, const ColumnScale& target);

// For labels that do not vary: no variance but what was given.
SpatialModel constant_field(Covariance kernel, const GivenCovariance& given,
                            const Spacing& spacing);

// Where a range is looked for: from well below the spacing of near points, where all is noise, to
// beyond the extent, where the field is a random walk and only sill / range matters.
struct RangeBounds {
  double lo, hi;
};
RangeBounds range_bounds(const Spacing& spacing);

struct LikelihoodFit {
  SpatialModel model;
  Array<double> mean;         // coefficients of the observations' mean_columns
  double log_likelihood = 0;  // of the terms: comparable between kernels
};

// How a likelihood is climbed.
struct LikelihoodClimb {
  double tolerance = 1e-7;              // of the likelihood per row; less than this is no step more
  const SpatialModel* start = nullptr;  // null: the best of a few starting points
};

// Maximises the likelihood over what is not given: the simplex of Nelder and Mead over log range
// and the log odds of the noise's share, with variance and mean in closed form.
LikelihoodFit fit_by_likelihood(const Observations& observations, const VecchiaTerms& terms,
                                Covariance kernel, const GivenCovariance& given,
                                const Spacing& spacing, const ThreadPool& pool,
                                FitProgress& progress, const LikelihoodClimb& climb = {});

// The same for noise alone, without a field: a sill of 0. Kernel and range are names only.
LikelihoodFit fit_noise(const Observations& observations, const VecchiaTerms& terms,
                        Covariance kernel, const Spacing& spacing, const ThreadPool& pool,
                        FitProgress& progress);

}  // namespace pegnn
