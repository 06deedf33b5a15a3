#include "baseline/whole_field.h"

#include <algorithm>
#include <cmath>

#include "linalg/cholesky.h"
#include "linalg/vectors.h"

namespace pegnn {
namespace {

// Queries that are solved for together: products of very few columns round differently, and a
// query's numbers must not depend on how many are asked for.
constexpr std::int64_t kQueries = 16;
// Queries whose variances are solved for in one go, whole blocks of kQueries.
constexpr std::int64_t kSolved = 256;

// Added to the diagonal until the matrix has a factor: rows that nearly coincide under a smooth
// covariance leave nothing but rounding between them.
constexpr double kJitters[] = {0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4};

}  // namespace

WholeField::WholeField(const SpatialModel& model, bool local_mean, Span<const Place> places,
                       Span<const double> residuals, Span<const double> counts,
                       const ThreadPool& pool)
    : correlations_(model.kernel, model.range, model.share()),
      share_(model.share()),
      local_mean_(local_mean),
      places_(places),
      n_(places.size()),
      residuals_(residuals.begin(), residuals.end()),
      counts_(counts.begin(), counts.end()),
      factor_(n_ * n_) {
  const Mat<double> r(factor_.data(), n_, n_);
  for (const double jitter : kJitters) {
    constexpr std::int64_t kRows = 16;
    pool.for_blocks(n_, kRows, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        for (std::int64_t j = 0; j < i; ++j) r(i, j) = correlations_(places_[i], places_[j]);
        r(i, i) = correlations_.own(counts_[i]) + jitter;
      }
    });
    if (cholesky(pool, r)) break;
  }
  alpha_ = residuals_;
  solve_lower(pool, r, {alpha_.data(), n_, 1});
  if (local_mean_) {
    ones_.assign(n_, 1.0);
    solve_lower(pool, r, {ones_.data(), n_, 1});
    total_ = dot(n_, ones_.data(), ones_.data());
    mean_ = dot(n_, ones_.data(), alpha_.data()) / total_;
    for (std::int64_t i = 0; i < n_; ++i) alpha_[i] -= mean_ * ones_[i];
  }
  solve_lower_transposed(pool, r, {alpha_.data(), n_, 1});
}

void WholeField::correlate(Span<const Place> queries, Mat<double> cross) const {
  for (std::int64_t i = 0; i < n_; ++i) {
    double* const row = cross.row(i);
    for (std::int64_t q = 0; q < queries.size(); ++q) {
      row[q] = correlations_(places_[i], queries[q]);
    }
    std::fill(row + queries.size(), row + cross.cols, 0.0);
  }
}

void WholeField::predict(Span<const Place> queries, const ThreadPool& pool, Span<double> mean,
                         Span<double> variance) const {
  Array<double> room(n_ * kSolved);
  for (std::int64_t first = 0; first < queries.size(); first += kSolved) {
    const std::int64_t count = std::min(kSolved, queries.size() - first);
    const std::int64_t columns = (count + kQueries - 1) / kQueries * kQueries;
    const Mat<double> cross(room.data(), n_, columns);
    pool.for_blocks(columns, kQueries, [&](std::int64_t begin, std::int64_t end) {
      const auto some = queries.subspan(first + begin, std::min(end, count) - begin);
      correlate(some, cross.columns(begin, kQueries));
      double sum[kQueries] = {};
      for (std::int64_t i = 0; i < n_; ++i) {
        const double* const row = cross.row(i) + begin;
        for (std::int64_t q = 0; q < kQueries; ++q) sum[q] += alpha_[i] * row[q];
      }
      for (std::int64_t q = 0; q < some.size(); ++q) mean[first + begin + q] = mean_ + sum[q];
    });
    if (!variance.empty()) {
      solve_lower(pool, factor(), cross);
      pool.for_blocks(columns, kQueries, [&](std::int64_t begin, std::int64_t end) {
        double squares[kQueries] = {}, known[kQueries] = {};
        for (std::int64_t i = 0; i < n_; ++i) {
          const double* const row = cross.row(i) + begin;
          const double one = local_mean_ ? ones_[i] : 0;
          for (std::int64_t q = 0; q < kQueries; ++q) {
            squares[q] += row[q] * row[q];
            known[q] += one * row[q];
          }
        }
        for (std::int64_t q = begin; q < std::min(end, count); ++q) {
          const double left = 1 - known[q - begin];
          const double of_mean = local_mean_ ? left * left / total_ : 0;
          variance[first + q] = std::max(1 - squares[q - begin] + of_mean, share_);
        }
      });
    }
    if (share_ > 0) continue;
    pool.for_blocks(count, kQueries, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t q = first + begin; q < first + end; ++q) {
        for (std::int64_t i = 0; i < n_; ++i) {
          if (squared_distance(places_[i], queries[q]) > 0) continue;
          mean[q] = residuals_[i];
          if (!variance.empty()) variance[q] = 0;
        }
      }
    });
  }
}

// With Q = R^-1, less R^-1 1 1' R^-1 / 1' R^-1 1 where the mean is not known, the others miss
// observation i by alpha_i / Q_ii, with variance 1 / Q_ii, its own noise included.
Array<WholeField::Others> WholeField::leave_each_out(const ThreadPool& pool) const {
  AlignedBuffer<double> room = factor_;
  const Mat<double> inverse(room.data(), n_, n_);
  Array<double> sums = ones_;
  if (local_mean_) solve_lower_transposed(pool, inverse, {sums.data(), n_, 1});
  invert_from_cholesky(pool, inverse);
  Array<Others> others(n_);
  for (std::int64_t i = 0; i < n_; ++i) {
    const double of_mean = local_mean_ ? sums[i] * sums[i] / total_ : 0;
    const double q = inverse(i, i) - of_mean;
    // A single observation of an unknown mean: nothing is left to say.
    if (!(q > 0)) {
      others[i] = {mean_, 1};
      continue;
    }
    others[i] = {residuals_[i] - alpha_[i] / q, std::max(1 / q - share_ / counts_[i], 0.0)};
  }
  return others;
}

}  // namespace pegnn
