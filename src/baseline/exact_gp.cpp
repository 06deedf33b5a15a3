#include "baseline/exact_gp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/array.h"
#include "base/assert.h"
#include "linalg/cholesky.h"
#include "linalg/vectors.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// Rows of a symmetric matrix that one thread computes together, and queries that are compared with
// the training rows together: few enough to share out, enough to fill vector registers.
constexpr std::int64_t kRows = 32, kQueries = 16;
// Queries whose variances are solved for together: their n x 256 matrix is small beside the factor,
// which is read once for all of them.
constexpr std::int64_t kSolved = 256;

// Inputs divided by their length scales, one row for each column of the inputs: loops over pairs
// then run through memory in order.
struct ScaledColumns {
  std::int64_t rows = 0, columns = 0;
  Array<double> values;

  ScaledColumns(Mat<const double> x, Span<const double> length_scales)
      : rows(x.rows), columns(x.cols), values(x.rows * x.cols) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t c = 0; c < columns; ++c) {
        values[c * rows + i] = x(i, c) / length_scales[c];
      }
    }
  }
  const double* column(std::int64_t c) const { return values.data() + c * rows; }
};

// Whole blocks of queries are solved for: products with very few columns round differently, and a
// prediction must not depend on how many are asked for.
std::int64_t whole_blocks(std::int64_t queries) {
  return (queries + kQueries - 1) / kQueries * kQueries;
}

// Squared distances of row i to the rows before it.
void distances_before(const ScaledColumns& z, std::int64_t i, double* out) {
  std::fill_n(out, i, 0.0);
  for (std::int64_t c = 0; c < z.columns; ++c) {
    const double* column = z.column(c);
    const double own = column[i];
    for (std::int64_t j = 0; j < i; ++j) out[j] += (own - column[j]) * (own - column[j]);
  }
}

// sum_j weight_j (own - column_j)^2 in four sums side by side, whose order is fixed.
double weighted_squares(const double* weight, double own, const double* column, std::int64_t n) {
  double sum[4] = {};
  std::int64_t j = 0;
  for (; j + 4 <= n; j += 4) {
    for (std::int64_t lane = 0; lane < 4; ++lane) {
      const double difference = own - column[j + lane];
      sum[lane] += weight[j + lane] * difference * difference;
    }
  }
  for (; j < n; ++j) sum[0] += weight[j] * (own - column[j]) * (own - column[j]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

struct Weights {
  Array<double> alpha;
  double fit = 0;  // (y - m)^T K^-1 (y - m)
};

// alpha = K^-1 (y - m) from the factor of K; with `free_mean` after choosing m. The plain mean is
// taken off first, so that values far from zero lose no digits.
Weights solve_weights(const ThreadPool& pool, Mat<const double> factor, bool free_mean,
                      Span<const double> y, double& mean) {
  const std::int64_t n = factor.rows;
  if (free_mean) mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(n);
  Array<double> white;
  for (const double v : y) white.push_back(v - mean);
  solve_lower(pool, factor, {white.data(), n, 1});
  if (free_mean) {
    Array<double> ones(y.size(), 1.0);
    solve_lower(pool, factor, {ones.data(), n, 1});
    const double correction = dot(n, ones.data(), white.data()) / dot(n, ones.data(), ones.data());
    for (std::int64_t i = 0; i < std::ssize(white); ++i) white[i] -= correction * ones[i];
    mean += correction;
  }
  Weights weights;
  weights.fit = dot(n, white.data(), white.data());
  solve_lower_transposed(pool, factor, {white.data(), n, 1});
  weights.alpha = std::move(white);
  return weights;
}

// The part of the rows [begin, end) in  -1/2 sum_ij (K^-1 - alpha alpha^T)_ij dK_ij , each pair
// once.
void add_gradient(const GpParameters& parameters, const ScaledColumns& z, Mat<const double> inverse,
                  Span<const double> alpha, std::int64_t begin, std::int64_t end,
                  double* gradient) {
  Array<double> pull(end);
  double& by_variance = gradient[z.columns];
  double& by_noise = gradient[z.columns + 1];
  for (std::int64_t i = begin; i < end; ++i) {
    const double own = alpha[i];
    distances_before(z, i, pull.data());
    for (std::int64_t j = 0; j < i; ++j) {
      const double u = std::sqrt(pull[j]);
      const double weight = -(inverse(i, j) - own * alpha[j]) * parameters.variance;
      by_variance += weight * correlation(parameters.covariance, u);
      pull[j] = weight * slope_over_u(parameters.covariance, u);
    }
    for (std::int64_t c = 0; c < z.columns; ++c) {
      gradient[c] += weighted_squares(pull.data(), z.column(c)[i], z.column(c), i);
    }
    const double diagonal = -0.5 * (inverse(i, i) - own * own);
    by_variance += diagonal * parameters.variance;
    by_noise += diagonal * parameters.noise;
  }
}

void sum_gradient(const ThreadPool& pool, const GpParameters& parameters, Mat<const double> x,
                  Mat<const double> inverse, Span<const double> alpha, Span<double> gradient) {
  const ScaledColumns z(x, parameters.length_scales);
  const std::int64_t blocks = (x.rows + kRows - 1) / kRows;
  const auto width = std::ssize(gradient);
  Array<double> partial(blocks * width, 0.0);
  pool.for_each(blocks, [&](std::int64_t b) {
    add_gradient(parameters, z, inverse, alpha, b * kRows, std::min(x.rows, (b + 1) * kRows),
                 partial.data() + b * width);
  });
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::int64_t b = 0; b < blocks; ++b) {
    for (std::int64_t p = 0; p < width; ++p) {
      gradient[p] += partial[b * width + p];
    }
  }
}

// Covariances of the queries [first, first + mean.size()), at most kQueries of them, with all rows:
// weighted by alpha they add up to the mean; `cross` takes them unless it is empty. A query's
// arithmetic is the same wherever it stands and whatever stands beside it.
// cross: n x kQueries
void cover(const GpParameters& parameters, const ScaledColumns& z, Span<const double> alpha,
           const ScaledColumns& queries, std::int64_t first, Span<double> mean, Mat<double> cross) {
  Array<double> block(z.columns * kQueries, 0.0);
  for (std::int64_t c = 0; c < z.columns; ++c) {
    std::copy_n(queries.column(c) + first, mean.size(), block.data() + c * kQueries);
  }
  double sum[kQueries] = {}, pair[kQueries];
  for (std::int64_t i = 0; i < z.rows; ++i) {
    std::fill_n(pair, kQueries, 0.0);
    for (std::int64_t c = 0; c < z.columns; ++c) {
      const double own = z.column(c)[i];
      const double* query = block.data() + c * kQueries;
      for (std::int64_t t = 0; t < kQueries; ++t) pair[t] += (query[t] - own) * (query[t] - own);
    }
    for (std::int64_t t = 0; t < kQueries; ++t) {
      pair[t] = parameters.variance * correlation(parameters.covariance, std::sqrt(pair[t]));
      sum[t] += alpha[i] * pair[t];
    }
    if (cross.data != nullptr) std::copy_n(pair, kQueries, cross.row(i));
  }
  for (std::int64_t t = 0; t < std::ssize(mean); ++t) mean[t] = parameters.mean + sum[t];
}

// The squared length of each column.
void column_squares(const ThreadPool& pool, Mat<const double> a, Span<double> out) {
  pool.for_blocks(a.cols, kQueries, [&](std::int64_t begin, std::int64_t end) {
    double sum[kQueries] = {};
    for (std::int64_t i = 0; i < a.rows; ++i) {
      const double* row = a.row(i) + begin;
      for (std::int64_t t = 0; t < end - begin; ++t) {
        sum[t] += row[t] * row[t];
      }
    }
    std::copy_n(sum, end - begin, out.begin() + begin);
  });
}

}  // namespace

void covariance_matrix(const ThreadPool& pool, const GpParameters& parameters, Mat<const double> x,
                       Mat<double> k) {
  const ScaledColumns z(x, parameters.length_scales);
  pool.for_blocks(x.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      double* row = k.row(i);
      distances_before(z, i, row);
      for (std::int64_t j = 0; j < i; ++j) {
        row[j] = parameters.variance * correlation(parameters.covariance, std::sqrt(row[j]));
      }
      row[i] = parameters.variance + parameters.noise;
    }
  });
}

std::optional<double> log_marginal_likelihood(const ThreadPool& pool, GpParameters& parameters,
                                              bool free_mean, Mat<const double> x,
                                              Span<const double> y, Mat<double> work,
                                              Span<double> gradient) {
  covariance_matrix(pool, parameters, x, work);
  if (!cholesky(pool, work)) return {};
  const Weights weights = solve_weights(pool, work, free_mean, y, parameters.mean);
  const double value = -0.5 * (weights.fit + log_determinant(work) +
                               static_cast<double>(x.rows) * std::log(2 * std::numbers::pi));
  if (!gradient.empty()) {
    invert_from_cholesky(pool, work);
    sum_gradient(pool, parameters, x, work, weights.alpha, gradient);
  }
  return value;
}

void ExactGp::condition(const ThreadPool& pool, GpParameters parameters, bool free_mean,
                        Mat<const double> x, Span<const double> y,
                        const std::function<void()>& between) {
  restore(std::move(parameters), x, Array<double>(y.size(), 0.0));
  constexpr double kFirst = 1e-10, kGrowth = 10, kMost = 1;  // of the variance
  double extra = kFirst * parameters_.variance;
  while (!factorise(pool, between)) {
    parameters_.noise += extra;
    extra *= kGrowth;
    if (extra > kMost * parameters_.variance) {
      throw Error(ErrorKind::failure, "gp: the covariance matrix cannot be factorised");
    }
  }
  alpha_ = solve_weights(pool, factor(), free_mean, y, parameters_.mean).alpha;
}

void ExactGp::restore(GpParameters parameters, Mat<const double> x, Array<double> alpha) {
  PEGNN_ASSERT(x.rows == std::ssize(alpha), "one weight per row");
  parameters_ = std::move(parameters);
  columns_ = x.cols;
  x_.clear();
  for (std::int64_t i = 0; i < x.rows; ++i) x_.insert(x_.end(), x.row(i), x.row(i) + x.cols);
  alpha_ = std::move(alpha);
  factor_ = {};
}

bool ExactGp::factorise(const ThreadPool& pool, const std::function<void()>& between) const {
  AlignedBuffer<double> made(rows() * rows());  // half a factor is none, whatever ends the work
  const Mat<double> k(made.data(), rows(), rows());
  covariance_matrix(pool, parameters_, inputs(), k);
  if (!cholesky(pool, k, between)) return false;
  factor_ = std::move(made);
  return true;
}

bool ExactGp::has_factor() const {
  const std::scoped_lock lock(making_factor_);
  return factor_.size() > 0;
}

void ExactGp::need_factor(const ThreadPool& pool) const {
  const std::scoped_lock lock(making_factor_);
  if (factor_.size() > 0) return;
  if (!factorise(pool, {})) {
    throw Error(ErrorKind::model, "gp: the stored parameters give no valid covariance matrix");
  }
}

void ExactGp::predict(const ThreadPool& pool, Mat<const double> queries, Span<double> mean,
                      Span<double> variance) const {
  const ScaledColumns z(inputs(), parameters_.length_scales);
  const ScaledColumns q(queries, parameters_.length_scales);
  const auto part = [](Span<double> all, std::int64_t begin, std::int64_t end) {
    return all.subspan(begin, end - begin);
  };
  if (variance.empty()) {
    pool.for_blocks(queries.rows, kQueries, [&](std::int64_t begin, std::int64_t end) {
      cover(parameters_, z, alpha_, q, begin, part(mean, begin, end), {});
    });
    return;
  }
  need_factor(pool);
  const std::int64_t widest = whole_blocks(std::min(kSolved, queries.rows));
  AlignedBuffer<double> buffer(rows() * widest);
  for (std::int64_t first = 0; first < queries.rows; first += kSolved) {
    const std::int64_t count = std::min(kSolved, queries.rows - first);
    const Mat<double> cross(buffer.data(), rows(), whole_blocks(count));
    pool.for_blocks(count, kQueries, [&](std::int64_t begin, std::int64_t end) {
      cover(parameters_, z, alpha_, q, first + begin, part(mean, first + begin, first + end),
            cross.columns(begin, kQueries));
    });
    solve_lower(pool, factor(), cross);
    const Span<double> explained = part(variance, first, first + count);
    column_squares(pool, cross.columns(0, count), explained);
    for (double& v : explained) v = std::max(0.0, parameters_.variance - v);
  }
}

// [K^-1]_ii is the squared length of L^-1 e_i, which is zero above row i: the triangle below the
// first row asked for is enough.
void ExactGp::left_out_residuals(const ThreadPool& pool, Span<const std::int64_t> rows_asked,
                                 Span<double> residuals) const {
  need_factor(pool);
  const auto asked = std::ssize(rows_asked);
  AlignedBuffer<double> buffer;
  Array<double> diagonal(kSolved);
  for (std::int64_t begin = 0; begin < asked; begin += kSolved) {
    const auto block = rows_asked.subspan(begin, std::min(kSolved, asked - begin));
    const auto count = std::ssize(block);
    const std::int64_t top = block[0], below = rows() - top;
    buffer.resize(below * count);
    const Mat<double> unit(buffer.data(), below, count);
    for (std::int64_t t = 0; t < count; ++t) unit(block[t] - top, t) = 1;
    solve_lower(pool, factor().block(top, below).columns(top, below), unit);
    column_squares(pool, unit, diagonal);
    for (std::int64_t t = 0; t < std::ssize(block); ++t) {
      residuals[begin + t] = alpha_[block[t]] / diagonal[t];
    }
  }
}

}  // namespace pegnn
