// Share of the rows whose observed value lies in the central interval of that probability.

#include "metric/metric.h"
#include "metric/predictive.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"coverage_50", "coverage_80", "coverage_90",
                                         "coverage_95"};
constexpr double kLevels[] = {0.5, 0.8, 0.9, 0.95};

void compute(const ScoredRows& rows, Span<double> figures) {
  const Predictive said(rows.answer);
  for (std::int64_t f = 0; f < std::ssize(kLevels); ++f) {
    const double tail = 0.5 * (1 - kLevels[f]);
    std::int64_t inside = 0;
    for (std::int64_t i = 0; i < rows.rows(); ++i) {
      const double y = rows.observed[i];
      if (said.quantile(i, tail) <= y && y <= said.quantile(i, 1 - tail)) ++inside;
    }
    figures[f] = static_cast<double>(inside) / static_cast<double>(rows.rows());
  }
}

}  // namespace

extern constinit const MetricEntry coverage_metric{
    .info = {.name = "coverage",
             .summary = "Share of rows inside the central interval; near its level where the model "
                        "is calibrated.",
             .source = "Gneiting, Balabdaoui and Raftery, JRSS B 69, 2007"},
    .figures = kFigures,
    .applies = gives_distribution,
    .compute = compute};

}  // namespace pegnn
