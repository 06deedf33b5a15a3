#pragma once
// The variational bound of a sparse Gaussian process, with its gradients: the mathematics of svgp.

#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "baseline/covariance.h"

namespace pegnn {

// The model is  y = m + f(x) + e  with f ~ GP(0, s2 rho(u)), u^2 = sum_d ((x_d - x'_d) / l_d)^2 and
// e ~ N(0, noise). What the rows tell is kept as q(v) = N(mu, C) over M whitened values
// v = L^-1 f(Z) at the inducing locations Z, where L L^T = K_zz, so that v has the prior N(0, I).
// With A = L^-1 K_zx for a batch of B out of n rows the bound on the log evidence is
//
//   E = (n / B) sum_b [log N(y_b | m + a_b^T mu, noise) - (s2 - a_b^T a_b + a_b^T C a_b) / 2 noise]
//       - KL(q(v) || N(0, I))
//
// (Hensman, Fusi and Lawrence, UAI 2013; whitened as in Hensman, Matthews and Ghahramani, AISTATS
// 2015). q is kept by its natural parameters C^-1 and C^-1 mu, in which a natural gradient step of
// length r is a weighted mean with the best q of the batch (Hensman et al. 2013, section 3.3):
//
//   C^-1    <- (1 - r) C^-1    + r (I + (n / B) A A^T / noise)
//   C^-1 mu <- (1 - r) C^-1 mu + r (n / B) A (y - m) / noise
//
// A step of length 1 on all rows gives the best q there is, and E becomes the bound of Titsias
// (AISTATS 2009).
class VariationalGp {
 public:
  // `scale_of` names the length scale that each column of the inputs uses.
  VariationalGp(Covariance covariance, Array<std::int64_t> scale_of, std::int64_t length_scales,
                std::int64_t inducing);

  std::int64_t inducing() const { return inducing_; }
  std::int64_t columns() const { return std::ssize(scale_of_); }

  // Everything but q, in one row: Z (M x columns), log l, log s2, log noise, m. May be changed
  // between calls; q stays as it is.
  Span<double> parameters() { return parameters_; }
  Mat<double> locations() { return {parameters_.data(), inducing_, columns()}; }
  Span<double> log_length_scales();
  double& log_variance() { return parameters_[parameters_.size() - 3]; }
  double& log_noise() { return parameters_[parameters_.size() - 2]; }
  double& mean() { return parameters_[parameters_.size() - 1]; }

  // Looks at a batch of `total` rows at the present parameters; what follows speaks of it.
  // x: B x columns, y: B
  void attend(const ThreadPool& pool, Mat<const double> x, Span<const double> y,
              std::int64_t total);
  // The natural gradient step of length `rate` in (0, 1].
  void follow(const ThreadPool& pool, double rate);
  // E at the present q.
  double bound() const;
  // Its derivatives by `parameters`, q fixed; not after `settle`.
  void gradient(const ThreadPool& pool, Span<double> out);

  // The best q for all rows, seen in pieces of bounded memory.   x: n x columns, y: n
  void settle(const ThreadPool& pool, Mat<const double> x, Span<const double> y);
  // After `settle`: the noise that is best for all rows, at least `least`, and the best q with it.
  void balance(const ThreadPool& pool, double least);

  // What a prediction needs: with r the correlations of a place with Z,
  //   mean of f = m + r^T weights,   variance of f = s2 (1 - r^T reduction r).
  // weights: M, reduction: M x M
  void predictor(const ThreadPool& pool, Span<double> weights, Mat<double> reduction) const;

 private:
  Mat<double> square(AlignedBuffer<double>& buffer) const {
    return {buffer.data(), inducing_, inducing_};
  }
  Mat<const double> square(const AlignedBuffer<double>& buffer) const {
    return {buffer.data(), inducing_, inducing_};
  }
  void factorise(const ThreadPool& pool);
  void absorb(const ThreadPool& pool, Mat<const double> x, Span<const double> y);
  double misfit() const;
  void pull_of_rows(const ThreadPool& pool, Span<const double> g, double c);
  void pull_of_locations(const ThreadPool& pool);
  void add_distances(Mat<const double> sums, double sides, Span<double> gradient) const;
  double variance() const;
  double noise() const;

  Covariance covariance_;
  Array<std::int64_t> scale_of_;
  std::int64_t inducing_;
  Array<double> parameters_;

  // q: C^-1, C^-1 mu, C, mu and log |C^-1|.
  AlignedBuffer<double> precision_, covariance_of_q_;
  Array<double> shift_, mean_of_q_;
  double log_precision_ = 0;

  // Of the batch. Factors and slopes are those of correlations: L = sqrt(s2) factor_.
  std::int64_t batch_ = 0, total_ = 0;
  Array<double> lengths_;                          // of each column
  AlignedBuffer<double> scaled_z_, scaled_x_;      // over the length scales: 1, value, its square
  AlignedBuffer<double> factor_, slope_zz_;        // M x M
  AlignedBuffer<double> a_, slope_zx_, pull_;      // M x B
  AlignedBuffer<double> moment_, work_, reduced_;  // M x M: A A^T, and room
  Array<double> residual_;                         // y - m
  Array<double> a_residual_;                       // A (y - m)
  double residual_squares_ = 0;
};

}  // namespace pegnn
