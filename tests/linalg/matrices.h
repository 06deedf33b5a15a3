#pragma once
// Matrices for the tests of linalg/.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/matrix.h"
#include "base/philox.h"

namespace pegnn::test {

// Where nothing may be read, NaN finds a kernel out that does; where nothing may be written, a
// number does, since a NaN stays one whatever is added.
inline constexpr double kUnread = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kUnwritten = 777;

// A matrix whose rows stand a little apart, with `between` in the gaps and, at first, everywhere.
class Spaced {
 public:
  Spaced(std::int64_t rows, std::int64_t cols, double between = kUnread)
      : numbers_(static_cast<std::size_t>(rows * (cols + kGap)), between),
        rows_(rows),
        cols_(cols),
        stride_(cols + kGap),
        between_(between) {}

  Mat<double> mat() { return {numbers_.data(), rows_, cols_, stride_}; }
  Mat<const double> mat() const { return {numbers_.data(), rows_, cols_, stride_}; }
  double& operator()(std::int64_t i, std::int64_t j) { return mat()(i, j); }
  double operator()(std::int64_t i, std::int64_t j) const { return mat()(i, j); }
  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }

  // Everything, the gaps too, as bits can be compared: NaN equals NaN.
  std::vector<std::uint64_t> bits() const {
    std::vector<std::uint64_t> result;
    for (const double x : numbers_) result.push_back(std::bit_cast<std::uint64_t>(x));
    return result;
  }
  bool untouched(std::int64_t i, std::int64_t j) const {
    const double x = mat()(i, j);
    return std::isnan(between_) ? std::isnan(x) : x == between_;
  }
  bool gaps_are_untouched() const {
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t j = cols_; j < stride_; ++j) {
        if (!untouched(i, j)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::int64_t kGap = 3;
  std::vector<double> numbers_;
  std::int64_t rows_, cols_, stride_;
  double between_;
};

inline Spaced random_matrix(std::int64_t rows, std::int64_t cols, std::uint64_t seed,
                            double between = kUnread) {
  Spaced result(rows, cols, between);
  const Rng rng{seed, Stream::sample};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) {
      result(i, j) =
          2 * rng.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)) - 1;
    }
  }
  return result;
}

// Element of the covariance of places on a line, exp(-distance) with a nugget: positive definite.
inline double covariance(std::int64_t i, std::int64_t j) {
  const Rng rng{5, Stream::sample};
  const double x = 20 * rng.uniform(0, static_cast<std::uint64_t>(i));
  const double y = 20 * rng.uniform(0, static_cast<std::uint64_t>(j));
  return std::exp(-std::abs(x - y)) + (i == j ? 0.2 : 0.0);
}

// The lower triangle of an n x n covariance; above the diagonal stands `above`.
inline Spaced lower_covariance(std::int64_t n, double above = kUnread) {
  Spaced result(n, n, above);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) result(i, j) = covariance(i, j);
  }
  return result;
}

}  // namespace pegnn::test
