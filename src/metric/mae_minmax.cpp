// Mean absolute error in units of the target scaled to [0, 1] over its range; NaN without a range.

#include "metric/errors.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"mae_minmax"};

void compute(const ScoredRows& rows, Span<double> figures) {
  figures[0] = mean_magnitude(rows) / range_of(rows);
}

}  // namespace

extern constinit const MetricEntry mae_minmax_metric{
    .info = {.name = "mae_minmax",
             .summary = "Mean absolute error in units of the target scaled to [0, 1].",
             .source = "Klemmer et al. 2023, section 4.1"},
    .figures = kFigures,
    .compute = compute};

}  // namespace pegnn
