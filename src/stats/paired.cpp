#include "stats/paired.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/array.h"
#include "base/assert.h"
#include "base/philox.h"
#include "geo/blocks.h"

namespace pegnn {

double sign_flip_p(Span<const double> blocks, double noise, std::uint64_t seed) {
  constexpr std::uint64_t kDraws = 9'999;
  PEGNN_ASSERT(blocks.size() <= 64, "one random word holds the signs of a draw");
  const Rng rng{seed, Stream::permutation_test};
  const double total = std::accumulate(blocks.begin(), blocks.end(), 0.0);
  // A draw that gives all signs back adds up in another order.
  const double far = std::abs(total) * (1 - 1e-12);
  std::uint64_t as_far = 0;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    std::uint64_t signs = rng.bits(draw, 0);
    double sum = noise > 0 ? noise * rng.normal(draw, 1) : 0.0;
    for (const double block : blocks) {
      sum += (signs & 1U) != 0 ? block : -block;
      signs >>= 1;
    }
    if (std::abs(sum) >= far) ++as_far;
  }
  return static_cast<double>(1 + as_far) / static_cast<double>(1 + kDraws);
}

double paired_p(Span<const Point> points, Space space, Span<const double> differences, double noise,
                std::uint64_t seed) {
  PEGNN_ASSERT(points.size() == differences.size(), "every difference has its place");
  double p = 0;
  for (const std::int64_t count : {16, 32}) {
    const Array<std::int32_t> block_of = equal_blocks(points, space, count);
    Array<double> sums(count, 0.0);
    for (std::int64_t i = 0; i < std::ssize(differences); ++i) {
      sums[block_of[i]] += differences[i];
    }
    p = std::max(p, sign_flip_p(sums, noise, seed));
  }
  return p;
}

Array<double> holm(Span<const double> p) {
  Array<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return p[a] < p[b]; });
  Array<double> corrected(p.size());
  double least = 0;
  for (std::int64_t i = 0; i < std::ssize(order); ++i) {
    least = std::max(least, std::min(1.0, p[order[i]] * static_cast<double>(p.size() - i)));
    corrected[order[i]] = least;
  }
  return corrected;
}

}  // namespace pegnn
