#include "baseline/variogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/array.h"
#include "baseline/minimise.h"
#include "geo/nearest.h"

namespace pegnn {
namespace {

constexpr std::int64_t kSample = 2000;
constexpr std::int64_t kNearest = 30;
constexpr int kBins = 20;

// Squared upper edges of the bins.
Array<double> bin_edges(const Spacing& spacing, std::int64_t observations) {
  // Few observations have few short distances: all there are must do.
  const double cutoff = observations < 50 ? spacing.extent : spacing.extent / 3;
  const double first = std::min(spacing.middle, cutoff);
  Array<double> edges;
  for (int b = 0; b < kBins; ++b) {
    const double edge = first * std::pow(cutoff / first, b / (kBins - 1.0));
    edges.push_back(edge * edge * (1 + 1e-9));  // an edge is part of its bin, rounded or not
  }
  return edges;
}

// Of all pairs of a row here and a row there: (y - y')^2 on average is that of the means, plus the
// variances around them.
void add_pair(const Observations& o, std::int32_t a, std::int32_t b, VariogramSums& sums) {
  const double square = squared_distance(o.places[a], o.places[b]);
  const std::int64_t bin = sums.bin_of(square);
  if (bin == sums.size()) return;
  const double off = o.labels[a] - o.labels[b];
  sums.add(bin, std::sqrt(square),
           off * off + o.scatter[a] / o.counts[a] + o.scatter[b] / o.counts[b],
           o.counts[a] * o.counts[b]);
}

// Differences of the rows of one place are noise alone.
VariogramBin same_place(const Observations& observations) {
  VariogramBin bin;
  for (std::int64_t i = 0; i < std::ssize(observations.counts); ++i) {
    bin.semivariance += observations.scatter[i];
    bin.pairs += observations.counts[i] - 1;
  }
  if (bin.pairs > 0) bin.semivariance /= bin.pairs;
  return bin;
}

}  // namespace

Array<VariogramBin> empirical_variogram(const Observations& observations, const Spacing& spacing,
                                        std::uint64_t seed, const ThreadPool& pool,
                                        const FitProgress& progress) {
  progress.check();
  const Array<double> edges = bin_edges(spacing, observations.size());
  const Array<std::int32_t> sample = draw_sample(observations.size(), kSample, seed, 2);
  Neighbours near;
  if (std::ssize(sample) < observations.size()) {
    const Array<Point> points = gather(observations.points, sample);
    NearestIndex index;
    index.build(observations.points, observations.space, pool);
    index.search(points, kNearest, false, pool, near);
  }
  constexpr std::int64_t kBlock = 64;
  const auto n = std::ssize(sample);
  Array<VariogramSums> blocks((n + kBlock - 1) / kBlock, VariogramSums(edges));
  pool.for_blocks(n, kBlock, [&](std::int64_t begin, std::int64_t end) {
    VariogramSums& sums = blocks[begin / kBlock];
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t j = 0; j < i; ++j) add_pair(observations, sample[i], sample[j], sums);
      for (std::int64_t e = 0; e < near.k; ++e) {
        const std::int32_t other = near.rows[i * near.k + e];
        if (other != sample[i]) add_pair(observations, sample[i], other, sums);
      }
    }
  });
  VariogramSums total(edges);
  for (const VariogramSums& block : blocks) total.add(block);

  Array<VariogramBin> bins;
  if (const VariogramBin none = same_place(observations); none.pairs > 0) bins.push_back(none);
  for (const VariogramBin& bin : total.means()) bins.push_back(bin);
  return bins;
}

SpatialModel fit_by_variogram(const Array<VariogramBin>& bins, Covariance kernel,
                              const GivenCovariance& given, const Spacing& spacing,
                              double label_variance, FitProgress& progress) {
  // Parameters are logarithms of range, sill and nugget, each fixed where it is given.
  const RangeBounds bounds = range_bounds(spacing);
  const double least = 1e-7 * label_variance, most = 1e3 * label_variance;
  Bounds box{{std::log(bounds.lo), std::log(least), std::log(least)},
             {std::log(bounds.hi), std::log(most), std::log(most)}};
  Array<double> start = {std::log(spacing.extent / 10), std::log(label_variance),
                         std::log(0.1 * label_variance)};
  const auto fix = [&](std::int64_t i, double value) {
    start[i] = box.lo[i] = box.hi[i] = std::log(value);
  };
  if (given.range > 0) fix(0, given.range);
  if (given.sill > 0) fix(1, given.sill);
  if (given.nugget >= 0) fix(2, std::max(given.nugget, std::numeric_limits<double>::min()));

  constexpr std::int64_t kMostEvaluations = 1000;
  const Objective objective = [&](Span<const double> x, Span<double>) {
    const double range = std::exp(x[0]), sill = std::exp(x[1]), nugget = std::exp(x[2]);
    double sum = 0;
    for (const VariogramBin& bin : bins) {
      const double gamma = nugget + sill * (1 - correlation(kernel, bin.distance / range));
      if (!(gamma > 0)) continue;
      const double off = bin.semivariance / gamma - 1;
      sum += bin.pairs * off * off;
    }
    progress.step(sum);
    return sum;
  };
  progress.expect(kMostEvaluations);
  const Array<double> steps = {1.0, 0.5, 0.5};
  const Minimum found = minimise_simplex(objective, start, box, steps, 1e-9, kMostEvaluations);
  // What was given comes back as it was, not through a logarithm.
  return {kernel, given.range > 0 ? given.range : std::exp(found.x[0]),
          given.sill > 0 ? given.sill : std::exp(found.x[1]),
          given.nugget >= 0 ? given.nugget : std::exp(found.x[2])};
}

}  // namespace pegnn
