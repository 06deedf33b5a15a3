#pragma once
// Loops that move numbers and compute next to nothing: memory sets their speed, so that all
// backends of the host share them. Contracts are in kernels/kernels.h.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/matrix.h"

namespace pegnn::plain {

template <class T>
void fill(T value, Mat<T> y) {
  for (std::int64_t i = 0; i < y.rows; ++i) std::fill_n(y.row(i), y.cols, value);
}

template <class T>
void copy(Mat<const T> x, Mat<T> y) {
  for (std::int64_t i = 0; i < y.rows; ++i) std::copy_n(x.row(i), y.cols, y.row(i));
}

template <class T>
void add(Mat<const T> x, Mat<T> y) {
  for (std::int64_t i = 0; i < y.rows; ++i) {
    for (std::int64_t c = 0; c < y.cols; ++c) y(i, c) += x(i, c);
  }
}

template <class T>
void clip(double longest, std::span<T> gradient) {
  double squares = 0;
  for (const T g : gradient) squares += static_cast<double>(g) * static_cast<double>(g);
  const double length = std::sqrt(squares);
  if (!(length > longest)) return;
  const auto scale = static_cast<T>(longest / length);
  for (T& g : gradient) g *= scale;
}

template <class T>
void average(double kept, std::span<const T> values, std::span<T> mean) {
  const auto share = static_cast<T>(kept);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    mean[i] = share * mean[i] + (T(1) - share) * values[i];
  }
}

template <class T>
bool all_finite(std::span<const T> values) {
  return std::all_of(values.begin(), values.end(), [](T v) { return std::isfinite(v); });
}

}  // namespace pegnn::plain
