#include "evaluate/leaks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "baseline/places.h"

namespace pegnn {
namespace {

constexpr std::int64_t kFewestRows = 10, kMostRows = 100'000;
constexpr double kCopy = 0.999;

// Rank of every value, 0 for the least; equal ones share the mean of their ranks. Also how many
// different values there are.
struct Ranks {
  Array<double> rank;
  std::int64_t different = 0;
};

Ranks ranks_of(const Array<double>& values) {
  Array<std::int64_t> order(values.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  Ranks ranks{Array<double>(values.size()), 0};
  for (std::int64_t begin = 0; begin < order.size(); ++ranks.different) {
    std::int64_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::int64_t i = begin; i < end; ++i) {
      ranks.rank[order[i]] = static_cast<double>(begin + end - 1) / 2;
    }
    begin = end;
  }
  return ranks;
}

// Pearson's; 0 where one of them is constant.
double correlation_of(const Array<double>& a, const Array<double>& b) {
  const auto n = static_cast<double>(a.size());
  // Differences to the first value: exact where all are equal, and no sum is larger than it must.
  double mean_a = 0, mean_b = 0;
  for (std::int64_t i = 0; i < std::ssize(a); ++i) {
    mean_a += (a[i] - a[0]) / n;
    mean_b += (b[i] - b[0]) / n;
  }
  double aa = 0, bb = 0, ab = 0;
  for (std::int64_t i = 0; i < std::ssize(a); ++i) {
    const double x = a[i] - a[0] - mean_a, y = b[i] - b[0] - mean_b;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  const double scale = std::sqrt(aa) * std::sqrt(bb);
  return scale > 0 && std::isfinite(scale) ? ab / scale : 0.0;
}

// Every value of one belongs to one value of the other, and values repeat, so that this is no
// matter of course.
bool one_to_one(const Ranks& a, const Ranks& b) {
  const std::int64_t n = a.rank.size();
  if (a.different != b.different || a.different < 2 || 2 * a.different > n) return false;
  Array<double> partner(n, -1);  // by the mean rank, rounded down: it lies within its group
  for (std::int64_t i = 0; i < n; ++i) {
    double& other = partner[static_cast<std::int64_t>(a.rank[i])];
    if (other < 0) other = b.rank[i];
    if (other != b.rank[i]) return false;
  }
  return true;
}

std::string what_it_is(const Array<double>& feature, const Array<double>& target,
                       const Ranks& target_ranks) {
  const double pearson = correlation_of(feature, target);
  if (std::abs(pearson) > kCopy) {
    return fmt::format("its correlation with it is {}", format_short(pearson, 6));
  }
  const Ranks ranks = ranks_of(feature);
  const double spearman = correlation_of(ranks.rank, target_ranks.rank);
  if (std::abs(spearman) > kCopy) {
    return fmt::format("it has its order (rank correlation {})", format_short(spearman, 6));
  }
  if (one_to_one(ranks, target_ranks)) return "each of its values stands for one of the target's";
  return {};
}

}  // namespace

std::string coincidence_warning(const Dataset& data, bool geographic, const Array<Split>& folds) {
  if (data.points.empty()) return {};
  const Space space = geographic ? Space::sphere : Space::plane;
  const Array<double> unused(data.points.size(), 0.0);
  const Sites sites = merge_coincident(space, data.points, unused);
  if (sites.points.size() == data.points.size()) return {};
  std::int64_t held = 0, coincident = 0;
  Array<char> trained(sites.points.size());
  const auto site = [&](std::int64_t row) { return sites.site_of[row]; };
  for (const Split& fold : folds) {
    std::fill(trained.begin(), trained.end(), 0);
    for (const std::int64_t row : fold.train) trained[site(row)] = 1;
    for (const std::int64_t row : fold.test) coincident += trained[site(row)];
    held += std::ssize(fold.test);
  }
  // A row in a thousand changes no figure that is printed.
  if (1000 * coincident <= held) return {};
  return fmt::format(
      "{} of {} held-out rows ({} %) stand at the very place of a training row, whose label tells "
      "theirs; <option:scheme> block keeps such rows together",
      format_count(coincident), format_count(held),
      format_short(100.0 * static_cast<double>(coincident) / static_cast<double>(held), 3));
}

std::vector<std::string> copy_warnings(const Dataset& data) {
  if (data.rows() < kFewestRows || data.features() == 0) return {};
  // Every so-manieth row where there are many.
  const std::int64_t step = (data.rows() + kMostRows - 1) / kMostRows;
  const auto column = [&](const Array<double>& values, std::int64_t width, std::int64_t at) {
    Array<double> some;
    for (std::int64_t row = 0; row < data.rows(); row += step) {
      some.push_back(values[row * width + at]);
    }
    return some;
  };
  const Array<double> target = column(data.y, 1, 0);
  const Ranks ranks = ranks_of(target);
  if (ranks.different < 2) return {};
  std::vector<std::string> warnings;
  for (std::int64_t f = 0; f < data.features(); ++f) {
    const std::string what = what_it_is(column(data.x, data.features(), f), target, ranks);
    if (what.empty()) continue;
    warnings.push_back(
        fmt::format("feature '{}' copies the target: {}; unless it is known before the target is, "
                    "leave it out (<option:features>)",
                    Span(data.feature_names)[f], what));
  }
  return warnings;
}

}  // namespace pegnn
