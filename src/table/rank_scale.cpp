#include "table/rank_scale.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/array.h"

namespace pegnn {
namespace {

constexpr double kLeastShare = 1e-3;

double share_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// Phi^-1 for shares within [kLeastShare, 1 - kLeastShare], by Newton's steps from the middle. They
// never pass the root, as the distribution is concave above 0, and from 0 to 3.1 take about eight.
double score_of(double share) {
  const double tail = std::min(share, 1 - share);
  double z = 0;
  for (int round = 0; round < 50; ++round) {
    const double density = std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double step = (share_below(-z) - tail) / density;
    z += step;
    if (step < 1e-15) break;
  }
  return share < 0.5 ? -z : z;
}

// The different values of a column and the share of it that lies below each, half of its equals
// included.
struct Distinct {
  Array<double> values, shares;
};

Distinct distinct_of(Array<double> column) {
  std::sort(column.begin(), column.end());
  const auto n = static_cast<double>(column.size());
  Distinct distinct;
  for (std::int64_t lo = 0, hi = 0; lo < column.size(); lo = hi) {
    while (hi < column.size() && column[hi] == column[lo]) ++hi;
    const double share = static_cast<double>(lo + hi) / (2 * n);
    distinct.values.push_back(column[lo]);
    distinct.shares.push_back(std::clamp(share, kLeastShare, 1 - kLeastShare));
  }
  return distinct;
}

// The first and the last value of each of many equal steps of the score, as positions: what lies
// between them has a score less than one step away.
Array<std::int64_t> chosen_of(const Array<double>& shares) {
  constexpr std::int64_t kSteps = RankScale::kMostKnots / 2;
  const double end = score_of(1 - kLeastShare);
  Array<std::int64_t> chosen;
  std::int64_t first = 0;
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    const double level = end * (2 * static_cast<double>(step) / kSteps - 1);
    const auto bound = step == kSteps
                           ? shares.end()
                           : std::lower_bound(shares.begin(), shares.end(), share_below(level));
    const std::int64_t past = bound - shares.begin();
    if (past == first) continue;
    chosen.push_back(first);
    if (past > first + 1) chosen.push_back(past - 1);
    first = past;
  }
  return chosen;
}

}  // namespace

double RankScale::apply(double value) const {
  if (values.empty()) return 0;
  if (value < values.front()) return scores.front();
  // The last knot that is not above the value. Without branches, which a processor could only guess
  // at: 32 ns instead of 97 with 1,024 knots.
  std::int64_t lo = 0;
  for (std::int64_t left = values.size(); left > 1;) {
    const std::int64_t half = left / 2;
    lo += half * static_cast<std::int64_t>(values[lo + half] <= value);
    left -= half;
  }
  if (lo + 1 == values.size()) return scores.back();
  const double way = (value - values[lo]) / (values[lo + 1] - values[lo]);
  return scores[lo] + way * (scores[lo + 1] - scores[lo]);
}

RankScale fit_ranks(Array<double> column) {
  Distinct distinct = distinct_of(std::move(column));
  RankScale scale;
  if (distinct.values.size() <= RankScale::kMostKnots) {
    scale.values = std::move(distinct.values);
    for (const double share : distinct.shares) scale.scores.push_back(score_of(share));
    return scale;
  }
  for (const std::int64_t at : chosen_of(distinct.shares)) {
    scale.values.push_back(distinct.values[at]);
    scale.scores.push_back(score_of(distinct.shares[at]));
  }
  return scale;
}

}  // namespace pegnn
