#include "evaluate/repeats.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/blocks.h"

namespace pegnn {
namespace {

// As many repeats tell the variance well enough.
constexpr std::int64_t kMost = 64;

// Less than this is a guess from a few rows that happened to be held out twice.
constexpr double kLeastFreedom = 0.5;

using ByBlock = std::array<double, Repeats::kBlocks>;

// How much more the square of the sum is than the sum of the squares.
double in_common(const ByBlock& parts) {
  double sum = 0, squares = 0;
  for (const double part : parts) {
    sum += part;
    squares += part * part;
  }
  return sum * sum - squares;
}

}  // namespace

Repeats::Repeats(const SplitPlan& plan, Span<const Point> points, Space space)
    : repeats_(plan.repeats()), block_of_(points.size(), 0), weight_(points.size(), 0.0) {
  // Rows count as in a repeat's mean squared error: every fold alike, every row of it alike.
  const auto weighted = [&](std::int64_t repeat) {
    const Array<Split> splits = plan.splits(repeat);
    Weighted held;
    for (const Split& split : splits) {
      const double weight =
          1.0 / static_cast<double>(splits.size()) / static_cast<double>(split.test.size());
      for (const std::int64_t row : split.test) held.emplace_back(row, weight);
    }
    return held;
  };
  const std::int64_t different = plan.redrawn() ? repeats_ : 1;
  for (std::int64_t r = 0; r < different; ++r) {
    Weighted held = weighted(r);
    for (const auto& [row, weight] : held) weight_[row] += weight;
    if (r < kMost) looked_.push_back(std::move(held));
  }
  Array<Point> places;
  for (std::int64_t row = 0; row < points.size(); ++row) {
    if (!(weight_[row] > 0)) continue;
    held_.push_back(row);
    places.push_back(points[row]);
  }
  const Array<std::int32_t> blocks = equal_blocks(places, space, kBlocks);
  for (std::int64_t i = 0; i < held_.size(); ++i) block_of_[held_[i]] = blocks[i];
  if (repeats_ == 1) return;
  if (different == 1) {
    ByBlock weights{};
    for (const auto& [row, weight] : looked_[0]) {
      weights[static_cast<std::size_t>(block_of_[row])] += weight;
    }
    freedom_ = static_cast<double>(repeats_ - 1) * in_common(weights);
    return;
  }
  Array<double> share(points.size());
  for (std::int64_t q = 0; q < repeats_; ++q) {
    std::fill(share.begin(), share.end(), 0.0);
    for (const auto& [row, weight] : weighted(q)) share[row] = weight / weight_[row];
    for (std::int64_t r = 0; r < looked_.size(); ++r) {
      ByBlock factors{};
      for (const auto& [row, weight] : looked_[r]) {
        factors[static_cast<std::size_t>(block_of_[row])] +=
            weight * ((r == q ? 1.0 : 0.0) - share[row]);
      }
      freedom_ += in_common(factors);
    }
  }
}

double Repeats::noise(Span<const double> loss, Span<const double> blocks) const {
  if (freedom_ < kLeastFreedom) return 0;
  const auto n = static_cast<double>(repeats_);
  const bool same_rows = looked_.size() == 1;
  double common = 0;
  for (std::int64_t r = 0; r < (same_rows ? repeats_ : looked_.size()); ++r) {
    ByBlock off{};
    for (std::int64_t b = 0; b < kBlocks; ++b) {
      off[static_cast<std::size_t>(b)] = blocks[r * kBlocks + b];
    }
    for (const auto& [row, weight] : looked_[same_rows ? 0 : r]) {
      const double mean = n * loss[row] / weight_[row] / (same_rows ? n : 1.0);
      off[static_cast<std::size_t>(block_of_[row])] -= weight * mean;
    }
    common += in_common(off);
  }
  return std::sqrt(std::max(0.0, common) / freedom_ / n);
}

}  // namespace pegnn
