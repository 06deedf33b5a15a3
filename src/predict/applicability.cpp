#include "predict/applicability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include <fmt/core.h>

#include "geo/nearest.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/model.h"
#include "predict/given_rows.h"
#include "predict/nearest_rows.h"
#include "table/given_points.h"

namespace pegnn {
namespace {

// Rows of features that others are compared with: evenly taken from a table that has more. Nearest
// neighbours in many dimensions are dear, and their distances change little with more rows.
constexpr std::int64_t kMostRows = 20000;
// Queries that a thread takes at a time.
constexpr std::int64_t kBlock = 256;

// Standardised features of training rows.
struct Cloud {
  std::int64_t width = 0;
  std::vector<float> values;

  std::int64_t rows() const { return static_cast<std::int64_t>(values.size()) / width; }
  const float* row(std::int64_t i) const { return values.data() + i * width; }
};

// The upper whisker of a box plot, between values where need be.
double upper_whisker(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double share) {
    const double at = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
  };
  const double first = quantile(0.25), third = quantile(0.75);
  return third + 1.5 * (third - first);
}

// Without those that stand in the same place as another: a place measured often is one place.
std::vector<Point> distinct(std::vector<Point> points) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

// Distances among features: which rows are near, and what near means.
class FeatureSpace {
 public:
  FeatureSpace(Mat<const float> scaled, std::int64_t features, const ThreadPool& pool) {
    take(scaled, features);
    tree_ = NearestRows(cloud_.values, cloud_.width);
    unit_ = mean_distance();
    reach_ = own_reach(pool);
  }

  double reach() const { return reach_; }

  // Distance of a row, scaled as in training, to the nearest training row, in units of the mean
  // distance between those.
  double distance(const double* scaled, std::vector<float>& room) const {
    room.resize(static_cast<std::size_t>(cloud_.width));
    for (std::size_t j = 0; j < room.size(); ++j) {
      room[j] = static_cast<float>((scaled[j] - centre_[j]) / spread_[j]);
    }
    return nearest(room.data(), 1) / unit_;
  }

 private:
  // Each combination once, however often it comes.
  void take(Mat<const float> scaled, std::int64_t features) {
    const auto less = [&](std::int64_t a, std::int64_t b) {
      return std::lexicographical_compare(scaled.row(a), scaled.row(a) + features, scaled.row(b),
                                          scaled.row(b) + features);
    };
    std::set<std::int64_t, decltype(less)> seen(less);
    std::vector<std::int64_t> kept;
    for (std::int64_t i = 0; i < scaled.rows; ++i) {
      if (seen.insert(i).second) kept.push_back(i);
    }
    const auto all = static_cast<std::int64_t>(kept.size());
    const std::int64_t rows = std::min(all, kMostRows);
    cloud_.width = features;
    for (std::int64_t i = 0; i < rows; ++i) {
      const float* row = scaled.row(kept[static_cast<std::size_t>(i * all / rows)]);
      cloud_.values.insert(cloud_.values.end(), row, row + features);
    }
    for (std::int64_t j = 0; j < features; ++j) {
      double sum = 0, squares = 0;
      for (std::int64_t i = 0; i < rows; ++i) sum += cloud_.row(i)[j];
      const double centre = sum / static_cast<double>(rows);
      for (std::int64_t i = 0; i < rows; ++i) squares += std::pow(cloud_.row(i)[j] - centre, 2);
      const double spread = std::sqrt(squares / static_cast<double>(rows));
      centre_.push_back(centre);
      spread_.push_back(spread > 0 ? spread : 1);
    }
    for (std::size_t at = 0; at < cloud_.values.size(); ++at) {
      const std::size_t j = at % static_cast<std::size_t>(features);
      cloud_.values[at] =
          static_cast<float>((static_cast<double>(cloud_.values[at]) - centre_[j]) / spread_[j]);
    }
  }

  std::int64_t rows() const { return cloud_.rows(); }

  // To the k-th nearest row, k being 1 or 2; the second of a row of the cloud is its nearest other.
  double nearest(const float* row, int k) const {
    return std::sqrt(static_cast<double>(tree_.squared_distance(row, k)));
  }

  // Over pairs that lie half the table apart in its order, and so on with halves of that: as good
  // as all pairs, which would be their square.
  double mean_distance() const {
    double sum = 0;
    std::int64_t pairs = 0;
    for (std::int64_t step = std::max<std::int64_t>(1, rows() / 2); step > 0; step /= 2) {
      for (std::int64_t i = 0; i < rows(); ++i) {
        const float* a = cloud_.row(i);
        const float* b = cloud_.row((i + step) % rows());
        double squared = 0;
        for (std::int64_t j = 0; j < cloud_.width; ++j) {
          squared += std::pow(static_cast<double>(a[j]) - static_cast<double>(b[j]), 2);
        }
        sum += std::sqrt(squared);
        ++pairs;
      }
    }
    const double mean = sum / static_cast<double>(std::max<std::int64_t>(1, pairs));
    return mean > 0 ? mean : 1;
  }

  double own_reach(const ThreadPool& pool) const {
    std::vector<double> distances(static_cast<std::size_t>(rows()));
    pool.for_blocks(rows(), kBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        distances[static_cast<std::size_t>(i)] = nearest(cloud_.row(i), 2) / unit_;
      }
    });
    return upper_whisker(std::move(distances));
  }

  Cloud cloud_;
  NearestRows tree_;
  std::vector<double> centre_, spread_;
  double unit_ = 1, reach_ = 0;
};

}  // namespace

struct Applicability::State {
  const ModelState& model;
  NearestIndex index;
  Neighbours neighbours;
  double reach = 0;
  std::optional<FeatureSpace> features;
};

Applicability::Applicability(const ModelState& model, const ThreadPool& pool)
    : state_(new State{.model = model, .index = {}, .neighbours = {}, .features = {}}) {
  State& s = *state_;
  const std::vector<Point> places = distinct(model.points);
  s.index.build(places, model.space, pool);
  s.index.search_own(1, pool, s.neighbours);
  s.reach = s.neighbours.k == 0 ? 0 : upper_whisker(s.neighbours.distances);
  const auto rows = static_cast<std::int64_t>(model.points.size());
  const auto features = static_cast<std::int64_t>(model.scaler.features.size());
  if (features > 0) {
    s.features.emplace(Mat<const float>{model.features.data(), rows, model.scaler.width()},
                       features, pool);
  }
}
Applicability::~Applicability() = default;

double Applicability::reach() const { return state_->reach; }
double Applicability::feature_reach() const {
  return state_->features ? state_->features->reach() : std::numeric_limits<double>::quiet_NaN();
}

void Applicability::judge(std::span<const Point> points, Mat<const double> features,
                          const ThreadPool& pool, std::span<double> distance,
                          std::span<double> applicable) {
  State& s = *state_;
  s.index.search(points, 1, false, pool, s.neighbours);
  const auto width = static_cast<std::size_t>(s.model.scaler.width());
  pool.for_blocks(static_cast<std::int64_t>(points.size()), kBlock,
                  [&](std::int64_t begin, std::int64_t end) {
                    std::vector<double> scaled(width);
                    std::vector<float> room;
                    for (std::int64_t i = begin; i < end; ++i) {
                      const auto at = static_cast<std::size_t>(i);
                      distance[at] = s.neighbours.distances[at];
                      bool near = distance[at] <= s.reach;
                      if (near && s.features) {
                        s.model.scaler.apply_row(features.row(i), scaled.data());
                        near = s.features->distance(scaled.data(), room) <= s.features->reach();
                      }
                      applicable[at] = near ? 1 : 0;
                    }
                  });
}

Applicable Model::applicability(std::span<const Point> points, std::span<const double> features,
                                const RunSettings& run) const {
  // Between two such chunks it can be stopped.
  constexpr std::size_t kRows = 65536;
  const ModelState& s = *state_;
  const std::vector<Point> places = checked_points(points, s.roles.geographic);
  const Mat<const double> unscaled = feature_rows(s, features, points.size());
  check_finite(features, "feature value");
  if (s.points.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("this {} model does not keep its training points, so that nothing can "
                            "be said of its applicability; train it again",
                            s.options.model));
  }
  const ThreadPool pool(run.threads);
  Applicability judge(s, pool);
  Applicable found{.distance = std::vector<double>(places.size()),
                   .inside = std::vector<bool>(places.size()),
                   .reach = judge.reach()};
  std::vector<double> inside(std::min(places.size(), kRows));
  for (std::size_t first = 0; first < places.size(); first += kRows) {
    const std::size_t count = std::min(kRows, places.size() - first);
    judge.judge(std::span(places).subspan(first, count),
                unscaled.block(static_cast<std::int64_t>(first), static_cast<std::int64_t>(count)),
                pool, std::span(found.distance).subspan(first, count),
                std::span(inside).first(count));
    for (std::size_t i = 0; i < count; ++i) found.inside[first + i] = inside[i] == 1;
    if (run.stop && run.stop()) throw Error(ErrorKind::interrupted, "stopped before the last row");
  }
  return found;
}

}  // namespace pegnn
