#pragma once
// Sums over the errors of the mean, in double and in row order: the same bits everywhere.

#include <cmath>

#include "metric/metric.h"

namespace pegnn {

// sum_i f(observed_i - mean_i)
template <class F>
double sum_of_errors(const ScoredRows& rows, F&& f) {
  const Span<const double> mean(rows.answer.mean());
  double sum = 0;
  for (std::int64_t i = 0; i < rows.rows(); ++i) sum += f(rows.observed[i] - mean[i]);
  return sum;
}

inline double sum_of_squares(const ScoredRows& rows) {
  return sum_of_errors(rows, [](double error) { return error * error; });
}

inline double mean_square(const ScoredRows& rows) {
  return sum_of_squares(rows) / static_cast<double>(rows.rows());
}

inline double mean_magnitude(const ScoredRows& rows) {
  return sum_of_errors(rows, [](double error) { return std::abs(error); }) /
         static_cast<double>(rows.rows());
}

// NaN where the target has no range.
inline double range_of(const ScoredRows& rows) {
  return rows.hi > rows.lo ? rows.hi - rows.lo : std::nan("");
}

}  // namespace pegnn
