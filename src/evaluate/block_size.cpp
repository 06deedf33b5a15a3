#include "evaluate/block_size.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/array.h"
#include "base/thread_pool.h"
#include "baseline/observations.h"
#include "baseline/places.h"
#include "baseline/variogram.h"
#include "geo/blocks.h"
#include "linalg/cholesky.h"
#include "table/scaler.h"

namespace pegnn {
namespace {

constexpr std::int64_t kMostRows = 50'000;

// Fewer rows have no variogram worth the name.
constexpr std::int64_t kFewestRows = 30;

// Neighbours less alike than this have no range, and a tenth of what neighbours have is none.
constexpr double kLeastCorrelation = 0.1, kGone = 0.1;

std::int64_t count_blocks(Span<const Point> points, Space space, double size) {
  const Array<std::int32_t> blocks = spatial_blocks(points, space, size);
  return blocks.empty() ? 0 : *std::max_element(blocks.begin(), blocks.end()) + 1;
}

// The features, and a quadratic surface over the places, so that a trend across the whole table is
// not taken for likeness of neighbours. Coordinates are those of space around their centre: on the
// globe there are three, of which any region needs some.   rows x (features + 9), row-major
Dataset with_trend(const Dataset& data, Space space) {
  constexpr std::int64_t kTrend = 9;
  const Array<Place> places = places_of(space, data.points);
  const auto n = static_cast<double>(places.size());
  Place centre;
  for (const Place& p : places) {
    centre = {centre.x + p.x / n, centre.y + p.y / n, centre.z + p.z / n};
  }
  double extent = 0;
  for (const Place& p : places) extent = std::max(extent, squared_distance(p, centre));
  const double unit = extent > 0 ? std::sqrt(extent) : 1.0;
  const std::int64_t width = data.features();
  Dataset wide = data;
  for (std::int64_t t = 0; t < kTrend; ++t) wide.feature_names.emplace_back("trend");
  wide.x.clear();
  for (std::int64_t i = 0; i < std::ssize(places); ++i) {
    const double x = (places[i].x - centre.x) / unit, y = (places[i].y - centre.y) / unit,
                 z = (places[i].z - centre.z) / unit;
    const auto row = data.x.begin() + i * width;
    wide.x.insert(wide.x.end(), row, row + width);
    for (const double term : {x, y, z, x * x, y * y, z * z, x * y, x * z, y * z}) {
      wide.x.push_back(term);
    }
  }
  return wide;
}

// What a linear model of the features leaves of the target, with features in units of their
// deviation so that one ridge, far below what matters, keeps the equations solvable.
Array<double> linear_residuals(const Dataset& data, const ThreadPool& pool) {
  Array<std::int64_t> all(data.rows());
  for (std::int64_t i = 0; i < std::ssize(all); ++i) all[i] = i;
  const Scaler scaler = fit_scaler(data, all, Scaling::standard);
  const std::int64_t width = data.features();
  Array<double> row(width), residuals(all.size());
  const auto scaled_row = [&](std::int64_t i) {
    for (std::int64_t f = 0; f < std::ssize(row); ++f) {
      row[f] = scaler.features[f].apply(data.x[i * row.size() + f]);
    }
  };
  Array<double> products(width * width, 0.0), right(row.size(), 0);
  const Mat<double> a(products.data(), width, width), b(right.data(), width, 1);
  for (std::int64_t i = 0; i < std::ssize(all); ++i) {
    scaled_row(i);
    residuals[i] = scaler.target.apply(data.y[i]);
    for (std::int64_t f = 0; f < width; ++f) {
      const double value = row[f];
      for (std::int64_t g = 0; g <= f; ++g) a(f, g) += value * row[g];
      b(f, 0) += value * residuals[i];
    }
  }
  for (std::int64_t f = 0; f < width; ++f) a(f, f) += 1e-6 * static_cast<double>(data.rows());
  if (!cholesky(pool, a)) return residuals;
  solve_lower(pool, a, b);
  solve_lower_transposed(pool, a, b);
  for (std::int64_t i = 0; i < std::ssize(all); ++i) {
    scaled_row(i);
    for (std::int64_t f = 0; f < std::ssize(row); ++f) residuals[i] -= row[f] * right[f];
  }
  return residuals;
}

// Ranks, so that a few huge residuals do not decide; equal values share one.
Array<double> ranked(const Array<double>& values) {
  Array<double> sorted = values, ranks;
  std::sort(sorted.begin(), sorted.end());
  ranks.reserve(values.size());
  for (const double v : values) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), v);
    ranks.push_back(static_cast<double>((first - sorted.begin()) + (last - sorted.begin())) / 2);
  }
  return ranks;
}

// Where the correlation of the residuals is gone; nothing where neighbours have none. Read off the
// empirical variogram: the range of a curve fitted to it is ill determined where it never levels.
std::optional<double> range_of_residuals(const Dataset& data, Space space, const RunSettings& run) {
  if (data.rows() < kFewestRows || data.y.empty()) return std::nullopt;
  const ThreadPool pool(run.threads);
  const Array<double> residuals = ranked(linear_residuals(with_trend(data, space), pool));
  const Observations observations =
      make_observations({data.points, {nullptr, data.rows(), 0}, residuals}, space, false);
  if (observations.constant() || observations.size() < kFewestRows) return std::nullopt;
  RunSettings quiet;  // its steps are no training
  quiet.stop = run.stop;
  FitProgress progress(quiet);
  const Spacing spacing = measure_spacing(observations, 0, pool);
  const double variance = observations.label_variance();
  double start = 0, before = 0, correlation = 0;
  for (const VariogramBin& bin : empirical_variogram(observations, spacing, 0, pool, progress)) {
    if (bin.distance == 0) continue;  // rows of one place tell of noise alone
    const double now = 1 - bin.semivariance / variance;
    if (start == 0) {
      // The first distances have few pairs: three deviations of chance do not count.
      if (!(now > std::max(kLeastCorrelation, 3 / std::sqrt(bin.pairs)))) return std::nullopt;
      start = now;
    } else if (now <= kGone * start) {
      // Between this bin and the last one, on a line.
      return before + (bin.distance - before) * (correlation - kGone * start) / (correlation - now);
    }
    before = bin.distance;
    correlation = now;
  }
  return start > 0 ? std::optional(before) : std::nullopt;
}

}  // namespace

BlockSize choose_block_size(const Dataset& data, Space space, std::int64_t fewest,
                            const RunSettings& run) {
  const double by_extent = default_block_size(data.points, space);
  const Dataset sample = [&] {
    Array<std::int64_t> rows;
    for (const std::int32_t row : draw_sample(data.rows(), kMostRows, 0, 4)) rows.push_back(row);
    return subset(data, rows);
  }();
  const std::string from_extent = "from the extent of the points";
  BlockSize chosen{by_extent, from_extent};
  std::string of;  // what the size is the range of
  if (const std::optional<double> range = range_of_residuals(sample, space, run)) {
    of = data.features() > 0 ? "the range of the residuals of a linear model"
                             : "the range of the target around its trend";
    chosen = {*range, of};
    if (*range < by_extent / 4) {
      chosen = {by_extent / 4, "the smallest that the extent allows; " + of + " is shorter"};
    }
  }
  // A tenth less each time: 60 times come to less than a five-hundredth, and points that so many
  // blocks do not part lie in a few places.
  const double wanted = chosen.size;
  const auto enough = [&] { return count_blocks(data.points, space, chosen.size) >= fewest; };
  bool parted = enough();
  for (int round = 0; round < 60 && !parted; ++round) {
    chosen.size *= 0.9;
    parted = enough();
  }
  if (!parted) return {by_extent, from_extent};
  if (chosen.size < wanted) {
    const bool range_is_longer = chosen.why == of;
    chosen.why = "the largest that leaves enough blocks";
    if (range_is_longer) chosen.why += "; " + of + " is longer";
  }
  return chosen;
}

}  // namespace pegnn
