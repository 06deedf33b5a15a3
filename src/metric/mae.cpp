// Mean absolute error: 1/n sum_i |y_i - m_i|.

#include "metric/errors.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"mae"};

void compute(const ScoredRows& rows, Span<double> figures) { figures[0] = mean_magnitude(rows); }

}  // namespace

extern constinit const MetricEntry mae_metric{
    .info = {.name = "mae", .summary = "Mean absolute error of the mean.", .source = "the usual"},
    .figures = kFigures,
    .compute = compute};

}  // namespace pegnn
