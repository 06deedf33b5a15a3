#pragma once
// The predictive distribution that an answer gives of each of its rows: normal, with its mean and
// deviation.

#include <span>

#include "base/array.h"
#include "pegnn/answer.h"

namespace pegnn {

// Whether an answer with these columns gives one.
bool gives_distribution(std::span<const OutputColumn> columns);

// Of an answer that does, which is borrowed. A deviation of 0 is a certainty.
class Predictive {
 public:
  explicit Predictive(const Answer& answer)
      : mean_(answer.mean()), deviation_(answer.deviation()) {}

  // Probability of no more than y in row i.
  double share_below(std::int64_t i, double y) const;
  // The value that an observation stays below with probability p, 0 < p < 1.
  double quantile(std::int64_t i, double p) const;
  // -log density at y.
  double log_score(std::int64_t i, double y) const;
  // Continuous ranked probability score, the integral of (share_below(z) - [z >= y])^2 over z.
  double crps(std::int64_t i, double y) const;

 private:
  double z(std::int64_t i, double y) const;

  Span<const double> mean_, deviation_;
};

// The z below which a standard normal number stays with probability p, 0 < p < 1, to 1e-15.
double normal_quantile(double p);

}  // namespace pegnn
