// Mean width of the central interval of that probability, in units of the target.

#include "metric/metric.h"
#include "metric/predictive.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"width_50", "width_80", "width_90", "width_95"};
constexpr double kLevels[] = {0.5, 0.8, 0.9, 0.95};

void compute(const ScoredRows& rows, Span<double> figures) {
  const Predictive said(rows.answer);
  for (std::int64_t f = 0; f < std::ssize(kLevels); ++f) {
    const double tail = 0.5 * (1 - kLevels[f]);
    double sum = 0;
    for (std::int64_t i = 0; i < rows.rows(); ++i) {
      sum += said.quantile(i, 1 - tail) - said.quantile(i, tail);
    }
    figures[f] = sum / static_cast<double>(rows.rows());
  }
}

}  // namespace

extern constinit const MetricEntry width_metric{
    .info = {.name = "width",
             .summary =
                 "Mean width of the central interval; narrow is good where coverage is right.",
             .source = "Gneiting, Balabdaoui and Raftery, JRSS B 69, 2007"},
    .figures = kFigures,
    .applies = gives_distribution,
    .compute = compute};

}  // namespace pegnn
