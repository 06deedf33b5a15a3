// What is learned of the training rows before a network that listens to their labels.

#include <algorithm>
#include <numeric>

#include "geo/nearest.h"
#include "train/fit.h"
#include "train/training_set.h"

namespace pegnn {
namespace {

// Rows whose neighbours tell the unit of length.
constexpr std::int64_t kMostMeasured = 65536;

// The median distance of a row's k nearest rows; where most rows coincide, the mean of those that
// do not.
double neighbour_distance(const Dataset& data, std::int64_t k, std::int64_t seed,
                          const ThreadPool& pool) {
  std::vector<Point> points;
  for (const std::int64_t row : some_rows(all_rows(data.rows()), kMostMeasured, seed)) {
    points.push_back(data.points[static_cast<std::size_t>(row)]);
  }
  NearestIndex index;
  index.build(data.points, data.space, pool);
  Neighbours found;
  index.search(points, k + 1, false, pool, found);
  // The first is the row itself, or another at its place.
  std::vector<double> distances;
  for (std::size_t i = 0; i < found.distances.size(); ++i) {
    if (static_cast<std::int64_t>(i) % found.k != 0) distances.push_back(found.distances[i]);
  }
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (*middle > 0) return *middle;
  const auto apart =
      std::count_if(distances.begin(), distances.end(), [](double d) { return d > 0; });
  const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  return apart > 0 ? sum / static_cast<double>(apart) : 1.0;
}

}  // namespace

LabelModel fit_label_model(const Dataset& data, const Options& options, const Scaler& scaler,
                           const ThreadPool& pool, const RunSettings& run) {
  LabelModel model;
  model.unit = neighbour_distance(data, options.k, options.seed, pool);
  if (options.smoother == "none") return model;
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
