#pragma once
// A mean that is linear in the features.

#include <cstddef>

#include "base/array.h"

namespace pegnn {

// `coefficients` of 1 and of each feature; none at all: 0. T is float or double.
template <class T>
double linear_mean(Span<const double> coefficients, const T* features) {
  if (coefficients.empty()) return 0;
  double sum = coefficients[0];
  for (std::int64_t f = 1; f < std::ssize(coefficients); ++f) {
    sum += coefficients[f] * static_cast<double>(features[f - 1]);
  }
  return sum;
}

}  // namespace pegnn
