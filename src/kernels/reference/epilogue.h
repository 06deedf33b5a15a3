#pragma once
// The epilogue of a kernel and its gradient, one row at a time, as plain loops.

#include <cmath>

#include "kernels/dropout.h"
#include "kernels/kernels.h"

namespace pegnn::reference {

// Does what was put off; the loops that follow may run at once.
inline const ThreadPool& now(Schedule& schedule) {
  schedule.run();
  return schedule.pool();
}

template <class T>
T activate(Activation activation, T v) {
  switch (activation) {
    case Activation::identity:
      return v;
    case Activation::relu:
      return v > T(0) ? v : T(0);
    case Activation::tanh:
      return std::tanh(v);
    case Activation::sigmoid:
      return T(1) / (T(1) + std::exp(-v));
  }
  return v;
}

// The derivative from the activated value.
template <class T>
T slope(Activation activation, T value) {
  switch (activation) {
    case Activation::identity:
      return T(1);
    case Activation::relu:
      return value > T(0) ? T(1) : T(0);
    case Activation::tanh:
      return T(1) - value * value;
    case Activation::sigmoid:
      return value * (T(1) - value);
  }
  return T(1);
}

template <class T>
void apply(const Epilogue<T>& e, std::int64_t row, Mat<T> y) {
  const T keep_scale = static_cast<T>(1.0 / dropout_share(e.dropout.rate));
  for (std::int64_t j = 0; j < y.cols; ++j) {
    T v = y(row, j);
    if (e.base.data != nullptr) v += e.base(row, j);
    if (e.bias != nullptr) v += e.bias[j];
    v = activate(e.activation, v);
    if (e.dropout.rate > 0) v = dropout_keeps(e.dropout, row, j) ? v * keep_scale : T(0);
    y(row, j) = v;
  }
}

// Gradient of the epilogue for one row, in place.
template <class T>
void epilogue_row_backward(const Epilogue<T>& e, std::int64_t row, Mat<const T> y, Mat<T> dy) {
  const T keep = static_cast<T>(dropout_share(e.dropout.rate));
  for (std::int64_t j = 0; j < dy.cols; ++j) {
    T value = y(row, j);
    T g = dy(row, j);
    if (e.dropout.rate > 0) {
      const bool kept = dropout_keeps(e.dropout, row, j);
      value *= keep;  // the activated value before it was scaled
      g = kept ? g / keep : T(0);
    }
    dy(row, j) = g * slope(e.activation, value);
  }
}

}  // namespace pegnn::reference
