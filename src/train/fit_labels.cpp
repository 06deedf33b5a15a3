// What is learned of the training rows before a network that listens to their labels.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "baseline/places.h"
#include "geo/nearest.h"
#include "model/gaps.h"
#include "train/fit.h"
#include "train/training_set.h"

namespace pegnn {
namespace {

// Rows whose neighbours tell the unit of length.
constexpr std::int64_t kMostMeasured = 65536;

// Of the rows' ratios of distances so many lie below the one that counts as their midst.
constexpr double kMidstShare = 0.8;

double quantile(std::vector<double>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

// How the rows stand to each other: the median distance of a row's k nearest rows or, where most
// rows coincide, the mean of those that do not; and which ratio of distances is ordinary.
void find_spacing(const Dataset& data, std::int64_t k, std::int64_t seed, const ThreadPool& pool,
                  LabelModel& model) {
  std::vector<Point> points;
  for (const std::int64_t row : some_rows(all_rows(data.rows()), kMostMeasured, seed)) {
    points.push_back(data.points[static_cast<std::size_t>(row)]);
  }
  NearestIndex index;
  index.build(data.points, data.space, pool);
  Neighbours found;
  index.search(points, k + 1, false, pool, found);
  // The first is the row itself, or another at its place. Ratios are those of places: a row that
  // has a twin does not lie in a gap, nor does it say what is ordinary.
  std::vector<double> distances, ratios, apart_from;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Place place = place_of(data.space, points[i]);
    apart_from.clear();
    for (std::size_t j = 1; j < static_cast<std::size_t>(found.k); ++j) {
      const std::size_t at = i * static_cast<std::size_t>(found.k) + j;
      distances.push_back(found.distances[at]);
      if (found.distances[at] == 0) continue;
      const auto row = static_cast<std::size_t>(found.rows[at]);
      apart_from.push_back(
          std::sqrt(squared_distance(place, place_of(data.space, data.points[row]))));
    }
    ratios.push_back(gap_ratio(apart_from));
  }
  if (distances.empty()) return;
  model.midst = quantile(ratios, kMidstShare);
  model.unit = quantile(distances, 0.5);
  if (model.unit > 0) return;
  const auto apart =
      std::count_if(distances.begin(), distances.end(), [](double d) { return d > 0; });
  const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  model.unit = apart > 0 ? sum / static_cast<double>(apart) : 1.0;
}

}  // namespace

LabelModel fit_label_model(const Dataset& data, const Options& options, const Scaler& scaler,
                           const ThreadPool& pool, const RunSettings& run) {
  LabelModel model;
  find_spacing(data, options.k, options.seed, pool, model);
  if (options.part.word("smoother") == "none") return model;
  const std::vector<double> features = scaled_features<double>(data, all_rows(data.rows()), scaler);
  std::vector<double> target;
  target.reserve(data.y.size());
  for (const double y : data.y) target.push_back(scaler.target.apply(y));
  RunSettings quiet = run;  // its steps are not those of the network
  quiet.progress = {};
  FitProgress progress(quiet);
  model.kriging =
      fit_kriging_model({data.points, {features.data(), data.rows(), scaler.width()}, target},
                        {.options = options,
                         .space = data.space,
                         .features = scaler.width(),
                         .target = scaler.target},
                        pool, progress);
  return model;
}

}  // namespace pegnn
