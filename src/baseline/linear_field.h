#pragma once
// A linear mean in the features and a Gaussian process, found by maximum likelihood: what nngp and
// the kriging model of a network learn.

#include <optional>
#include <string>

#include "base/thread_pool.h"
#include "baseline/baseline.h"
#include "baseline/covariance_fit.h"
#include "baseline/observations.h"
#include "baseline/progress.h"

namespace pegnn {

// Those that `--kernel` leaves to choose from: the one it names, or with auto the exponential,
// matern32 and matern52.
Array<Covariance> kernels_of(const std::string& kernel);

// The rows as observations, with the features as columns of the mean where there are rows enough
// for them: three for each free coefficient, and more than one for each that is shrunk.
Observations make_linear_observations(const BaselineRows& rows, const BaselineSpec& spec,
                                      Slopes slopes);

struct LinearFields {
  Array<LikelihoodFit> fits;           // one for each kernel
  std::optional<LikelihoodFit> noise;  // without a field, where options do not ask for one
};

// What the fit may cost.
struct FieldEffort {
  std::int64_t terms = 10'000;  // factors of the likelihood that decide
  double tolerance = 1e-7;      // of the likelihood per row
};

// One fit for each of kernels_of(`--kernel`), all on the same sample of the likelihood's factors,
// with `--k` parents; the later ones start where the first has arrived. Labels that do not vary
// have one fit, without a likelihood.
LinearFields fit_linear_fields(const Observations& observations, const BaselineSpec& spec,
                               const ThreadPool& pool, FitProgress& progress,
                               const FieldEffort& effort = {});

}  // namespace pegnn
