#include "baseline/variational_gp.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/array.h"
#include "baseline/correlations.h"
#include "linalg/cholesky.h"
#include "linalg/product.h"
#include "linalg/vectors.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// Added to the diagonal of the correlations of Z, which may lie on top of each other. The bound
// stays one: it is that of inducing values seen through a little noise.
constexpr double kJitter = 1e-6;

constexpr std::int64_t kRows = 16;  // per block of elementwise work

// Bounded parameters and the jitter leave only numbers that are not finite to come here.
[[noreturn]] void refuse() {
  throw Error(ErrorKind::failure,
              "svgp: learning has gone astray, a parameter is no longer a finite number; try "
              "another <option:kernel> or fewer points with <option:inducing>");
}

void reserve(AlignedBuffer<double>& buffer, std::int64_t size) {
  if (buffer.size() != size) buffer.resize(size);
}

Mat<double> column(Span<double> values) { return {values.data(), std::ssize(values), 1}; }

// Rows of x over the length scales, beside ones and their squares: [x / l, 1, (x / l)^2]. Sums of
// weighted squared differences are then one product.   out: n x (2 d + 1)
void scale_rows(Mat<const double> x, Span<const double> lengths, Mat<double> out) {
  for (std::int64_t i = 0; i < x.rows; ++i) {
    double* o = out.row(i);
    o[x.cols] = 1;
    for (std::int64_t c = 0; c < x.cols; ++c) {
      o[c] = x(i, c) / lengths[c];
      o[x.cols + 1 + c] = o[c] * o[c];
    }
  }
}

// The upper triangle becomes the mirror image of the lower one.
void mirror(Mat<double> a) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < i; ++j) a(j, i) = a(i, j);
  }
}

void transpose(Mat<double> a) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < i; ++j) std::swap(a(i, j), a(j, i));
  }
}

double trace(Mat<const double> a) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) sum += a(i, i);
  return sum;
}

// The lower triangle of c <- beta c + alpha a a^T, mirrored: half the work of a whole product.
// a: m x n, c: m x m
void add_square(const ThreadPool& pool, double alpha, Mat<const double> a, double beta,
                Mat<double> c) {
  constexpr std::int64_t kBlock = 192;
  for (std::int64_t first = 0; first < a.rows; first += kBlock) {
    const std::int64_t count = std::min(kBlock, a.rows - first);
    product(pool, alpha, a.block(first, count), Form::plain, a.block(0, first + count),
            Form::transposed, beta, c.block(first, count).columns(0, first + count));
  }
  mirror(c);
}

// out <- I - a
void identity_less(Mat<const double> a, Mat<double> out) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.cols; ++j) out(i, j) = (i == j ? 1.0 : 0.0) - a(i, j);
  }
}

// a <- L^-T a L^-1 for a symmetric a.
void congruence(const ThreadPool& pool, Mat<const double> l, Mat<double> a) {
  solve_lower_transposed(pool, l, a);
  transpose(a);
  solve_lower_transposed(pool, l, a);
}

}  // namespace

VariationalGp::VariationalGp(Covariance covariance, Array<std::int64_t> scale_of,
                             std::int64_t length_scales, std::int64_t inducing)
    : covariance_(covariance),
      scale_of_(std::move(scale_of)),
      inducing_(inducing),
      parameters_(inducing * columns() + length_scales + 3),
      precision_(inducing * inducing),
      covariance_of_q_(inducing * inducing),
      shift_(inducing),
      mean_of_q_(inducing),
      lengths_(scale_of_.size()) {
  for (std::int64_t i = 0; i < inducing; ++i) {  // q starts as the prior
    square(precision_)(i, i) = 1;
    square(covariance_of_q_)(i, i) = 1;
  }
  for (AlignedBuffer<double>* b : {&factor_, &slope_zz_, &moment_, &work_, &reduced_}) {
    b->resize(inducing * inducing);
  }
  scaled_z_.resize(inducing * (2 * columns() + 1));
  a_residual_.resize(inducing);
}

Span<double> VariationalGp::log_length_scales() {
  const std::int64_t first = inducing_ * columns();
  return Span(parameters_).subspan(first, parameters_.size() - 3 - first);
}

double VariationalGp::variance() const { return std::exp(parameters_[parameters_.size() - 3]); }
double VariationalGp::noise() const { return std::exp(parameters_[parameters_.size() - 2]); }

void VariationalGp::factorise(const ThreadPool& pool) {
  const Span<double> logs = log_length_scales();
  for (std::int64_t c = 0; c < std::ssize(lengths_); ++c) {
    lengths_[c] = std::exp(logs[scale_of_[c]]);
  }
  const Mat<double> z(scaled_z_.data(), inducing_, 2 * columns() + 1);
  scale_rows(locations(), lengths_, z);
  const Mat<const double> inputs = z.columns(0, columns());
  for (double jitter = kJitter;; jitter *= 10) {
    correlations(pool, covariance_, inputs, inputs, square(factor_), square(slope_zz_));
    for (std::int64_t i = 0; i < inducing_; ++i) square(factor_)(i, i) = 1 + jitter;
    if (cholesky(pool, square(factor_))) return;
    if (!(jitter < 1)) refuse();
  }
}

void VariationalGp::absorb(const ThreadPool& pool, Mat<const double> x, Span<const double> y) {
  const bool first = batch_ == 0;
  const double scale = std::sqrt(variance()), m = mean();
  const std::int64_t width = 2 * columns() + 1;
  for (AlignedBuffer<double>* b : {&a_, &slope_zx_, &pull_}) reserve(*b, inducing_ * x.rows);
  reserve(scaled_x_, x.rows * width);
  residual_.resize(y.size());
  for (std::int64_t b = 0; b < std::ssize(y); ++b) residual_[b] = y[b] - m;

  const Mat<double> inputs(scaled_x_.data(), x.rows, width);
  scale_rows(x, lengths_, inputs);
  const Mat<double> a(a_.data(), inducing_, x.rows);
  correlations(pool, covariance_, Mat<const double>(scaled_z_.data(), inducing_, columns(), width),
               inputs.columns(0, columns()), a, {slope_zx_.data(), inducing_, x.rows});
  solve_lower(pool, square(factor_), a);
  const double keep = first ? 0 : 1;
  add_square(pool, scale * scale, a, keep, square(moment_));
  product(pool, scale, a, Form::plain, column(residual_), Form::plain, keep, column(a_residual_));
  residual_squares_ = keep * residual_squares_ + dot(x.rows, residual_.data(), residual_.data());
  batch_ += x.rows;
}

void VariationalGp::attend(const ThreadPool& pool, Mat<const double> x, Span<const double> y,
                           std::int64_t total) {
  factorise(pool);
  batch_ = 0;
  total_ = total;
  absorb(pool, x, y);
}

void VariationalGp::follow(const ThreadPool& pool, double rate) {
  const double weight = static_cast<double>(total_) / static_cast<double>(batch_) / noise();
  const Mat<double> precision = square(precision_), inverse = square(covariance_of_q_);
  for (std::int64_t i = 0; i < inducing_; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      const double best = weight * square(moment_)(i, j) + (i == j ? 1.0 : 0.0);
      precision(i, j) += rate * (best - precision(i, j));
      inverse(i, j) = precision(i, j);
    }
    shift_[i] += rate * (weight * a_residual_[i] - shift_[i]);
  }
  if (!cholesky(pool, inverse)) refuse();
  log_precision_ = log_determinant(inverse);
  mean_of_q_ = shift_;
  solve_lower(pool, inverse, column(mean_of_q_));
  solve_lower_transposed(pool, inverse, column(mean_of_q_));
  invert_from_cholesky(pool, inverse);
  mirror(inverse);
}

// The sum over the batch of (y - m - a^T mu)^2 + s2 - a^T a + a^T C a, from A A^T and A (y - m).
double VariationalGp::misfit() const {
  const Mat<const double> moment = square(moment_), c = square(covariance_of_q_);
  double sum = residual_squares_ + static_cast<double>(batch_) * variance() - trace(moment);
  for (std::int64_t i = 0; i < inducing_; ++i) {
    const double mu = mean_of_q_[i];
    double row = -2 * mu * a_residual_[i];
    for (std::int64_t j = 0; j < inducing_; ++j) {
      row += moment(i, j) * (c(i, j) + mu * mean_of_q_[j]);
    }
    sum += row;
  }
  return sum;
}

double VariationalGp::bound() const {
  const double n = static_cast<double>(total_), share = n / static_cast<double>(batch_);
  const double divergence = 0.5 * (trace(square(covariance_of_q_)) +
                                   dot(inducing_, mean_of_q_.data(), mean_of_q_.data()) -
                                   static_cast<double>(inducing_) + log_precision_);
  return -0.5 * share * misfit() / noise() - 0.5 * n * std::log(2 * std::numbers::pi * noise()) -
         divergence;
}

// With c = n / (B noise), g = c (y - m - A^T mu) and D = mu (A g)^T - c (C - I) A A^T:
//   dE/dA    = mu g^T - c (C - I) A            dE/dK_zx = L^-T dE/dA
//   dE/dL    = -tril(dE/dK_zx A^T) = -tril(L^-T D)
//   dE/dK_zz = -L^-T T L^-1, where T is symmetric with the lower triangle of D / 2,
// by the reverse mode of the Cholesky factorisation (Murray, arXiv 1602.07527, 2016, equation 10),
// in which L^T tril(L^-T D) has the lower triangle of D. From these the sums over K dE/dK that make
// up the derivative by log s2 are tr D for K_zx and -tr D / 2 for K_zz.
void VariationalGp::gradient(const ThreadPool& pool, Span<double> out) {
  const double s2 = variance(), n = static_cast<double>(total_), b = static_cast<double>(batch_);
  const double c = n / b / noise();
  const Mat<const double> a(a_.data(), inducing_, batch_), moment = square(moment_);
  Array<double> g = residual_, ag = a_residual_;
  product(pool, -c * std::sqrt(s2), a, Form::transposed, column(mean_of_q_), Form::plain, c,
          column(g));
  product(pool, -c, moment, Form::plain, column(mean_of_q_), Form::plain, c, column(ag));
  const Mat<double> d = square(work_);
  product(pool, -c, square(covariance_of_q_), Form::plain, moment, Form::plain, 0, d);
  for (std::int64_t i = 0; i < inducing_; ++i) {
    const double mu = mean_of_q_[i];
    for (std::int64_t j = 0; j < inducing_; ++j) {
      d(i, j) += c * moment(i, j) + mu * ag[j];
    }
  }
  std::fill(out.begin(), out.end(), 0.0);
  const std::int64_t last = out.size() - 1;
  out[last - 2] = 0.5 * (trace(d) - c * b * s2);
  out[last - 1] = 0.5 * (c * misfit() - n);
  out[last] = std::accumulate(g.begin(), g.end(), 0.0);

  pull_of_rows(pool, g, c);
  pull_of_locations(pool);
  const std::int64_t width = 2 * columns() + 1;
  Array<double> room(inducing_ * width);
  const Mat<double> sums(room.data(), inducing_, width);
  product(pool, 1, Mat<const double>(pull_.data(), inducing_, batch_), Form::plain,
          Mat<const double>(scaled_x_.data(), batch_, width), Form::plain, 0, sums);
  add_distances(sums, 1, out);
  product(pool, 1, d, Form::plain, Mat<const double>(scaled_z_.data(), inducing_, width),
          Form::plain, 0, sums);
  add_distances(sums, 2, out);
}

// The derivatives by squared scaled distances between Z and x, times -2:
//   s2 dE/dK_zx * slope = sqrt(s2) L1^-T (mu g^T - c (C - I) A) * slope,   L1 = L / sqrt(s2)
void VariationalGp::pull_of_rows(const ThreadPool& pool, Span<const double> g, double c) {
  const double s2 = variance(), scale = std::sqrt(s2);
  const Mat<double> reduced = square(reduced_), pull(pull_.data(), inducing_, batch_);
  const Mat<const double> slope(slope_zx_.data(), inducing_, batch_);
  identity_less(square(covariance_of_q_), reduced);
  solve_lower_transposed(pool, square(factor_), reduced);
  Array<double> w = mean_of_q_;
  solve_lower_transposed(pool, square(factor_), column(w));
  product(pool, c * s2, reduced, Form::plain, Mat<const double>(a_.data(), inducing_, batch_),
          Form::plain, 0, pull);
  pool.for_blocks(inducing_, kRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double wi = scale * w[i];
      double* p = pull.row(i);
      const double* q = slope.row(i);
      for (std::int64_t j = 0; j < batch_; ++j) {
        p[j] = (p[j] + wi * g[j]) * q[j];
      }
    }
  });
}

// The same between the locations themselves, from D in `work_`, which it replaces.
void VariationalGp::pull_of_locations(const ThreadPool& pool) {
  const Mat<double> t = square(work_);
  mirror(t);
  congruence(pool, square(factor_), t);
  pool.for_blocks(inducing_, kRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t j = 0; j < inducing_; ++j) t(i, j) *= -0.5 * square(slope_zz_)(i, j);
      t(i, i) = 0;  // a location's distance from itself stays 0
    }
  });
}

// sums: pull times [x / l, 1, (x / l)^2]. `sides` is 2 where both sides of the distances are Z.
void VariationalGp::add_distances(Mat<const double> sums, double sides,
                                  Span<double> gradient) const {
  const std::int64_t d = columns();
  const Mat<const double> z(scaled_z_.data(), inducing_, d, 2 * d + 1);
  const Mat<double> by_location(gradient.data(), inducing_, d);
  const Span<double> by_length = gradient.subspan(inducing_ * d);
  for (std::int64_t i = 0; i < inducing_; ++i) {
    const double* s = sums.row(i);
    for (std::int64_t c = 0; c < d; ++c) {
      const double moved = z(i, c) * s[d] - s[c];  // sum of pull times the scaled difference
      by_location(i, c) -= sides * moved / lengths_[c];
      by_length[scale_of_[c]] += z(i, c) * (moved - s[c]) + s[d + 1 + c];
    }
  }
}

void VariationalGp::settle(const ThreadPool& pool, Mat<const double> x, Span<const double> y) {
  constexpr std::int64_t kPiece = 2048;
  factorise(pool);
  batch_ = 0;
  total_ = x.rows;
  for (std::int64_t first = 0; first < x.rows; first += kPiece) {
    const std::int64_t count = std::min(kPiece, x.rows - first);
    absorb(pool, x.block(first, count), y.subspan(first, count));
  }
  follow(pool, 1);
}

// With q fixed the bound is highest where the noise is the mean misfit; A and y - m do not depend
// on the noise, so that going back and forth costs no look at the rows.
void VariationalGp::balance(const ThreadPool& pool, double least) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    log_noise() = std::log(std::max(misfit() / static_cast<double>(batch_), least));
    follow(pool, 1);
  }
}

void VariationalGp::predictor(const ThreadPool& pool, Span<double> weights,
                              Mat<double> reduction) const {
  identity_less(square(covariance_of_q_), reduction);
  congruence(pool, square(factor_), reduction);
  for (std::int64_t i = 0; i < std::ssize(weights); ++i) {
    weights[i] = std::sqrt(variance()) * mean_of_q_[i];
  }
  solve_lower_transposed(pool, square(factor_), column(weights));
}

}  // namespace pegnn
