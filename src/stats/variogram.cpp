#include "stats/variogram.h"

#include <cmath>
#include <functional>

#include "base/array.h"
#include "base/assert.h"
#include "base/philox.h"
#include "geo/sphere.h"

namespace pegnn {
namespace {

// Where the points lie: on the unit sphere, or in the plane with z = 0. Squared straight distances
// order pairs as the distances of the space do.
Array<UnitVector> places_of(Span<const Point> points, Space space) {
  Array<UnitVector> places;
  places.reserve(points.size());
  for (const Point& p : points) {
    places.push_back(space == Space::sphere ? unit_vector(p) : UnitVector{p.x, p.y, 0});
  }
  return places;
}

// Diagonal of the box around all, as a straight distance.
double extent_of(Span<const UnitVector> places, Space space) {
  UnitVector lo = places.front(), hi = lo;
  for (const UnitVector& p : places) {
    lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
    hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
  }
  const double diagonal = std::hypot(hi.x - lo.x, hi.y - lo.y, hi.z - lo.z);
  return space == Space::sphere ? std::min(diagonal, 2.0) : diagonal;  // no two are farther apart
}

// Between straight distances and those of the space.
double shown_distance(double straight_squared, Space space) {
  return space == Space::sphere ? metres_of_squared_chord(straight_squared).value
                                : std::sqrt(straight_squared);
}
double straight_squared(double shown, Space space) {
  if (space != Space::sphere) return shown * shown;
  const double half = std::sin(std::min(shown / kEarthRadiusMetres, std::acos(-1.0)) / 2);
  return 4 * half * half;
}

// Zero exactly when all values are equal, whose rounded mean may differ from them.
double variance_of(Span<const double> values) {
  if (std::ranges::adjacent_find(values, std::ranges::not_equal_to()) == values.end()) return 0;
  const double n = static_cast<double>(values.size());
  double mean = 0;
  for (const double v : values) mean += v / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return squares / (n - 1);
}

// What is known of the pairs that are looked at.
struct PairSource {
  Span<const UnitVector> places;
  Span<const double> values;
  Space space;
  bool robust;

  void add(std::int64_t i, std::int64_t j, VariogramSums& sums) const {
    const double square = squared_chord(places[i], places[j]);
    const std::int64_t bin = sums.bin_of(square);
    if (bin == sums.size()) return;
    const double off = std::abs(values[i] - values[j]);
    sums.add(bin, shown_distance(square, space), robust ? std::sqrt(off) : off * off);
  }
};

// Runs `pairs_of(begin, end, sums)` over blocks of n and adds their sums in order.
template <class PairsOf>
VariogramSums total(std::int64_t n, std::int64_t block, Span<const double> edges,
                    const ThreadPool& pool, PairsOf&& pairs_of) {
  Array<VariogramSums> parts((n + block - 1) / block, VariogramSums(edges));
  pool.for_blocks(n, block, [&](std::int64_t begin, std::int64_t end) {
    pairs_of(begin, end, parts[begin / block]);
  });
  VariogramSums all(edges);
  for (const VariogramSums& part : parts) all.add(part);
  return all;
}

VariogramSums all_pairs(const PairSource& source, Span<const double> edges,
                        const ThreadPool& pool) {
  constexpr std::int64_t kRows = 32;  // far more pieces than threads, as their sizes differ
  return total(std::ssize(source.values), kRows, edges, pool,
               [&](std::int64_t begin, std::int64_t end, VariogramSums& sums) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   for (std::int64_t j = 0; j < i; ++j) source.add(i, j, sums);
                 }
               });
}

VariogramSums drawn_pairs(const PairSource& source, Span<const double> edges, std::uint64_t seed,
                          const ThreadPool& pool) {
  constexpr std::int64_t kDraws = 32'768;
  const Rng rng{seed, Stream::sample};
  const auto n = static_cast<std::uint64_t>(source.values.size());
  return total(kMostVariogramPairs, kDraws, edges, pool,
               [&](std::int64_t begin, std::int64_t end, VariogramSums& sums) {
                 for (auto p = static_cast<std::uint64_t>(begin);
                      p < static_cast<std::uint64_t>(end); ++p) {
                   // Two different rows, every pair equally likely.
                   const auto i = static_cast<std::int64_t>(rng.below(n, p, 0)),
                              other = static_cast<std::int64_t>(rng.below(n - 1, p, 1));
                   source.add(i, other + (other >= i ? 1 : 0), sums);
                 }
               });
}

// Sums of square roots to the estimate; until here `semivariance` is half their mean.
void make_robust(Array<VariogramBin>& lags) {
  for (VariogramBin& lag : lags) {
    const double root = 2 * lag.semivariance;
    lag.semivariance = root * root * root * root / (2 * (0.457 + 0.494 / lag.pairs));
  }
}

}  // namespace

Variogram empirical_variogram(Span<const Point> points, Space space, Span<const double> values,
                              const VariogramOptions& options, const ThreadPool& pool) {
  PEGNN_ASSERT(points.size() == values.size(), "every value has its place");
  PEGNN_ASSERT(options.lags > 0, "at least one lag");
  Variogram result;
  if (points.size() < 2) return result;
  result.sill = variance_of(values);
  const Array<UnitVector> places = places_of(points, space);
  const double extent = extent_of(places, space);
  if (!(extent > 0)) return result;

  // Few points have few short distances: all there are must do.
  constexpr std::int64_t kFew = 50;
  const double share = points.size() < kFew ? 1.0 : 1.0 / 3;
  result.reach = share * shown_distance(extent * extent, space);
  Array<double> edges;
  for (int lag = 1; lag <= options.lags; ++lag) {
    const double edge = result.reach * lag / options.lags;
    edges.push_back(straight_squared(edge, space) * (1 + 1e-9));  // an edge is part of its lag
  }
  const PairSource source{places, values, space, options.form == VariogramForm::cressie_hawkins};
  const auto n = std::ssize(points);
  result.sampled = n - 1 > 2 * kMostVariogramPairs / n;  // n (n - 1) / 2 pairs, without overflow
  result.lags = (result.sampled ? drawn_pairs(source, edges, options.seed, pool)
                                : all_pairs(source, edges, pool))
                    .means();
  if (source.robust) make_robust(result.lags);
  return result;
}

}  // namespace pegnn
