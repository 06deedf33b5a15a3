#include "neighbourhood/label_field.h"

#include <algorithm>
#include <cmath>

#include "base/array.h"
#include "baseline/kriging_weights.h"
#include "baseline/linear_mean.h"
#include "geo/taper.h"

namespace pegnn {
namespace {

constexpr std::int64_t kBlock = 256;  // points a thread takes at a time

// Kriging weights are told in these units: about what a neighbour of 24 gets when a few count.
constexpr float kWeightScale = 4.0F;

// Kriging with `taper` hears so many times the neighbours that are attended to: the wider a
// neighbourhood, the less a surface bends where it changes. Tables of more rows are asked for more
// places, where it costs more; there those attended to count in full, since with a quarter of 24
// the error on the elevation model is 23 % larger, and with a quarter of 48 still 4 %.
constexpr std::int64_t kWide = 3, kLessWide = 2, kWideRows = 4096;

std::int64_t reach_of(std::int64_t rows, std::int64_t k) {
  return k * (rows <= kWideRows ? kWide : kLessWide);
}

// A length in units, farther ones by their logarithm.
double log_beyond(double units) {
  return units <= kFarUnits ? units : kFarUnits * (1.0 + std::log(units / kFarUnits));
}

// Of `all` entries for each of some points the first k, if there are more.
template <class T>
void keep_nearest(std::int64_t k, std::int64_t points, Array<T>& entries, std::int64_t& all) {
  if (all <= k) return;
  for (std::int64_t i = 0; i < points; ++i) {
    std::copy_n(entries.begin() + i * all, k, entries.begin() + i * k);
  }
  entries.resize(points * k);
  all = k;
}

// On top of a training point directions turn and logarithms dive. Where neighbours taper off,
// lengths are those to a point so many units above it: the surface has no needle there.
constexpr double kAbove = 0.1;

void write_edge(const Place& from, const Place& to, double unit, bool taper, float weight,
                float* out) {
  const double dx = to.x - from.x, dy = to.y - from.y, dz = to.z - from.z;
  const double flat = std::sqrt(dx * dx + dy * dy + dz * dz) / unit;
  const double above = taper ? kAbove : 0.0;
  const double d = taper ? std::sqrt(flat * flat + above * above) : flat;
  const double length = log_beyond(d);
  const double scale = d > 0 ? length / d / unit : 0.0;
  const float least = taper ? 0.0F : 1e-3F;
  out[0] = static_cast<float>(dx * scale);
  out[1] = static_cast<float>(dy * scale);
  out[2] = static_cast<float>(dz * scale);
  out[3] = static_cast<float>(length);
  out[4] = std::log(static_cast<float>(length) + least);
  out[5] = static_cast<float>(d > 0 ? above * above / (d * d) : 1.0);
  out[6] = weight * kWeightScale;
}

}  // namespace

LabelField::LabelField(const TrainingPoints& training, Space space, std::int64_t k, bool smooth,
                       bool taper, const Backend<float>& backend)
    : training_(training),
      space_(space),
      k_(k),
      reach_(taper ? reach_of(training.points.size(), k) : k),
      in_full_(training.points.size() <= kWideRows ? Taper::last_in_full(reach_) : k - 1),
      smooth_(smooth),
      taper_(taper),
      places_(places_of(space, training.points)) {
  const std::int64_t rows = training.features.rows, width = training.features.cols;
  backend.grow(sources_, rows * (width + 1));
  if (smooth_) residuals_.resize(rows);
  backend.pool.for_blocks(rows, kBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const float* const features = training.features.row(i);
      const float label = training.labels[i];
      float* const source = sources_.data() + i * (width + 1);
      if (width > 0) std::copy_n(features, width, source);
      source[width] = label;
      if (smooth_) {
        residuals_[i] =
            static_cast<double>(label) - linear_mean(training_.model.kriging.mean, features);
      }
    }
  });
  all_.index.build(training.points, space, backend.pool);
}

void LabelField::build(Span<const std::int32_t> rows, const ThreadPool& pool,
                       LabelIndex& out) const {
  out.rows.assign(rows.begin(), rows.end());
  out.index.build(gather(training_.points, rows), space_, pool);
}

void LabelField::find_neighbours(const LabelIndex& index, Span<const Point> points,
                                 Mat<const float> features, Span<const std::int32_t> own,
                                 const ThreadPool& pool, LabelNeighbourhoods& out) const {
  Neighbours& found = out.found;
  // One more than wanted, in case the point itself is among them, and the first one outside.
  const std::int64_t wanted = taper_ ? reach_ + 1 : k_;
  index.index.search_rows(points, own.empty() ? wanted : wanted + 1, pool, found);
  if (!index.rows.empty()) {
    for (std::int32_t& row : found.rows) row = index.rows[row];
  }
  if (!own.empty() && found.k > 0) {
    const std::int64_t all = found.k, kept = all - 1;
    for (std::int64_t i = 0; i < std::ssize(points); ++i) {
      const auto first = found.rows.begin() + i * all;
      const auto at = std::find(first, first + kept, own[i]);
      const auto to = found.rows.begin() + i * kept;
      const auto rest = std::copy(first, at, to);
      std::copy(at + 1, first + all, rest);
    }
    found.k = kept;
    found.rows.resize(points.size() * kept);
  }
  found.distances.clear();  // chords in metres are what counts here
  out.places.resize(points.size());
  pool.for_blocks(std::ssize(points), kBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out.places[i] = place_of(space_, points[i]);
  });
  const Array<float> of_kriging = tapers(reach_, in_full_, out, pool);
  out.log_weights = tapers(k_, Taper::last_in_full(k_), out, pool);
  keep_nearest(reach_, points.size(), found.rows, found.k);
  smooth(features, of_kriging, pool, out);
  std::int64_t weighed = found.k;
  keep_nearest(k_, points.size(), out.weights, weighed);
  keep_nearest(k_, points.size(), found.rows, found.k);
  find_gaps(pool, out);
}

Array<float> LabelField::tapers(std::int64_t k, std::int64_t last,
                                const LabelNeighbourhoods& around, const ThreadPool& pool) const {
  const std::int64_t all = around.found.k;
  Array<float> log_weights;
  if (all <= k) return log_weights;
  log_weights.resize(around.places.size() * k);
  pool.for_blocks(around.places.size(), kBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int32_t* const rows = around.found.rows.data() + i * all;
      const auto distance = [&](std::int64_t j) {
        return std::sqrt(squared_distance(around.places[i], places_[rows[j]]));
      };
      const Taper taper = Taper::of(k, distance, last);
      for (std::int64_t j = 0; j < k; ++j) {
        const double weight = std::max(taper(distance(j)), kLeastTaper);
        log_weights[i * k + j] = static_cast<float>(std::log(weight));
      }
    }
  });
  return log_weights;
}

void LabelField::find_gaps(const ThreadPool& pool, LabelNeighbourhoods& out) const {
  const std::int64_t k = out.found.k;
  out.gaps.resize(out.places.size());
  pool.for_blocks(out.places.size(), kBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int32_t* const rows = out.found.rows.data() + i * k;
      const double ratio = gap_ratio(k, [&](std::int64_t j) {
        return std::sqrt(squared_distance(out.places[i], places_[rows[j]]));
      });
      out.gaps[i] = gap_share(ratio, training_.model.extrapolation_ratio);
    }
  });
}

void LabelField::smooth(Mat<const float> features, Span<const float> log_weights,
                        const ThreadPool& pool, LabelNeighbourhoods& out) const {
  const std::int64_t k = out.found.k;
  out.weights.assign(out.places.size() * k, 0.0F);
  out.smooth.assign(out.places.size() * kLabelInputs, 0.0F);
  if (!smooth_) return;
  Array<float> variance(out.places.size());
  KrigingWeights(training_.model.kriging.process, space_)
      .solve_at(out.places, out.found, log_weights, places_, pool, out.weights, variance);
  pool.for_blocks(out.places.size(), kBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      double mean = linear_mean(training_.model.kriging.mean, features.row(i));
      for (std::int64_t j = i * k; j < (i + 1) * k; ++j) {
        mean += static_cast<double>(out.weights[j]) * residuals_[out.found.rows[j]];
      }
      out.smooth[i * kLabelInputs] = static_cast<float>(mean);
      out.smooth[i * kLabelInputs + 1] = std::log(variance[i]);
    }
  });
}

void LabelField::keep_edges(Span<const Point> points, const ThreadPool& pool,
                            LabelNeighbourhoods& around) const {
  const std::int64_t k = around.found.k;
  around.places = {};
  around.edges.resize(points.size() * k * kEdgeInputs);
  pool.for_blocks(std::ssize(points), kBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Place place = place_of(space_, points[i]);
      for (std::int64_t e = i * k; e < (i + 1) * k; ++e) {
        const std::int64_t row = around.found.rows[e];
        write_edge(place, places_[row], training_.model.unit, taper_, around.weights[e],
                   around.edges.data() + e * kEdgeInputs);
      }
    }
  });
}

void LabelField::link(Span<const Point> points, const LabelNeighbourhoods& around,
                      Span<const std::int32_t> which, Span<const std::int32_t> ranks,
                      const Backend<float>& backend, NeighbourhoodView& out) const {
  const auto count = std::ssize(points);
  const auto kept = std::ssize(ranks);
  const std::int64_t k = around.found.k;
  const bool known = !around.edges.empty(), placed = !around.places.empty();
  Graph& g = out.graph;
  g.nodes = count;
  g.offsets.resize(count + 1);
  g.columns.resize(count * kept);
  out.queries = count;
  out.sources = sources();
  out.node_width = kLabelInputs;
  out.edge_width = kEdgeInputs;
  backend.grow(out.node_numbers, count * kLabelInputs);
  backend.grow(out.edge_numbers, count * kept * kEdgeInputs);
  out.tapered = !around.log_weights.empty();
  if (out.tapered) backend.grow(out.log_weights, count * kept);
  out.smooth.resize(smooth_ ? count : 0);
  out.gaps.resize(count);
  backend.pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t at = which[i];
      const Place place = known    ? Place()
                          : placed ? around.places[at]
                                   : place_of(space_, points[i]);
      g.offsets[i] = i * kept;
      std::copy_n(around.smooth.data() + at * kLabelInputs, kLabelInputs,
                  out.node_numbers.data() + i * kLabelInputs);
      if (smooth_) out.smooth[i] = around.smooth[at * kLabelInputs];
      out.gaps[i] = around.gaps[at];
      for (std::int64_t e = 0; e < kept; ++e) {
        const std::int64_t from = at * k + ranks[e];
        const std::int32_t row = around.found.rows[from];
        g.columns[i * kept + e] = row;
        if (out.tapered) out.log_weights[i * kept + e] = around.log_weights[from];
        float* const to = out.edge_numbers.data() + (i * kept + e) * kEdgeInputs;
        if (known) {
          std::copy_n(around.edges.data() + from * kEdgeInputs, kEdgeInputs, to);
        } else {
          write_edge(place, places_[row], training_.model.unit, taper_, around.weights[from], to);
        }
      }
    }
  });
  g.offsets[count] = count * kept;
}

}  // namespace pegnn
