#pragma once
// How good predictions are: errors of the mean, and proper scores of the distribution where a model
// gives one.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pegnn/answer.h"

namespace pegnn {

// All figures there are, in the order of `pegnn list metrics`: "mse", "mae", ..., "crps", ...
std::span<const std::string_view> metric_figures();
// Whether a figure is a score of the distribution, which a model without one has not. Error{usage}
// for a name that is not among them.
bool scores_distribution(std::string_view figure);

struct Metrics {
  std::int64_t rows = 0;
  // In the order of metric_figures(); NaN where a figure has no meaning: for want of a
  // distribution, of rows, of a range.
  std::vector<double> values;

  Metrics();  // NaN everywhere

  // By name. Error{usage} for one that is not among metric_figures().
  double operator[](std::string_view figure) const;
  double& operator[](std::string_view figure);
};

// What was observed, against what a model said of the same rows. `lo` and `hi` are the target's
// range over all rows of the table, as the paper scales it. No rows give NaN everywhere.
Metrics compute_metrics(std::span<const double> observed, const Answer& answer, double lo,
                        double hi);
// The same for a mean alone.
Metrics compute_metrics(std::span<const double> observed, std::span<const double> predicted,
                        double lo, double hi);

}  // namespace pegnn
