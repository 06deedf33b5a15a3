// Continuous ranked probability score, the mean over rows of the integral of
// (F_i(z) - [z >= y_i])^2: in units of the target; of a mean without a spread it is the absolute
// error.

#include "metric/metric.h"
#include "metric/predictive.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"crps"};

void compute(const ScoredRows& rows, Span<double> figures) {
  const Predictive said(rows.answer);
  double sum = 0;
  for (std::int64_t i = 0; i < rows.rows(); ++i) sum += said.crps(i, rows.observed[i]);
  figures[0] = sum / static_cast<double>(rows.rows());
}

}  // namespace

extern constinit const MetricEntry crps_metric{
    .info = {.name = "crps",
             .summary = "Continuous ranked probability score of the distribution; lower is better.",
             .source = "Gneiting and Raftery, JASA 102, 2007"},
    .figures = kFigures,
    .applies = gives_distribution,
    .compute = compute};

}  // namespace pegnn
