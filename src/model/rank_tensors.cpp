#include "model/rank_tensors.h"

#include <cmath>
#include <cstdint>

#include <fmt/core.h>

#include "base/array.h"
#include "model/model_error.h"

namespace pegnn {
namespace {

constexpr const char* kCounts = "scaler.rank_counts";
constexpr const char* kKnots = "scaler.rank_knots";

[[noreturn]] void refuse(const TensorFile& file, const char* name, const char* why) {
  refuse_model(file.source(), fmt::format("tensor '{}' {}", name, why));
}

// Values strictly, scores without falling.
bool ascending(const RankScale& scale) {
  for (std::int64_t i = 0; i < std::ssize(scale.values); ++i) {
    if (!std::isfinite(scale.values[i]) || !std::isfinite(scale.scores[i])) return false;
    if (i == 0) continue;
    if (!(scale.values[i - 1] < scale.values[i])) return false;
    if (!(scale.scores[i - 1] <= scale.scores[i])) return false;
  }
  // Between two knots there is a line, so the way from one to the other must be a number.
  return std::isfinite(scale.values.back() - scale.values.front()) &&
         std::isfinite(scale.scores.back() - scale.scores.front());
}

}  // namespace

void add_ranks(Span<const RankScale> ranks, TensorFile& file) {
  Array<std::int64_t> counts;
  Array<double> knots;
  for (const RankScale& scale : ranks) {
    counts.push_back(std::ssize(scale.values));
    for (std::int64_t i = 0; i < std::ssize(scale.values); ++i) {
      knots.insert(knots.end(), {scale.values[i], scale.scores[i]});
    }
  }
  file.add(kCounts, {1, std::ssize(counts)}, Span<const std::int64_t>(counts));
  file.add(kKnots, {knots.size() / 2, 2}, Span<const double>(knots));
}

Array<RankScale> read_ranks(const TensorFile& file, std::int64_t features) {
  const auto counts = file.values<std::int64_t>(kCounts, features);
  std::int64_t total = 0;
  for (const std::int64_t count : counts) {
    if (count < 1 || count > RankScale::kMostKnots) {
      refuse(file, kCounts, "holds a number of knots that cannot be");
    }
    total += count;
  }
  const auto knots = file.values<double>(kKnots, 2 * total);
  Array<RankScale> ranks(features);
  std::int64_t at = 0;
  for (std::int64_t f = 0; f < features; ++f) {
    for (std::int64_t i = 0; i < counts[f]; ++i, at += 2) {
      ranks[f].values.push_back(knots[at]);
      ranks[f].scores.push_back(knots[at + 1]);
    }
    if (!ascending(ranks[f])) refuse(file, kKnots, "holds values that are not ascending numbers");
  }
  return ranks;
}

}  // namespace pegnn
