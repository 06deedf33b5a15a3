#include "baseline/kriging_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/aligned_buffer.h"
#include "base/array.h"
#include "base/assert.h"
#include "baseline/side_correlations.h"
#include "linalg/small_systems.h"

namespace pegnn {

// kSide queries solved side by side, one group after the other in the same memory.
class KrigingWeights::Group {
 public:
  Group(const SpatialModel& model, std::int64_t k)
      : model_(model),
        k_(k),
        places_((k + 1) * 3 * kSide),
        noise_(k * kSide),
        // The triangle of k places; the query's row, which continues it; a row of ones.
        system_(triangle_at(k, 0) + 2 * k * kSide) {}

  // Place number i (the last is the query) of the system at `side`.
  void put(std::int64_t side, std::int64_t i, const Place& place) {
    double* group = places_.data() + i * 3 * kSide + side;
    group[0] = place.x;
    group[kSide] = place.y;
    group[2 * kSide] = place.z;
  }

  // What neighbour i has more of noise.
  void put_noise(std::int64_t side, std::int64_t i, double noise) {
    noise_[i * kSide + side] = noise;
  }

  void solve() {
    double* a = system_.data();
    side_correlations(model_, k_ + 1, places_.data(), a);
    for (std::int64_t i = 0; i < k_; ++i) {
      for (std::int64_t s = 0; s < kSide; ++s) {
        a[triangle_at(i, i) + s] = 1 + kJitter + noise_[i * kSide + s];
      }
    }
    double *r = a + triangle_at(k_, 0), *ones = r + k_ * kSide;
    std::fill_n(ones, k_ * kSide, 1.0);
    eliminate(k_, 0.0, a, 2, r);
    alignas(kAlignment) double known[kSide], sum[kSide], all[kSide];
    inverse_product(k_, a, r, r, known);
    inverse_product(k_, a, ones, r, sum);
    inverse_product(k_, a, ones, ones, all);
    double factor[kSide];
    for (std::int64_t s = 0; s < kSide; ++s) {
      factor[s] = (1 - sum[s]) / all[s];
      variance_[s] = 1 - known[s] + factor[s] * (1 - sum[s]);
    }
    for (std::int64_t i = 0; i < k_; ++i) {
      for (std::int64_t s = 0; s < kSide; ++s) {
        r[i * kSide + s] += factor[s] * ones[i * kSide + s];
      }
    }
    back_substitute(k_, a, r);
  }

  double weight(std::int64_t side, std::int64_t i) const {
    return system_[triangle_at(k_, 0) + i * kSide + side];
  }
  double variance(std::int64_t side) const {
    return std::max({variance_[side], model_.share(), kLeastVariance});
  }

 private:
  const SpatialModel& model_;
  std::int64_t k_;
  AlignedBuffer<double> places_, noise_, system_;
  double variance_[kSide] = {};
};

void KrigingWeights::solve(Span<const Point> queries, const Neighbours& found,
                           Span<const Place> training, const ThreadPool& pool, Span<float> weights,
                           Span<float> variance) const {
  solve_each(
      queries.size(), [&](std::int64_t q) { return place_of(space_, queries[q]); }, found, {},
      training, pool, weights, variance);
}

void KrigingWeights::solve_at(Span<const Place> queries, const Neighbours& found,
                              Span<const float> log_weights, Span<const Place> training,
                              const ThreadPool& pool, Span<float> weights,
                              Span<float> variance) const {
  solve_each(
      queries.size(), [&](std::int64_t q) { return queries[q]; }, found, log_weights, training,
      pool, weights, variance);
}

template <class At>
void KrigingWeights::solve_each(std::int64_t count, At&& place, const Neighbours& found,
                                Span<const float> log_weights, Span<const Place> training,
                                const ThreadPool& pool, Span<float> weights,
                                Span<float> variance) const {
  const std::int64_t k = found.k;
  PEGNN_ASSERT(weights.size() == count * k && variance.size() == count &&
                   found.rows.size() >= weights.size(),
               "one weight for each neighbour, one variance for each query");
  if (k == 0 || model_.share() == 1) {
    std::ranges::fill(weights, 0.0F);
    std::ranges::fill(variance, 1.0F);
    return;
  }
  constexpr std::int64_t kBlock = 128;  // queries a thread takes at a time: whole groups
  static_assert(kBlock % kSide == 0);
  const Correlations correlations(model_.kernel, model_.range, model_.share());
  pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
    Group group(model_, k);
    for (std::int64_t first = begin; first < end; first += kSide) {
      const std::int64_t some = std::min(kSide, end - first);
      for (std::int64_t s = 0; s < kSide; ++s) {
        const std::int64_t q = first + std::min(s, some - 1);  // the last one fills the group up
        const std::int32_t* rows = found.rows.data() + q * k;
        const Place at = place(q);
        for (std::int64_t i = 0; i < k; ++i) group.put(s, i, training[rows[i]]);
        group.put(s, k, at);
        if (log_weights.empty()) continue;
        const std::int64_t last = Taper::last_in_full(k);
        const double near = correlations(at, training[rows[last]]);
        for (std::int64_t i = last + 1; i < k; ++i) {
          const auto log_weight = static_cast<double>(log_weights[q * k + i]);
          group.put_noise(s, i, taper_noise(std::exp(log_weight), near));
        }
      }
      group.solve();
      for (std::int64_t s = 0; s < some; ++s) {
        float* out = weights.data() + (first + s) * k;
        for (std::int64_t i = 0; i < k; ++i) out[i] = static_cast<float>(group.weight(s, i));
        variance[first + s] = static_cast<float>(group.variance(s));
      }
    }
  });
}

}  // namespace pegnn
