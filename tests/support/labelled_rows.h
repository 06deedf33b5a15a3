#pragma once
// Training rows with labels, for tests of neighbourhoods.

#include <cstdint>
#include <memory>
#include <vector>

#include "neighbourhood/neighbourhood.h"
#include "support/gradient.h"

namespace pegnn::test {

// On a piece of the globe that holds a pole and the antimeridian; every seventh row stands where
// the one before it does, or all stand in one place.
class LabelledRows {
 public:
  static constexpr std::int64_t kFeatures = 2, kNeighbours = 4, kHops = 2;

  explicit LabelledRows(std::int64_t count, bool one_place = false) {
    points_ = places(count);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (one_place) points_[i] = points_[0];
      if (i % 7 == 6) points_[i] = points_[i - 1];
    }
    features_ = floats(count * kFeatures, 3);
    labels_ = floats(count, 4);
    model_.unit = 400e3;
    model_.kriging = {.process = {.range = 900e3, .sill = 1, .nugget = 0.1},
                      .mean = {0.1, 0.5, -1}};
  }

  Options options() const {
    Options o;
    o.k = std::min<std::int64_t>(kNeighbours, std::ssize(points_) - 1);
    o.part.set("radius", 700e3);
    return o;
  }
  std::unique_ptr<Neighbourhood> make(const NeighbourhoodEntry& entry) const {
    return make(entry, options());
  }
  std::unique_ptr<Neighbourhood> make(const NeighbourhoodEntry& entry, const Options& with) const {
    return entry.make(
        {.options = with, .space = Space::sphere, .hops = kHops, .training = training()});
  }
  TrainingPoints training() const {
    return {points_, {features_.data(), std::ssize(points_), kFeatures}, labels_, model_};
  }
  const std::vector<Point>& points() const { return points_; }

  // Numbers of rows, scattered; each once.
  std::vector<std::int32_t> some(std::int64_t count) const {
    std::vector<std::int32_t> rows;
    const std::int64_t all = std::ssize(points_), step = all == 300 ? 7 : 1;
    for (std::int64_t i = 0; i < count; ++i) {
      rows.push_back(static_cast<std::int32_t>(i * step % all));
    }
    return rows;
  }
  // New places, the first at the pole and the second on the antimeridian, with their features.
  std::vector<Point> places(std::int64_t count) const {
    const std::vector<double> c = random_values(static_cast<std::size_t>(2 * count), 5);
    std::vector<Point> found;
    for (std::size_t i = 0; i + 1 < c.size(); i += 2) {
      found.push_back({180 * c[i], 75 + 15 * c[i + 1]});
    }
    if (count > 1) found[0] = {0, 90};
    if (count > 1) found[1] = {180, 80};
    return found;
  }
  std::vector<float> features_of(std::int64_t count) const { return floats(count * kFeatures, 6); }

 private:
  static std::vector<float> floats(std::int64_t count, std::uint64_t seed) {
    const std::vector<double> v = random_values(static_cast<std::size_t>(count), seed);
    return {v.begin(), v.end()};
  }

  std::vector<Point> points_;
  std::vector<float> features_, labels_;
  LabelModel model_;
};

}  // namespace pegnn::test
