#pragma once
// The exact Gaussian process: marginal likelihood with gradients, and prediction.
//
//   y = m + f(x) + e,   f ~ GP(0, s2 rho(u)),   e ~ N(0, noise)
//   u^2 = sum_d ((x_d - x'_d) / l_d)^2
//   K = s2 rho + noise I,   alpha = K^-1 (y - m)
//   mean(x) = m + k(x)^T alpha,   var f(x) = s2 - k(x)^T K^-1 k(x)
//   log p(y) = -1/2 (y - m)^T alpha - 1/2 log|K| - n/2 log 2 pi
//
// Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006: sections 2.2, 5.4.1 and
// 5.4.2. Matrices of n rows cost n^2 numbers of memory and n^3 / 3 multiplications.

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "base/aligned_buffer.h"
#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "baseline/covariance.h"

namespace pegnn {

struct GpParameters {
  Covariance covariance = Covariance::matern32;
  Array<double> length_scales;  // one per column of the inputs, positive
  double variance = 1;          // s2
  double noise = 0.1;
  double mean = 0;  // m
};

// The lower triangle of K.   x: n x d, k: n x n
void covariance_matrix(const ThreadPool& pool, const GpParameters& parameters, Mat<const double> x,
                       Mat<double> k);

// The logarithm of the marginal likelihood, or nothing where K is not positive definite to working
// precision. Fills `gradient` unless it is empty: by the logarithm of each length scale, of the
// variance and of the noise (d + 2 numbers). With `free_mean`, m is first set to where the
// likelihood is largest, which has a closed form (generalised least squares),
//   m = 1^T K^-1 y / 1^T K^-1 1,
// and the gradient is that of the likelihood at the best m.
// x: n x d, y: n; `work`, n x n, is overwritten.
std::optional<double> log_marginal_likelihood(const ThreadPool& pool, GpParameters& parameters,
                                              bool free_mean, Mat<const double> x,
                                              Span<const double> y, Mat<double> work,
                                              Span<double> gradient);

// A process that has seen its rows. Predictions of a row do not depend on the rows asked with it.
// Const methods may run at the same time.
class ExactGp {
 public:
  // Where K is not positive definite to working precision, the noise is raised until it is. With
  // `free_mean` the best mean for all rows is taken. `between` is called now and then and may
  // throw. x: n x d, y: n
  void condition(const ThreadPool& pool, GpParameters parameters, bool free_mean,
                 Mat<const double> x, Span<const double> y,
                 const std::function<void()>& between = {});
  // The same from what was stored. The factor of K, which variances need, is computed once, for the
  // first caller that asks for them; others wait for it.
  void restore(GpParameters parameters, Mat<const double> x, Array<double> alpha);

  std::int64_t rows() const { return std::ssize(alpha_); }
  const GpParameters& parameters() const { return parameters_; }
  bool has_factor() const;
  Mat<const double> inputs() const { return {x_.data(), rows(), columns_}; }
  const Array<double>& alpha() const { return alpha_; }

  // The mean, and unless `variance` is empty the variance of f.   queries: q x d
  void predict(const ThreadPool& pool, Mat<const double> queries, Span<double> mean,
               Span<double> variance) const;

  // y_i minus the prediction of row i from all the other rows, alpha_i / [K^-1]_ii (equation 5.12).
  // `rows` ascend.
  void left_out_residuals(const ThreadPool& pool, Span<const std::int64_t> rows,
                          Span<double> residuals) const;

 private:
  Mat<double> factor() const { return {factor_.data(), rows(), rows()}; }
  bool factorise(const ThreadPool& pool, const std::function<void()>& between) const;
  void need_factor(const ThreadPool& pool) const;

  GpParameters parameters_;
  std::int64_t columns_ = 0;
  Array<double> x_, alpha_;
  // The lower triangle; empty until needed, then as it is.
  mutable std::mutex making_factor_;
  mutable AlignedBuffer<double> factor_;
};

}  // namespace pegnn
