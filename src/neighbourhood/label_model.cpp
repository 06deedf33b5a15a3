#include "neighbourhood/label_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/array.h"
#include "baseline/places.h"
#include "geo/nearest.h"
#include "neighbourhood/gaps.h"
#include "table/scaled_features.h"
#include "table/split.h"

namespace pegnn {
namespace {

// Rows whose neighbours tell the unit of length.
constexpr std::int64_t kMostMeasured = 65536;

// Of the rows' ratios of distances so many lie below the one from which on answers extrapolate.
constexpr double kInterpolatedShare = 0.8;

double quantile(Array<double>& values, double share) {
  const auto at = static_cast<std::int64_t>(share * static_cast<double>(values.size()));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[at];
}

// How the rows stand to each other: the median distance of a row's k nearest rows or, where most
// rows coincide, the mean of those that do not; and which ratio of distances is ordinary.
void find_spacing(const Dataset& data, std::int64_t k, std::int64_t seed, const ThreadPool& pool,
                  LabelModel& model) {
  const Array<Point> points =
      gather(data.points, some_rows(all_rows(data.rows()), kMostMeasured, seed));
  NearestIndex index;
  index.build(data.points, data.space, pool);
  Neighbours found;
  index.search(points, k + 1, false, pool, found);
  // The first is the row itself, or another at its place. Ratios are those of places: a row that
  // has a twin does not lie in a gap, nor does it say what is ordinary.
  Array<double> distances, ratios, apart_from;
  for (std::int64_t i = 0; i < std::ssize(points); ++i) {
    const Place place = place_of(data.space, points[i]);
    apart_from.clear();
    for (std::int64_t j = 1; j < found.k; ++j) {
      const std::int64_t at = i * found.k + j;
      distances.push_back(found.distances[at]);
      if (found.distances[at] == 0) continue;
      const std::int64_t row = found.rows[at];
      apart_from.push_back(
          std::sqrt(squared_distance(place, place_of(data.space, data.points[row]))));
    }
    ratios.push_back(gap_ratio(apart_from));
  }
  if (distances.empty()) return;
  model.extrapolation_ratio = quantile(ratios, kInterpolatedShare);
  model.unit = quantile(distances, 0.5);
  if (model.unit > 0) return;
  const auto apart =
      std::count_if(distances.begin(), distances.end(), [](double d) { return d > 0; });
  const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  model.unit = apart > 0 ? sum / static_cast<double>(apart) : 1.0;
}

}  // namespace

LabelModel fit_label_model(const Dataset& data, const Options& options, const Scaler& scaler,
                           const Context& context) {
  LabelModel model;
  find_spacing(data, options.k, options.seed, context.pool, model);
  if (options.part.word("smoother") == "none") return model;
  const Array<double> features = scaled_features<double>(data, all_rows(data.rows()), scaler);
  Array<double> target;
  target.reserve(data.y.size());
  for (const double y : data.y) target.push_back(scaler.target.apply(y));
  RunSettings quiet = context.run;  // its steps are not those of the network
  quiet.progress = {};
  FitProgress progress(quiet);
  model.kriging =
      fit_kriging_model({data.points, {features.data(), data.rows(), scaler.width()}, target},
                        {.options = options,
                         .space = data.space,
                         .features = scaler.width(),
                         .target = scaler.target},
                        context.pool, progress);
  return model;
}

}  // namespace pegnn
