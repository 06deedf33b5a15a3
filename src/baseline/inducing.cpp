#include "baseline/inducing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/array.h"
#include "base/philox.h"
#include "baseline/correlations.h"
#include "linalg/vectors.h"

namespace pegnn {
namespace {

// The draws that `Rng` numbers.
enum Draw : std::uint64_t { kCandidateOrder = 0, kPivot = 1 };

// Of a prior variance of 1: what is less uncertain than this is as good as known.
constexpr double kCertain = 1e-6;

// Rows to draw from, in ascending order: all, or a random part that bounds time and memory.
Array<std::int64_t> candidates(std::int64_t rows, std::int64_t most, const Rng& rng) {
  constexpr std::int64_t kLeast = 8192;
  Array<std::int64_t> list(rows);
  std::iota(list.begin(), list.end(), 0);
  const std::int64_t count = std::max(kLeast, 2 * most);
  if (rows <= count) return list;
  shuffle(list.data(), rows, rng, kCandidateOrder);
  list.resize(count);
  std::sort(list.begin(), list.end());
  return list;
}

// The entry in which the running sum of non-negative numbers, not all 0, passes `share` of the
// whole.
std::int64_t draw(Span<const double> weights, double share) {
  const double target = share * std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  std::int64_t last = 0;
  for (std::int64_t i = 0; i < std::ssize(weights); ++i) {
    if (weights[i] == 0) continue;
    last = i;
    sum += weights[i];
    if (sum > target) break;
  }
  return last;
}

}  // namespace

Array<std::int64_t> draw_inducing(const ThreadPool& pool, Covariance covariance,
                                  Mat<const double> x, Span<const double> lengths,
                                  std::int64_t most, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  const Array<std::int64_t> rows = candidates(x.rows, most, rng);
  const auto n = std::ssize(rows);
  most = std::min(most, n);
  Array<double> scaled;
  for (const std::int64_t row : rows) {
    for (std::int64_t c = 0; c < std::ssize(lengths); ++c)
      scaled.push_back(x.row(row)[c] / lengths[c]);
  }
  const Mat<const double> inputs(scaled.data(), n, x.cols);

  Array<double> left(rows.size(), 1.0), rho(rows.size());
  Array<double> factor(n * most);  // a row for each candidate
  Array<std::int64_t> drawn;
  while (std::ssize(drawn) < most &&
         std::any_of(left.begin(), left.end(), [](double v) { return v > 0; })) {
    const auto k = std::ssize(drawn);
    const std::int64_t pivot = draw(left, rng.uniform(kPivot, static_cast<std::uint64_t>(k)));
    const double root = std::sqrt(left[pivot]);
    const Array<double> own(factor.data() + pivot * most, factor.data() + pivot * most + k);
    correlations(pool, covariance, inputs, inputs.block(pivot, 1), {rho.data(), n, 1});
    constexpr std::int64_t kBlock = 256;
    pool.for_blocks(n, kBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        double* row = factor.data() + i * most;
        row[k] = (rho[i] - dot(k, row, own.data())) / root;
        left[i] -= row[k] * row[k];
        if (left[i] < kCertain) left[i] = 0;
      }
    });
    left[pivot] = 0;
    drawn.push_back(rows[pivot]);
  }
  return drawn;
}

}  // namespace pegnn
