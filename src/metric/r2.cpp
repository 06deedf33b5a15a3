// Coefficient of determination: 1 - sum (y_i - m_i)^2 / sum (y_i - mean y)^2; NaN where the
// observed values are all equal.

#include <cmath>

#include "metric/errors.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"r2"};

// Zero exactly when all values are equal: the rounded mean of equal values may differ from them,
// which would turn an undefined R2 into an enormous negative one.
double squares_about_mean(Span<const double> values) {
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

void compute(const ScoredRows& rows, Span<double> figures) {
  const double total = squares_about_mean(rows.observed);
  figures[0] = total > 0 ? 1 - sum_of_squares(rows) / total : std::nan("");
}

}  // namespace

extern constinit const MetricEntry r2_metric{
    .info = {.name = "r2",
             .summary = "Share of the variance of the observed values that the mean explains.",
             .source = "the usual"},
    .figures = kFigures,
    .compute = compute};

}  // namespace pegnn
