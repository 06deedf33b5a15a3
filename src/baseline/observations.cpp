#include "baseline/observations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/philox.h"
#include "baseline/ordered_rows.h"
#include "geo/nearest.h"

namespace pegnn {
namespace {

void fill_mean_columns(const BaselineRows& rows, std::span<const std::int32_t> order,
                       Observations& out) {
  const std::int64_t features = rows.features.cols;
  out.mean_columns = 1 + features;
  out.centres.assign(static_cast<std::size_t>(features), 0.0);
  for (const std::int32_t row : order) {
    for (std::size_t f = 0; f < out.centres.size(); ++f)
      out.centres[f] += rows.features.row(row)[f];
  }
  for (double& centre : out.centres) centre /= static_cast<double>(order.size());
  out.columns.clear();
  out.columns.reserve(order.size() * static_cast<std::size_t>(out.mean_columns));
  for (const std::int32_t row : order) {
    out.columns.push_back(1.0);
    for (std::size_t f = 0; f < out.centres.size(); ++f) {
      out.columns.push_back(rows.features.row(row)[f] - out.centres[f]);
    }
  }
}

}  // namespace

Observations make_observations(const BaselineRows& rows, Space space, bool with_features) {
  const std::vector<std::int32_t> order = row_order(rows);
  Observations out;
  out.space = space;
  std::vector<Point> points;
  std::vector<double> labels;
  for (const std::int32_t row : order) {
    points.push_back(rows.points[static_cast<std::size_t>(row)]);
    labels.push_back(rows.target[static_cast<std::size_t>(row)]);
  }
  // The mean of the differences to one label: exact where all labels are equal.
  for (const double y : labels) out.offset += y - labels[0];
  out.offset = labels[0] + out.offset / static_cast<double>(labels.size());
  for (double& y : labels) y -= out.offset;

  std::vector<std::int32_t> site_of(order.size());
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
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto site = static_cast<std::size_t>(site_of[i]);
    const double off = labels[i] - out.labels[site];
    out.scatter[site] += off * off;
    out.of_row[static_cast<std::size_t>(order[i])] = site_of[i];
    out.label_of_row[static_cast<std::size_t>(order[i])] = labels[i];
  }
  return out;
}

bool Observations::constant() const {
  const double most = std::ranges::max(label_of_row, {}, [](double y) { return std::abs(y); });
  return std::abs(most) <= std::max(1e-13 * std::abs(offset), 1e-150);
}

double Observations::label_variance() const {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sum += counts[i] * labels[i] * labels[i] + scatter[i];
  }
  return sum / static_cast<double>(of_row.size());
}

std::vector<double> Observations::plain_mean(std::span<const double> mean,
                                             std::int64_t features) const {
  std::vector<double> plain(static_cast<std::size_t>(features + 1), 0.0);
  std::ranges::copy(mean, plain.begin());
  plain[0] += offset;
  for (std::size_t f = 1; f < mean.size(); ++f) plain[0] -= mean[f] * centres[f - 1];
  return plain;
}

Spacing measure_spacing(const Observations& observations, std::uint64_t seed,
                        const ThreadPool& pool) {
  constexpr std::int64_t kSample = 4096;
  constexpr std::int64_t kNeighbours = 8;  // rows with features may share a place
  std::vector<Point> queries;
  for (const std::int32_t i : draw_sample(observations.size(), kSample, seed, 3)) {
    queries.push_back(observations.points[static_cast<std::size_t>(i)]);
  }
  NearestIndex index;
  index.build(observations.points, observations.space, pool);
  Neighbours found;
  index.search(queries, kNeighbours, false, pool, found);
  std::vector<double> nearest;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const auto k = static_cast<std::size_t>(found.k);
    const std::span<const double> row(found.distances.data() + q * k, k);
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

std::vector<std::int32_t> draw_sample(std::int64_t n, std::int64_t count, std::uint64_t seed,
                                      std::uint64_t draw) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), 0);
  if (count >= n) return rows;
  shuffle(rows.data(), n, Rng{seed, Stream::sample}, draw);
  rows.resize(static_cast<std::size_t>(count));
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace pegnn
