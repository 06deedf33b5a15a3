#include "predict/applicability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <span>

#include <fmt/core.h>

#include "base/array.h"
#include "geo/length.h"
#include "geo/nearest.h"
#include "model/model_shared.h"
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
// Of more features than this many rows are like the nearest, and a tree looks at most of them. Then
// so many rows, evenly taken, tell how near they are to each other: in 20 independent columns that
// takes 0.2 s instead of 2.7.
constexpr std::int64_t kManyFeatures = 8;
constexpr std::int64_t kMostOwnRows = 1024;
// Rows held out at random from 19 real tables are at most 4.3 times as far from the nearest as any
// training row is from its nearest other, on the ground and among features.
constexpr double kFar = 10;
// Queries that a thread takes at a time.
constexpr std::int64_t kBlock = 256;

// Standardised features of training rows.
struct Cloud {
  std::int64_t width = 0;
  Array<float> values;

  std::int64_t rows() const { return std::ssize(values) / width; }
  const float* row(std::int64_t i) const { return values.data() + i * width; }
};

// The upper whisker of a box plot, between values where need be.
double upper_whisker(Array<double> values) {
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double share) {
    const double at = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::int64_t>(at);
    const std::int64_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
  };
  const double first = quantile(0.25), third = quantile(0.75);
  return third + 1.5 * (third - first);
}

// Without those that stand in the same place as another: a place measured often is one place.
Array<Point> distinct(Array<Point> points) {
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
    Array<double> own = own_distances(pool);
    squared_far_ = squared(kFar * *std::max_element(own.begin(), own.end()));
    reach_ = upper_whisker(std::move(own));
    squared_reach_ = squared(reach_);
  }

  double reach() const { return reach_; }

  // How far a row, scaled as in training, is from the nearest training row.
  void judge(const double* scaled, Array<float>& room, Judgement& found) const {
    room.resize(cloud_.width);
    for (std::int64_t j = 0; j < std::ssize(room); ++j) {
      room[j] = static_cast<float>((scaled[j] - centre_[j]) / spread_[j]);
    }
    found.unlike = !tree_.any_within(room.data(), squared_reach_);
    found.far = found.unlike && !tree_.any_within(room.data(), squared_far_);
  }

 private:
  // Each combination once, however often it comes.
  void take(Mat<const float> scaled, std::int64_t features) {
    const auto less = [&](std::int64_t a, std::int64_t b) {
      return std::lexicographical_compare(scaled.row(a), scaled.row(a) + features, scaled.row(b),
                                          scaled.row(b) + features);
    };
    std::set<std::int64_t, decltype(less)> seen(less);
    Array<std::int64_t> kept;
    for (std::int64_t i = 0; i < scaled.rows; ++i) {
      if (seen.insert(i).second) kept.push_back(i);
    }
    const auto all = std::ssize(kept);
    const std::int64_t rows = std::min(all, kMostRows);
    cloud_.width = features;
    for (std::int64_t i = 0; i < rows; ++i) {
      const float* row = scaled.row(kept[i * all / rows]);
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
    for (std::int64_t at = 0; at < std::ssize(cloud_.values); ++at) {
      const std::int64_t j = at % features;
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

  // In units of the mean distance.
  Array<double> own_distances(const ThreadPool& pool) const {
    const std::int64_t count =
        cloud_.width > kManyFeatures ? std::min(rows(), kMostOwnRows) : rows();
    Array<double> distances(count);
    pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        distances[i] = nearest(cloud_.row(i * rows() / count), 2) / unit_;
      }
    });
    return distances;
  }

  // The largest squared distance that is not beyond so many units, as distances are computed.
  float squared(double units) const {
    constexpr float kMost = std::numeric_limits<float>::max();
    const auto within = [&](float value) {
      return std::sqrt(static_cast<double>(value)) / unit_ <= units;
    };
    auto value = static_cast<float>(std::min(std::pow(units * unit_, 2), double{kMost}));
    while (value > 0 && !within(value)) value = std::nextafter(value, 0.0F);
    while (value < kMost && within(std::nextafter(value, kMost))) {
      value = std::nextafter(value, kMost);
    }
    return value;
  }

  Cloud cloud_;
  NearestRows tree_;
  Array<double> centre_, spread_;
  double unit_ = 1, reach_ = 0;
  float squared_reach_ = 0, squared_far_ = 0;
};

}  // namespace

struct Applicability::State {
  const ModelState& model;
  NearestIndex index;
  double reach = 0, far = 0;
  std::optional<FeatureSpace> features;
};

Applicability::Applicability(const ModelState& model, const ThreadPool& pool) {
  auto state = std::make_unique<State>(State{.model = model, .index = {}, .features = {}});
  State& s = *state;
  const Array<Point> places = distinct(model.points);
  s.index.build(places, model.space, pool);
  Neighbours own;
  s.index.search_own(1, pool, own);
  if (own.k > 0) {
    s.far = kFar * *std::max_element(own.distances.begin(), own.distances.end());
    s.reach = upper_whisker(std::move(own.distances));
  }
  const auto rows = std::ssize(model.points);
  const auto features = std::ssize(model.scaler.features);
  if (features > 0) {
    s.features.emplace(Mat<const float>{model.features.data(), rows, model.scaler.width()},
                       features, pool);
  }
  state_ = std::move(state);
}
Applicability::~Applicability() = default;

double Applicability::reach() const { return state_->reach; }
double Applicability::feature_reach() const {
  return state_->features ? state_->features->reach() : std::numeric_limits<double>::quiet_NaN();
}

bool Applicability::many_features() const {
  return std::ssize(state_->model.scaler.features) > kManyFeatures;
}
const ModelState& Applicability::model() const { return state_->model; }

void Applicability::judge(Span<const Point> points, Mat<const double> features,
                          const ThreadPool& pool, Span<Judgement> found) const {
  const State& s = *state_;
  Neighbours nearest;
  s.index.search(points, 1, false, pool, nearest);
  const std::int64_t width = s.model.scaler.width();
  pool.for_blocks(std::ssize(points), kBlock, [&](std::int64_t begin, std::int64_t end) {
    Array<double> scaled(width);
    Array<float> room;
    for (std::int64_t i = begin; i < end; ++i) {
      Judgement& one = found[i];
      one = {.distance = nearest.distances[i]};
      one.distant = one.distance > s.reach;
      one.far = one.distance > s.far;
      if (one.distant || !s.features) continue;
      s.model.scaler.apply_row(features.row(i), scaled.data());
      s.features->judge(scaled.data(), room, one);
    }
  });
}

std::string length_text(double length, const ModelState& state) {
  return length_text(length, metres_per_unit(state.space, state.roles.crs));
}

const Applicability& Model::area(const ThreadPool& pool) const {
  if (state_->points.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("this {} model does not keep its training points, so that nothing can "
                            "be said of its applicability; train it again",
                            state_->options.model));
  }
  return *shared_->area.get([&] { return std::make_shared<const Applicability>(*state_, pool); });
}

Applicable Model::applicability(std::span<const Point> points, std::span<const double> features,
                                const RunSettings& run) const {
  // Between two such chunks it can be stopped.
  constexpr std::int64_t kRows = 65536;
  const ModelState& s = *state_;
  const Array<Point> places = checked_points(points, s.roles.geographic);
  const Mat<const double> unscaled = feature_rows(s, features, places.size());
  check_finite(features, "feature value");
  const ThreadPool pool(run.threads);
  const Applicability& judge = area(pool);
  Applicable found{.distance = {}, .inside = {}, .reach = judge.reach()};
  Array<Judgement> chunk(std::min(places.size(), kRows));
  for (std::int64_t first = 0; first < places.size(); first += kRows) {
    const std::int64_t count = std::min(kRows, places.size() - first);
    judge.judge(Span(places).subspan(first, count), unscaled.block(first, count), pool,
                Span(chunk).first(count));
    for (std::int64_t i = 0; i < count; ++i) {
      found.distance.push_back(chunk[i].distance);
      found.inside.push_back(chunk[i].inside());
    }
    if (run.stopped()) throw Error(ErrorKind::interrupted, "stopped before the last row");
  }
  return found;
}

}  // namespace pegnn
