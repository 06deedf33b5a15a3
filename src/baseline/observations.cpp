#include "baseline/observations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/array.h"
#include "base/philox.h"
#include "baseline/ordered_rows.h"
#include "geo/nearest.h"

namespace pegnn {
namespace {

void fill_mean_columns(const BaselineRows& rows, Span<const std::int32_t> order,
                       Observations& out) {
  const std::int64_t features = rows.features.cols;
  out.mean_columns = 1 + features;
  out.centres.assign(features, 0.0);
  for (const std::int32_t row : order) {
    for (std::int64_t f = 0; f < std::ssize(out.centres); ++f)
      out.centres[f] += rows.features.row(row)[f];
  }
  for (double& centre : out.centres) centre /= static_cast<double>(order.size());
  out.columns.clear();
  out.columns.reserve(order.size() * out.mean_columns);
  for (const std::int32_t row : order) {
    out.columns.push_back(1.0);
    for (std::int64_t f = 0; f < std::ssize(out.centres); ++f) {
      out.columns.push_back(rows.features.row(row)[f] - out.centres[f]);
    }
  }
}

}  // namespace

Observations make_observations(const BaselineRows& rows, Space space, bool with_features) {
  const Array<std::int32_t> order = row_order(rows);
  Observations out;
  out.space = space;
  const Array<Point> points = gather(rows.points, order);
  Array<double> labels = gather(rows.target, order);
  // The mean of the differences to one label: exact where all labels are equal.
  for (const double y : labels) out.offset += y - labels[0];
  out.offset = labels[0] + out.offset / static_cast<double>(labels.size());
  for (double& y : labels) y -= out.offset;

  Array<std::int32_t> site_of(order.size());
  if (with_features) {
    std::iota(site_of.begin(), site_of.end(), 0);
    out.points = points;
    out.labels = labels;
    out.counts.assign(order.size(), 1.0);
    fill_mean_columns(rows, order, out);
  } else {
    Sites sites = merge_coincident(space, points, labels);
    site_of = std::move(sites.site_of);
    out.points = std::move(sites.points);
    out.labels = std::move(sites.labels);
    out.counts = std::move(sites.counts);
    out.columns.assign(out.points.size(), 1.0);
  }
  out.places = places_of(space, out.points);
  out.scatter.assign(out.points.size(), 0.0);
  out.of_row.resize(order.size());
  out.label_of_row.resize(order.size());
  for (std::int64_t i = 0; i < std::ssize(order); ++i) {
    const std::int64_t site = site_of[i];
    const double off = labels[i] - out.labels[site];
    out.scatter[site] += off * off;
    out.of_row[order[i]] = site_of[i];
    out.label_of_row[order[i]] = labels[i];
  }
  return out;
}

bool Observations::constant() const {
  const double most = std::ranges::max(label_of_row, {}, [](double y) { return std::abs(y); });
  return std::abs(most) <= std::max(1e-13 * std::abs(offset), 1e-150);
}

double Observations::label_variance() const {
  double sum = 0;
  for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
    sum += counts[i] * labels[i] * labels[i] + scatter[i];
  }
  return sum / static_cast<double>(of_row.size());
}

Array<double> Observations::plain_mean(Span<const double> mean, std::int64_t features) const {
  Array<double> plain(features + 1, 0.0);
  std::ranges::copy(mean, plain.begin());
  plain[0] += offset;
  for (std::int64_t f = 1; f < std::ssize(mean); ++f) plain[0] -= mean[f] * centres[f - 1];
  return plain;
}

Spacing measure_spacing(const Observations& observations, std::uint64_t seed,
                        const ThreadPool& pool) {
  constexpr std::int64_t kSample = 4096;
  constexpr std::int64_t kNeighbours = 8;  // rows with features may share a place
  const Array<Point> queries =
      gather(observations.points, draw_sample(observations.size(), kSample, seed, 3));
  NearestIndex index;
  index.build(observations.points, observations.space, pool);
  Neighbours found;
  index.search(queries, kNeighbours, false, pool, found);
  Array<double> nearest;
  for (std::int64_t q = 0; q < std::ssize(queries); ++q) {
    const std::int64_t k = found.k;
    const Span<const double> row(found.distances.data() + q * k, k);
    const auto other = std::ranges::find_if(row, [](double d) { return d > 0; });
    if (other != row.end()) nearest.push_back(*other);
  }
  std::sort(nearest.begin(), nearest.end());

  Place lo = observations.places[0], hi = lo;
  for (const Place& p : observations.places) {
    lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
    hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
  }
  Spacing spacing;
  const double diagonal = std::sqrt(squared_distance(lo, hi));
  if (diagonal > 0) spacing = {diagonal, diagonal, diagonal};
  if (!nearest.empty()) {
    spacing.near = nearest[nearest.size() / 10];
    spacing.middle = nearest[nearest.size() / 2];
  }
  return spacing;
}

Array<std::int32_t> draw_sample(std::int64_t n, std::int64_t count, std::uint64_t seed,
                                std::uint64_t draw) {
  Array<std::int32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  if (count >= n) return rows;
  shuffle(rows.data(), n, Rng{seed, Stream::sample}, draw);
  rows.resize(count);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace pegnn
