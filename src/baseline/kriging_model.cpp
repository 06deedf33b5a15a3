#include "baseline/kriging_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "base/array.h"
#include "base/philox.h"
#include "baseline/kriging_weights.h"
#include "baseline/linear_field.h"
#include "baseline/linear_mean.h"
#include "baseline/ordered_rows.h"
#include "geo/nearest.h"

namespace pegnn {
namespace {

// Rows that decide between kernels: a fiftieth of a second for each kernel. With 2,048 of them
// noise chose the wrong one for California.
constexpr std::int64_t kLeftOut = 16384;

// A network corrects what kriging says, so that its range need not be found to the last digit:
// docs/decisions/0040.
constexpr FieldEffort kEffort{.terms = 4'096, .tolerance = 1e-5};

// Some rows of a table, copied.
struct PickedRows {
  PickedRows(const BaselineRows& rows, const Array<std::int32_t>& which)
      : columns(rows.features.cols),
        points(gather(rows.points, which)),
        target(gather(rows.target, which)) {
    for (const std::int32_t row : which) {
      features.insert(features.end(), rows.features.row(row), rows.features.row(row) + columns);
    }
  }
  BaselineRows view() const {
    return {points, {features.data(), std::ssize(points), columns}, target};
  }

  std::int64_t columns;
  Array<Point> points;
  Array<double> target, features;
};

// Some of the places: those with the least of the random numbers that belong to places, so that the
// order of the table does not matter.
Array<Point> draw_places(Span<const Point> points, std::int64_t count, std::uint64_t seed) {
  const auto number_of = [](std::uint64_t key, double x) {
    return Rng{key, Stream::sample}.bits(std::bit_cast<std::uint64_t>(x), 0);
  };
  std::map<std::uint64_t, Point> least;
  for (const Point p : points) {
    const std::uint64_t number = number_of(number_of(seed, p.x), p.y);
    if (std::ssize(least) == count && number >= least.rbegin()->first) continue;
    least.emplace(number, p);
    if (std::ssize(least) > count) least.erase(std::prev(least.end()));
  }
  Array<Point> out;
  for (const auto& [number, point] : least) out.push_back(point);
  return out;
}

// Each once, ascending.
void sort_distinct(Array<std::int32_t>& rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

// Rows with their nearest others, to be predicted from these.
class LeftOutRows {
 public:
  LeftOutRows(const BaselineRows& rows, Space space, const Array<std::int32_t>& sample,
              const NearestIndex& index, std::int64_t k, const ThreadPool& pool)
      : space_(space) {
    Array<Point> queries = gather(rows.points, sample);
    Neighbours nearest;
    index.search(queries, k + 1, false, pool, nearest);
    // Only rows that take part are kept, under new numbers.
    Array<std::int32_t> part = sample;
    part.insert(part.end(), nearest.rows.begin(), nearest.rows.end());
    sort_distinct(part);
    const auto number = [&](std::int32_t row) {
      return static_cast<std::int32_t>(std::ranges::lower_bound(part, row) - part.begin());
    };
    found_.k = nearest.k - 1;
    for (std::int64_t q = 0; q < std::ssize(sample); ++q) {
      own_.push_back(number(sample[q]));
      // Without itself; among many rows at one place it may not be there, then the last one goes.
      const auto first = nearest.rows.begin() + q * nearest.k;
      const auto self = std::find(first, first + nearest.k - 1, sample[q]);
      for (auto row = first; row != first + nearest.k; ++row) {
        if (row != self) found_.rows.push_back(number(*row));
      }
    }
    picked_ = PickedRows(rows, part);
    places_ = places_of(space, picked_.points);
    queries_ = std::move(queries);
  }

  double error(const SpatialModel& process, const Array<double>& mean,
               const ThreadPool& pool) const {
    Array<float> weights(found_.rows.size()), variance(own_.size());
    KrigingWeights(process, space_).solve(queries_, found_, places_, pool, weights, variance);
    Array<double> residual(picked_.target);
    for (std::int64_t i = 0; i < std::ssize(residual); ++i) {
      residual[i] -= linear_mean(mean, picked_.features.data() + i * (mean.size() - 1));
    }
    double sum = 0;
    for (std::int64_t q = 0; q < std::ssize(own_); ++q) {
      double off = residual[own_[q]];
      const std::int64_t k = found_.k;
      for (std::int64_t j = q * k; j < (q + 1) * k; ++j) {
        off -= static_cast<double>(weights[j]) * residual[found_.rows[j]];
      }
      sum += off * off;
    }
    return sum / static_cast<double>(own_.size());
  }

 private:
  Space space_;
  Array<std::int32_t> own_;  // of each left out, its number among those picked
  Neighbours found_;
  Array<Point> queries_;
  PickedRows picked_{{}, {}};
  Array<Place> places_;
};

KrigingModel choose(const BaselineRows& all, const BaselineRows& some,
                    const Array<std::int32_t>& sample, const NearestIndex& index,
                    const BaselineSpec& spec, const ThreadPool& pool, FitProgress& progress) {
  const Observations observations = make_linear_observations(some, spec, Slopes::shrunk);
  const LinearFields fields = fit_linear_fields(observations, spec, pool, progress, kEffort);
  const LeftOutRows left_out(all, spec.space, sample, index, spec.options.k, pool);
  const auto judged = [&](const LikelihoodFit& fit) {
    KrigingModel model{fit.model, observations.plain_mean(fit.mean, spec.features), 0,
                       fit.log_likelihood};
    model.left_out_error = left_out.error(model.process, model.mean, pool);
    return model;
  };
  KrigingModel best;
  double likelihood = 0;
  for (const LikelihoodFit& fit : fields.fits) {
    KrigingModel model = judged(fit);
    if (!best.mean.empty() && !(model.left_out_error < best.left_out_error)) continue;
    best = std::move(model);
    likelihood = fit.log_likelihood;
  }
  // A field has two parameters more than noise, its range and its sill (Akaike, IEEE Trans. Autom.
  // Control 19, 1974). Of noise ordinary kriging would make the mean of k labels, and the error
  // greater by 1/k.
  if (fields.noise && likelihood - fields.noise->log_likelihood < 2) return judged(*fields.noise);
  return best;
}

}  // namespace

KrigingModel fit_kriging_model(const BaselineRows& rows, const BaselineSpec& given,
                               const ThreadPool& pool, FitProgress& progress,
                               const KrigingSample& sample) {
  progress.check();
  BaselineSpec spec = given;
  resolve_k(spec.options, 24, rows.rows());
  const auto seed = static_cast<std::uint64_t>(spec.options.seed);
  const auto draw = [&](std::int64_t n) { return draw_sample(n, kLeftOut, seed, 5); };
  NearestIndex index;
  if (rows.rows() <= sample.whole) {
    const OrderedRows ordered(rows);
    index.build(ordered.points, spec.space, pool);
    return choose(ordered.view(), ordered.view(), draw(rows.rows()), index, spec, pool, progress);
  }
  index.build(rows.points, spec.space, pool);
  progress.check();
  Neighbours found;
  index.search(draw_places(rows.points, sample.neighbourhoods, seed), sample.neighbourhood, false,
               pool, found);
  sort_distinct(found.rows);
  // By place, not by number in the table.
  const PickedRows near(rows, found.rows);
  Array<std::int32_t> left_out;
  const Array<std::int32_t> order = row_order(near.view());
  for (const std::int32_t i : draw(std::ssize(order))) {
    const std::int32_t at = order[i];
    left_out.push_back(found.rows[at]);
  }
  return choose(rows, near.view(), left_out, index, spec, pool, progress);
}

}  // namespace pegnn
