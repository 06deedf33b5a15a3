// Mean error, 1/n sum_i (m_i - y_i): positive where predictions are too high.

#include "metric/errors.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"bias"};

void compute(const ScoredRows& rows, Span<double> figures) {
  const double sum = sum_of_errors(rows, [](double error) { return error; });
  figures[0] = -sum / static_cast<double>(rows.rows());
}

}  // namespace

extern constinit const MetricEntry bias_metric{
    .info = {.name = "bias", .summary = "Mean of predicted less observed.", .source = "the usual"},
    .figures = kFigures,
    .compute = compute};

}  // namespace pegnn
