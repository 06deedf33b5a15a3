#include "baseline/local_process.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "baseline/linear_field.h"
#include "baseline/linear_mean.h"
#include "geo/length.h"
#include "geo/taper.h"

namespace pegnn {

// What stays at an observation when one of its rows is left out.
struct LocalProcess::LeftOut {
  std::int32_t observation = -1;  // -1: nothing is left out
  double residual = 0;
  double count = 0;  // rows that stay there
};

// Solves one query after the other in the same memory.
class LocalProcess::System {
 public:
  explicit System(const LocalProcess& process)
      : process_(process),
        share_(process.model_.share()),
        correlations_(process.model_.kernel, process.model_.range, share_) {
    const std::int64_t variables = process.spec_.options.k + 2;
    memory_.resize(variables * (variables + 1));
  }

  struct Answer {
    double residual;  // to be added to the linear mean
    double variance;  // in units of sill + nugget
  };

  Answer solve(const Place& query, Span<const std::int32_t> neighbours, const LeftOut& left) {
    choose(neighbours, left);
    taper(query);
    // The label itself where nothing blurs it: elimination would give it up to rounding.
    if (share_ == 0 && !chosen_.empty() && squared_distance(query, chosen_[0].place) == 0) {
      return {chosen_[0].residual, 0.0};
    }
    const auto known = std::ssize(chosen_);
    const std::int64_t last = known + (process_.local_mean_ ? 1 : 0);
    const Mat<double> a(memory_.data(), last + 1, last + 2);
    for (std::int64_t i = 0; i < known; ++i) {
      const Neighbour& neighbour = chosen_[i];
      a(i, i) = correlations_.own(neighbour.count) + neighbour.noise;
      for (std::int64_t j = i + 1; j < known; ++j) {
        a(i, j) = correlations_(neighbour.place, chosen_[j].place);
      }
      if (process_.local_mean_) a(i, known) = 1;
      a(i, last) = correlations_(neighbour.place, query);
      a(i, last + 1) = neighbour.residual;
    }
    if (process_.local_mean_) {
      a(known, known) = 0;
      a(known, last) = 1;
      a(known, last + 1) = 0;
    }
    a(last, last) = 1;
    a(last, last + 1) = 0;
    condition(a, last);
    return {-a(last, last + 1), std::max(a(last, last), share_)};
  }

 private:
  struct Neighbour {
    Place place;
    double residual, count;
    double noise = 0;  // beside its own
  };

  // Those there may be and, where they taper off, the next one outside.
  void choose(Span<const std::int32_t> neighbours, const LeftOut& left) {
    chosen_.clear();
    for (const std::int32_t row : neighbours) {
      if (std::ssize(chosen_) == process_.wanted()) break;
      if (row != left.observation) {
        chosen_.push_back({process_.places_[row], process_.residuals_[row], process_.counts_[row]});
      } else if (left.count > 0) {
        chosen_.push_back({process_.places_[row], left.residual, left.count});
      }
    }
  }

  // The farther ones get noise, and the one outside goes.
  void taper(const Place& query) {
    const std::int64_t k = process_.spec_.options.k;
    if (std::ssize(chosen_) <= k) return;
    const auto distance = [&](std::int64_t i) {
      return std::sqrt(squared_distance(query, chosen_[i].place));
    };
    const Taper taper = Taper::of(k, distance);
    const double near = correlations_(query, chosen_[Taper::last_in_full(k)].place);
    for (Neighbour& one : chosen_) {
      one.noise = taper_noise(taper(std::sqrt(squared_distance(query, one.place))), near);
    }
    chosen_.pop_back();
  }

  const LocalProcess& process_;
  double share_;
  Correlations correlations_;
  Array<Neighbour> chosen_;
  Array<double> memory_;
};

namespace {

constexpr std::int64_t kChunk = 1 << 16;  // queries whose neighbours are held at a time
constexpr std::int64_t kBlock = 128;      // queries a thread takes at a time

// Rows that decide between fields, and the number of their draw.
constexpr std::int64_t kLeftOut = 16384;
constexpr std::uint64_t kDraw = 6;

// Drawn by place and label: the order of the table does not matter.
Array<std::int64_t> rows_to_leave_out(const Observations& observations, std::uint64_t seed) {
  const std::int64_t rows = std::ssize(observations.of_row);
  Array<std::int64_t> order(rows), sample;
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::int64_t row) {
    return std::pair(observations.of_row[row], observations.label_of_row[row]);
  });
  for (const std::int32_t i : draw_sample(rows, kLeftOut, seed, kDraw)) {
    sample.push_back(order[i]);
  }
  return sample;
}

Covariance stored_kernel(const ArrayReader& arrays) {
  const double number = arrays.number("kernel");
  for (const Covariance kernel : kernels_of("auto")) {
    if (number == static_cast<double>(kernel)) return kernel;
  }
  arrays.refuse("kernel", "is not the number of a covariance that is chosen");
}

}  // namespace

auto LocalProcess::best_left_out(const Observations& observations, Span<const Field> fields,
                                 const ThreadPool& pool, FitProgress& progress) -> Field {
  if (fields.size() == 1) return fields[0];
  points_ = observations.points;
  counts_ = observations.counts;
  of_row_ = observations.of_row;
  places_ = places_of(spec_.space, points_);
  index_.build(points_, spec_.space, pool);
  const Array<std::int64_t> sample =
      rows_to_leave_out(observations, static_cast<std::uint64_t>(spec_.options.seed));
  Array<double> told(std::ssize(sample));
  const Field* best = nullptr;
  double least = 0;
  for (const Field& field : fields) {
    progress.check();
    take_labels(observations, field);
    build_whole(pool);
    predict_left_out(sample, pool, told);
    double error = 0;
    for (std::int64_t i = 0; i < std::ssize(sample); ++i) {
      const std::int64_t row = sample[i];
      const double off = told[i] - observations.offset - observations.label_of_row[row];
      error += off * off;
    }
    if (best != nullptr && !(error < least)) continue;
    best = &field;
    least = error;
  }
  return *best;
}

void LocalProcess::keep(Observations observations, const Field& field, const ThreadPool& pool) {
  take_labels(observations, field);
  mean_ = observations.plain_mean(field.mean, spec_.features);
  points_ = std::move(observations.points);
  counts_ = std::move(observations.counts);
  of_row_ = std::move(observations.of_row);
  build(pool);
}

void LocalProcess::take_labels(const Observations& observations, const Field& field) {
  model_ = field.model;
  const std::int64_t columns = observations.mean_columns;
  const auto mean_at = [&](std::int64_t observation) {
    double sum = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
      sum += field.mean[c] * observations.columns[observation * columns + c];
    }
    return sum;
  };
  residuals_.clear();
  for (std::int64_t i = 0; i < std::ssize(observations.labels); ++i) {
    residuals_.push_back(observations.labels[i] - mean_at(i));
  }
  residual_of_row_.clear();
  mean_of_row_.clear();
  for (std::int64_t row = 0; row < std::ssize(observations.of_row); ++row) {
    const double at = mean_at(observations.of_row[row]);
    mean_of_row_.push_back(observations.offset + at);
    residual_of_row_.push_back(observations.label_of_row[row] - at);
  }
}

void LocalProcess::build(const ThreadPool& pool) {
  places_ = places_of(spec_.space, points_);
  index_.build(points_, spec_.space, pool);
  build_whole(pool);
}

void LocalProcess::build_whole(const ThreadPool& pool) {
  whole_ = nullptr;
  if (spec_.options.taper && places_.size() <= spec_.options.k + 1) {
    whole_ =
        std::make_unique<const WholeField>(model_, local_mean_, places_, residuals_, counts_, pool);
  }
}

std::int64_t LocalProcess::wanted() const {
  return spec_.options.k + (spec_.options.taper ? 1 : 0);
}

void LocalProcess::store(Arrays& arrays) const {
  const auto n = std::ssize(points_);
  arrays.add_points("points", points_);
  arrays.add("residuals", n, 1, residuals_);
  arrays.add("counts", n, 1, counts_);
  arrays.add("mean", 1, spec_.features + 1, mean_);
  arrays.add("covariance", 1, 3, {model_.range, model_.sill, model_.nugget});
  if (spec_.options.kernel == "auto") {
    arrays.add("kernel", 1, 1, {static_cast<double>(model_.kernel)});
  }
}

void LocalProcess::restore(const ArrayReader& arrays, const ThreadPool& pool) {
  points_ = arrays.points("points", spec_.space);
  if (points_.empty()) arrays.refuse("points", "is empty");
  const auto n = std::ssize(points_);
  residuals_ = arrays.matrix("residuals", n, 1).values;
  counts_ = arrays.matrix("counts", n, 1).values;
  if (std::ranges::min(counts_) < 1) arrays.refuse("counts", "holds a number below 1");
  mean_ = arrays.matrix("mean", 1, spec_.features + 1).values;
  const Array<double>& covariance = arrays.matrix("covariance", 1, 3).values;
  if (!(covariance[0] > 0) || covariance[1] < 0 || covariance[2] < 0) {
    arrays.refuse("covariance", "is not a range above 0 with a sill and a nugget of at least 0");
  }
  model_ = {covariance_of(spec_.options.kernel, Covariance::exponential), covariance[0],
            covariance[1], covariance[2]};
  if (spec_.options.kernel == "auto") model_.kernel = stored_kernel(arrays);
  of_row_.clear();
  build(pool);
}

void LocalProcess::predict(const BaselineRows& queries, const ThreadPool& pool, Span<double> mean,
                           Span<double> deviation) const {
  if (whole_ != nullptr) return ask_whole(queries, pool, mean, deviation);
  const double spread = std::sqrt(model_.variance());
  Neighbours found;
  for (std::int64_t first = 0; first < queries.rows(); first += kChunk) {
    const std::int64_t count = std::min(kChunk, queries.rows() - first);
    const auto points = queries.points.subspan(first, count);
    index_.search(points, wanted(), false, pool, found);
    pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
      System system(*this);
      for (std::int64_t q = begin; q < end; ++q) {
        const Place place = place_of(spec_.space, points[q]);
        const auto answer = system.solve(place, {found.rows.data() + q * found.k, found.k}, {});
        const std::int64_t row = first + q;
        mean[row] = linear_mean(mean_, queries.features.row(first + q)) + answer.residual;
        if (!deviation.empty()) deviation[row] = spread * std::sqrt(answer.variance);
      }
    });
  }
}

void LocalProcess::ask_whole(const BaselineRows& queries, const ThreadPool& pool, Span<double> mean,
                             Span<double> deviation) const {
  const double spread = std::sqrt(model_.variance());
  whole_->predict(places_of(spec_.space, queries.points), pool, mean, deviation);
  for (std::int64_t q = 0; q < queries.rows(); ++q) {
    mean[q] += linear_mean(mean_, queries.features.row(q));
    if (!deviation.empty()) deviation[q] = spread * std::sqrt(deviation[q]);
  }
}

// One neighbour more is asked for, in case the row's own observation goes.
void LocalProcess::predict_left_out(Span<const std::int64_t> rows, const ThreadPool& pool,
                                    Span<double> mean) const {
  if (whole_ != nullptr) return leave_out_of_whole(rows, pool, mean);
  Neighbours found;
  Array<Point> points;
  for (std::int64_t first = 0; first < rows.size(); first += kChunk) {
    const auto chunk = rows.subspan(first, std::min<std::int64_t>(kChunk, rows.size() - first));
    points.clear();
    const auto own = [&](std::int64_t q) { return of_row_[chunk[q]]; };
    for (std::int64_t q = 0; q < std::ssize(chunk); ++q) {
      points.push_back(points_[own(q)]);
    }
    index_.search(points, wanted() + 1, false, pool, found);
    pool.for_blocks(std::ssize(chunk), kBlock, [&](std::int64_t begin, std::int64_t end) {
      System system(*this);
      for (std::int64_t q = begin; q < end; ++q) {
        const std::int64_t row = chunk[q];
        const std::int64_t at = own(q);
        LeftOut left{own(q), 0, counts_[at] - 1};
        if (left.count > 0) {
          left.residual = (counts_[at] * residuals_[at] - residual_of_row_[row]) / left.count;
        }
        const std::int64_t k = found.k;
        const auto answer = system.solve(places_[at], {found.rows.data() + q * k, k}, left);
        mean[first + q] = mean_of_row_[row] + answer.residual;
      }
    });
  }
}

// What stays at the row's place and what the others say of it, each with its variance.
void LocalProcess::leave_out_of_whole(Span<const std::int64_t> rows, const ThreadPool& pool,
                                      Span<double> mean) const {
  const Array<WholeField::Others> others = whole_->leave_each_out(pool);
  const double share = model_.share();
  for (std::int64_t q = 0; q < rows.size(); ++q) {
    const std::int32_t at = of_row_[rows[q]];
    const auto [expected, variance] = others[at];
    double residual = expected;
    if (const double stay = counts_[at] - 1; stay > 0) {
      const double label = (counts_[at] * residuals_[at] - residual_of_row_[rows[q]]) / stay;
      const double noise = share / stay;
      residual = share > 0 ? (expected * noise + label * variance) / (noise + variance) : label;
    }
    mean[q] = mean_of_row_[rows[q]] + residual;
  }
}

std::string LocalProcess::summary() const {
  const double square = spec_.target.linear.scale * spec_.target.linear.scale;
  const std::string range = length_text(model_.range, spec_.metres(), 4);
  return fmt::format("{} covariance, range {}, sill {}, nugget {}{}", name_of(model_.kernel), range,
                     format_short(model_.sill * square), format_short(model_.nugget * square),
                     spec_.target.told_of());
}

}  // namespace pegnn
