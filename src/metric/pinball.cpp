// Pinball loss of quantiles: max(p (y - q), (p - 1) (y - q)), the mean over rows.

#include <algorithm>

#include "metric/metric.h"
#include "metric/predictive.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"pinball_05", "pinball_50", "pinball_95"};
constexpr double kLevels[] = {0.05, 0.5, 0.95};

void compute(const ScoredRows& rows, Span<double> figures) {
  const Predictive said(rows.answer);
  for (std::int64_t f = 0; f < std::ssize(kLevels); ++f) {
    const double p = kLevels[f];
    double sum = 0;
    for (std::int64_t i = 0; i < rows.rows(); ++i) {
      const double off = rows.observed[i] - said.quantile(i, p);
      sum += std::max(p * off, (p - 1) * off);
    }
    figures[f] = sum / static_cast<double>(rows.rows());
  }
}

}  // namespace

extern constinit const MetricEntry pinball_metric{
    .info = {.name = "pinball",
             .summary = "Pinball loss of the quantiles at 5, 50 and 95 %; lower is better.",
             .source = "Koenker and Bassett, Econometrica 46, 1978"},
    .figures = kFigures,
    .applies = gives_distribution,
    .compute = compute};

}  // namespace pegnn
