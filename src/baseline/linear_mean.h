#pragma once
// A mean that is linear in the features.

#include <cstddef>
#include <span>

namespace pegnn {

// `coefficients` of 1 and of each feature; none at all: 0. T is float or double.
template <class T>
double linear_mean(std::span<const double> coefficients, const T* features) {
  if (coefficients.empty()) return 0;
  double sum = coefficients[0];
  for (std::size_t f = 1; f < coefficients.size(); ++f) {
    sum += coefficients[f] * static_cast<double>(features[f - 1]);
  }
  return sum;
}

}  // namespace pegnn
