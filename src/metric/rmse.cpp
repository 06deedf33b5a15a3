// Root of the mean squared error.

#include <cmath>

#include "metric/errors.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"rmse"};

void compute(const ScoredRows& rows, Span<double> figures) {
  figures[0] = std::sqrt(mean_square(rows));
}

}  // namespace

extern constinit const MetricEntry rmse_metric{
    .info = {.name = "rmse",
             .summary = "Root mean squared error, in units of the target.",
             .source = "the usual"},
    .figures = kFigures,
    .compute = compute};

}  // namespace pegnn
