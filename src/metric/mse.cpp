// Mean squared error: 1/n sum_i (y_i - m_i)^2.

#include "metric/errors.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"mse"};

void compute(const ScoredRows& rows, Span<double> figures) { figures[0] = mean_square(rows); }

}  // namespace

extern constinit const MetricEntry mse_metric{
    .info = {.name = "mse", .summary = "Mean squared error of the mean.", .source = "the usual"},
    .figures = kFigures,
    .compute = compute};

}  // namespace pegnn
