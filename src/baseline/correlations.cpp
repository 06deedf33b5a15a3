#include "baseline/correlations.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/array.h"

namespace pegnn {
namespace {

constexpr std::int64_t kRows = 16;      // of z, per block of work
constexpr std::int64_t kColumns = 256;  // of x, transposed at a time, so that sums run along them

// Squared distances of one row of z to `count` rows of x.   xt: d x kColumns
void squared_distances(const double* z, const double* xt, std::int64_t d, std::int64_t count,
                       double* out) {
  std::fill_n(out, count, 0.0);
  for (std::int64_t c = 0; c < d; ++c) {
    const double zc = z[c];
    const double* xc = xt + c * kColumns;
    for (std::int64_t j = 0; j < count; ++j) out[j] += (zc - xc[j]) * (zc - xc[j]);
  }
}

}  // namespace

void correlations(const ThreadPool& pool, Covariance covariance, Mat<const double> z,
                  Mat<const double> x, Mat<double> rho, Mat<double> slope) {
  const std::int64_t d = z.cols;
  pool.for_blocks(z.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
    Array<double> xt(d * kColumns);
    double squares[kColumns];
    for (std::int64_t first = 0; first < x.rows; first += kColumns) {
      const std::int64_t count = std::min(kColumns, x.rows - first);
      for (std::int64_t j = 0; j < count; ++j) {
        for (std::int64_t c = 0; c < d; ++c) {
          xt[c * kColumns + j] = x(first + j, c);
        }
      }
      for (std::int64_t i = begin; i < end; ++i) {
        squared_distances(z.row(i), xt.data(), d, count, squares);
        for (std::int64_t j = 0; j < count; ++j) squares[j] = std::sqrt(squares[j]);
        double* out = rho.row(i) + first;
        for (std::int64_t j = 0; j < count; ++j) out[j] = correlation(covariance, squares[j]);
        if (slope.rows == 0) continue;
        out = slope.row(i) + first;
        for (std::int64_t j = 0; j < count; ++j) out[j] = slope_over_u(covariance, squares[j]);
      }
    }
  });
}

}  // namespace pegnn
