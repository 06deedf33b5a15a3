#pragma once
// The likelihood of a Gaussian process as a product of small conditional densities.
//
//   p(y) = prod_i p(y_i | y_parents(i)),   parents among the observations earlier in an order
//
// Vecchia (J. R. Statist. Soc. B 50, 1988), with the observations in random order (Guinness,
// Technometrics 60, 2018); as a process of its own: Datta, Banerjee, Finley and Gelfand (J. Am.
// Statist. Assoc. 111, 2016). With all earlier observations as parents it is the exact likelihood.

#include <cstdint>

#include "base/array.h"
#include "base/thread_pool.h"
#include "baseline/local_gaussian.h"
#include "baseline/observations.h"
#include "baseline/progress.h"

namespace pegnn {

// Factors of the product: observations, each with its parents.
struct VecchiaTerms {
  std::int64_t most_parents = 0;
  Array<std::int32_t> children;
  Array<std::int32_t> parents;  // children x most_parents, nearest first; -1: no more

  std::int64_t size() const { return std::ssize(children); }
};

// Puts the observations into a random order and takes at most `most_terms` of the factors, drawn at
// random: their sum estimates the whole without bias, and as every factor has the parents that it
// has among all observations, short distances count.
//
// The parents of the observation at position i are the nearest of the first s <= i, where s grows
// by a quarter from one search structure to the next: nearly the nearest of all earlier ones, at
// the cost of five structures over all instead of one for each. Any earlier observations are
// parents by right, so the product stays a density.
VecchiaTerms vecchia_terms(const Observations& observations, std::int64_t most_parents,
                           std::int64_t most_terms, std::uint64_t seed, const ThreadPool& pool,
                           const FitProgress& progress);

struct VecchiaFit {
  double log_likelihood = 0;  // of the rows of the table behind the terms
  double variance = 0;        // sill + nugget
  Array<double> mean;         // coefficients of the observations' mean_columns
};

// The likelihood at given correlations, maximised in closed form over the coefficients of the mean
// (mean_equations.h; slopes that are shrunk are integrated out) and, for `variance` 0, the
// variance. `shape` gives range and share of noise; its sill + nugget is not looked at. Rows that
// were merged count as they would apart. Same bits for any number of threads.
VecchiaFit vecchia_fit(const Observations& observations, const VecchiaTerms& terms,
                       const SpatialModel& shape, double variance, const ThreadPool& pool,
                       const FitProgress& progress);

}  // namespace pegnn
