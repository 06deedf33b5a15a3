#include "stats/lisa.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/array.h"
#include "base/assert.h"

namespace pegnn {
namespace {

// The smallest of 1, 2, 5 x 10^n that is not below `least` >= 1.
std::int64_t round_number(double least) {
  for (std::int64_t power = 1; power < std::numeric_limits<std::int64_t>::max() / 100;
       power *= 10) {
    for (const std::int64_t lead : {1, 2, 5}) {
      if (static_cast<double>(lead * power) >= least * (1 - 1e-12)) return lead * power;
    }
  }
  return std::numeric_limits<std::int64_t>::max();
}

// m tests with `lowest` of them at the floor 1 / (P + 1) pass together where m / (P + 1) / lowest
// is at most alpha.
std::int64_t needed(Span<const double> p, std::int64_t permutations, double alpha) {
  const double floor = 1 / static_cast<double>(permutations + 1);
  double tests = 0, lowest = 0;
  for (const double value : p) {
    tests += !std::isnan(value);
    lowest += value <= floor * (1 + 1e-9);
  }
  if (lowest == 0 || !(alpha > 0)) return 0;
  return round_number(tests / (alpha * lowest)) - 1;
}

std::int64_t significant_rows(const LisaCounts& counts) {
  return std::accumulate(counts.begin() + 1, counts.end(), std::int64_t{0});
}

}  // namespace

Array<double> benjamini_hochberg(Span<const double> p) {
  Array<std::int64_t> order;
  for (std::int64_t i = 0; i < std::ssize(p); ++i) {
    if (!std::isnan(p[i])) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::int64_t i) { return p[i]; });
  Array<double> adjusted(p.size(), std::numeric_limits<double>::quiet_NaN());
  const double m = static_cast<double>(order.size());
  double least = 1;
  for (std::int64_t rank = order.size(); rank > 0; --rank) {
    const std::int64_t i = order[rank - 1];
    least = std::min(least, m * p[i] / static_cast<double>(rank));
    adjusted[i] = least;
  }
  return adjusted;
}

Lisa classify(const Moran& moran, std::int64_t permutations, const LisaRule& rule) {
  PEGNN_ASSERT(moran.p.size() == moran.q.size(), "every quadrant has its test");
  Lisa lisa;
  lisa.p_fdr = benjamini_hochberg(moran.p);
  // What is rounded in the sixteenth digit does not decide: 20 tests at 0.05 / 20 pass.
  const double alpha = rule.alpha * (1 + 1e-12);
  for (std::size_t i = 0; i < moran.q.size(); ++i) {
    const std::size_t quadrant = as_size(moran.q[i]);
    const bool plain = moran.p[i] <= alpha;
    const bool significant = rule.control ? lisa.p_fdr[i] <= alpha : plain;
    ++lisa.plain[plain ? quadrant : 0];
    ++lisa.kinds[significant ? quadrant : 0];
    lisa.cluster.push_back(significant ? moran.q[i] : 0);
  }
  if (significant_rows(lisa.kinds) == 0 && significant_rows(lisa.plain) > 0) {
    lisa.permutations_needed = needed(moran.p, permutations, rule.alpha);
  }
  return lisa;
}

std::string_view cluster_name(int cluster) {
  constexpr std::array<std::string_view, 5> kNames = {"ns", "HH", "LH", "LL", "HL"};
  return kNames[cluster >= 1 && cluster <= 4 ? as_size(cluster) : 0];
}

}  // namespace pegnn
