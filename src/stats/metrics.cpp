// Errors of predictions. With e = observed - predicted over n rows:
//
//   mse = sum e^2 / n     mae = sum |e| / n     rmse = sqrt(mse)
//   r2  = 1 - sum e^2 / sum (observed - mean observed)^2
//
// Sums are taken in double, in row order, so the figures are the same bits everywhere.

#include <cmath>
#include <limits>

#include "base/array.h"
#include "base/assert.h"
#include "pegnn/stats.h"

namespace pegnn {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Zero exactly when all values are equal: the rounded mean of equal values may differ from them,
// which would turn an undefined R2 into an enormous negative one.
double sum_of_squares_about_mean(Span<const double> values) {
  bool equal = true;
  double sum = 0;
  for (const double v : values) {
    equal = equal && v == values.front();
    sum += v;
  }
  if (equal) return 0;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return squares;
}

}  // namespace

Metrics compute_metrics(std::span<const double> observed, std::span<const double> predicted,
                        double lo, double hi) {
  PEGNN_ASSERT(observed.size() == predicted.size(), "one prediction per observation");
  if (observed.empty()) {
    return {.rows = 0,
            .mse = kNaN,
            .mae = kNaN,
            .rmse = kNaN,
            .r2 = kNaN,
            .mse_minmax = kNaN,
            .mae_minmax = kNaN};
  }

  double squares = 0, absolutes = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double residual = observed[i] - predicted[i];
    squares += residual * residual;
    absolutes += std::abs(residual);
  }
  const double total = sum_of_squares_about_mean(observed);
  const double n = static_cast<double>(observed.size());
  const double range = hi > lo ? hi - lo : kNaN;

  Metrics m;
  m.rows = std::ssize(observed);
  m.mse = squares / n;
  m.mae = absolutes / n;
  m.rmse = std::sqrt(m.mse);
  m.r2 = total > 0 ? 1 - squares / total : kNaN;
  m.mse_minmax = m.mse / (range * range);
  m.mae_minmax = m.mae / range;
  return m;
}

}  // namespace pegnn
