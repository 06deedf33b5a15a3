// Logarithmic score: the mean of -log f_i(y_i).

#include "metric/metric.h"
#include "metric/predictive.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"log_score"};

void compute(const ScoredRows& rows, Span<double> figures) {
  const Predictive said(rows.answer);
  double sum = 0;
  for (std::int64_t i = 0; i < rows.rows(); ++i) sum += said.log_score(i, rows.observed[i]);
  figures[0] = sum / static_cast<double>(rows.rows());
}

}  // namespace

extern constinit const MetricEntry log_score_metric{
    .info = {.name = "log_score",
             .summary = "Mean negative log density at what was observed; lower is better.",
             .source = "Good 1952; Gneiting and Raftery, JASA 102, 2007"},
    .figures = kFigures,
    .applies = gives_distribution,
    .compute = compute};

}  // namespace pegnn
