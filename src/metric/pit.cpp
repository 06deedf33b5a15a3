// Probability integral transform, F_i(y_i), which is uniform where the model is calibrated: the
// largest distance of its empirical distribution from the uniform one (Kolmogorov).

#include <algorithm>

#include "metric/metric.h"
#include "metric/predictive.h"

namespace pegnn {
namespace {

constexpr std::string_view kFigures[] = {"pit"};

void compute(const ScoredRows& rows, Span<double> figures) {
  const Predictive said(rows.answer);
  Array<double> shares(rows.rows());
  for (std::int64_t i = 0; i < rows.rows(); ++i) shares[i] = said.share_below(i, rows.observed[i]);
  std::sort(shares.begin(), shares.end());
  const auto n = static_cast<double>(rows.rows());
  double largest = 0;
  for (std::int64_t i = 0; i < rows.rows(); ++i) {
    const auto rank = static_cast<double>(i);
    largest = std::max({largest, shares[i] - rank / n, (rank + 1) / n - shares[i]});
  }
  figures[0] = largest;
}

}  // namespace

extern constinit const MetricEntry pit_metric{
    .info = {.name = "pit",
             .summary =
                 "Distance of the probability integral transform from uniform; 0 where calibrated.",
             .source = "Dawid, JRSS A 147, 1984"},
    .figures = kFigures,
    .applies = gives_distribution,
    .compute = compute};

}  // namespace pegnn
