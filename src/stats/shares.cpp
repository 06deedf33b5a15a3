// Every set of weights that may differ from 0 is tried: within it the minimum has a closed form,
// once one weight of each group is told by the others, and it counts where no weight is negative.
// Of so few weights that is quick and exact.

#include "stats/shares.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "base/assert.h"
#include "linalg/cholesky.h"

namespace pegnn {
namespace {

constexpr std::int64_t kMostWeights = 12;

// The first weight of each group among those of `set`, in the lowest bits of the numbers.
struct Support {
  Array<std::int64_t> first;  // one for each group: 1 less the others
  Array<std::int64_t> rest, rest_group;
};

std::optional<Support> support_of(unsigned set, std::int64_t groups, std::int64_t per_group) {
  Support support;
  for (std::int64_t g = 0; g < groups; ++g) {
    bool any = false;
    for (std::int64_t m = g * per_group; m < (g + 1) * per_group; ++m) {
      if ((set >> m & 1U) == 0) continue;
      if (any) {
        support.rest.push_back(m);
        support.rest_group.push_back(g);
      } else {
        support.first.push_back(m);
      }
      any = true;
    }
    if (!any) return std::nullopt;
  }
  return support;
}

double value_of(Mat<const double> q, Span<const double> c, Span<const double> a) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    double row = -2 * c[i];
    for (std::int64_t j = 0; j < a.size(); ++j) row += q(i, j) * a[j];
    sum += a[i] * row;
  }
  return sum;
}

// The minimum where only the weights of the support differ from 0; none where it has no other.
// With a = a0 + Z t, where a0 gives each group's first weight all of it and a column of Z moves
// some of that to another:  Z^T q Z t = Z^T (c - q a0).
std::optional<Array<double>> minimum(Mat<const double> q, Span<const double> c,
                                     const Support& support, const ThreadPool& pool) {
  const std::int64_t n = c.size(), free = support.rest.size();
  Array<double> a(n);
  for (const std::int64_t m : support.first) a[m] = 1;
  if (free == 0) return a;
  Array<double> room(free * free), t(free);
  const Mat<double> system(room.data(), free, free);
  const auto base = [&](std::int64_t f) { return support.first[support.rest_group[f]]; };
  for (std::int64_t i = 0; i < free; ++i) {
    const std::int64_t to = support.rest[i], from = base(i);
    t[i] = c[to] - c[from];
    for (const std::int64_t m : support.first) t[i] -= q(to, m) - q(from, m);
    for (std::int64_t j = 0; j < free; ++j) {
      const std::int64_t to2 = support.rest[j], from2 = base(j);
      system(i, j) = q(to, to2) - q(to, from2) - q(from, to2) + q(from, from2);
    }
  }
  if (!cholesky(pool, system)) return std::nullopt;
  solve_lower(pool, system, {t.data(), free, 1});
  solve_lower_transposed(pool, system, {t.data(), free, 1});
  for (std::int64_t i = 0; i < free; ++i) {
    a[support.rest[i]] += t[i];
    a[base(i)] -= t[i];
  }
  if (std::ranges::any_of(a, [](double w) { return !(w >= 0); })) return std::nullopt;
  return a;
}

}  // namespace

Array<double> best_shares(Mat<const double> q, Span<const double> c, std::int64_t per_group,
                          const ThreadPool& pool) {
  const std::int64_t n = c.size();
  PEGNN_ASSERT(n > 0 && n <= kMostWeights && n % per_group == 0, "a few groups of a few weights");
  Array<double> best;
  double lowest = std::numeric_limits<double>::infinity();
  for (int size = 1; size <= static_cast<int>(n); ++size) {
    for (unsigned set = 1; set < 1U << n; ++set) {
      if (std::popcount(set) != size) continue;
      const auto support = support_of(set, n / per_group, per_group);
      if (!support) continue;
      const auto a = minimum(q, c, *support, pool);
      if (!a) continue;
      const double value = value_of(q, c, *a);
      if (!(value < lowest)) continue;
      lowest = value;
      best = *a;
    }
  }
  return best;
}

}  // namespace pegnn
