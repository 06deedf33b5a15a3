#pragma once
// Kriging with all observations at once, from one factorisation: for tables that are small.

#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "baseline/local_gaussian.h"
#include "baseline/places.h"

namespace pegnn {

// With residuals e of n observations, their correlations R (noise by counts on the diagonal), r
// between them and a query, and the mean m = 1' R^-1 e / 1' R^-1 1, or 0 where it is known:
//
//   mean      m + r' R^-1 (e - m)
//   variance  1 - r' R^-1 r + (1 - 1' R^-1 r)^2 / 1' R^-1 1, the last term where m is not known
//
// in units of sill + nugget; Cressie, Statistics for Spatial Data, 1993, section 3.2. n^2 numbers
// of memory, n^3 / 3 multiplications once, n for a mean and n^2 for a variance. Const methods may
// run at the same time; what is said of a query does not depend on the others or the number of
// threads.
class WholeField {
 public:
  // Observations at separate places. The spans but for `places` are not kept; `places` are
  // borrowed.
  WholeField(const SpatialModel& model, bool local_mean, Span<const Place> places,
             Span<const double> residuals, Span<const double> counts, const ThreadPool& pool);

  // Unless `variance` is empty, that of a new observation, noise included. Where there is no noise,
  // an observation's place has its residual, exactly, and a variance of 0.
  void predict(Span<const Place> queries, const ThreadPool& pool, Span<double> mean,
               Span<double> variance) const;

  // What the others say of the field at observation i.
  struct Others {
    double mean, variance;
  };
  Array<Others> leave_each_out(const ThreadPool& pool) const;

 private:
  Mat<const double> factor() const { return {factor_.data(), n_, n_}; }
  // Correlations of a block of queries with all observations, kQueries columns.
  void correlate(Span<const Place> queries, Mat<double> cross) const;

  Correlations correlations_;
  double share_;
  bool local_mean_;
  Span<const Place> places_;
  std::int64_t n_;
  Array<double> residuals_, counts_;
  AlignedBuffer<double> factor_;
  Array<double> alpha_, ones_;   // R^-1 (e - m), L^-1 1
  double mean_ = 0, total_ = 0;  // m, 1' R^-1 1
};

}  // namespace pegnn
