#pragma once
// Sets of points that are awkward for a search, made from a seed.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/philox.h"
#include "pegnn/geo.h"

namespace pegnn {

// A range of longitudes and latitudes, or of x and y.
struct Rectangle {
  double west, south, east, north;
};

// Uniform in a rectangle.
inline std::vector<Point> box_points(std::int64_t count, std::uint64_t seed, Rectangle box) {
  const Rng rng{seed, Stream::sample};
  std::vector<Point> points(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = {box.west + (box.east - box.west) * rng.uniform(i, 0),
                 box.south + (box.north - box.south) * rng.uniform(i, 1)};
  }
  return points;
}

// Uniform over the sphere.
inline std::vector<Point> global_points(std::int64_t count, std::uint64_t seed) {
  auto points = box_points(count, seed, {-180, -1, 180, 1});
  for (Point& p : points) p.y = std::asin(p.y) * 180 / std::numbers::pi;
  return points;
}

// Nearly all in a few tight heaps, each a thousandth of the one before, and a few far from all.
inline std::vector<Point> clustered_points(std::int64_t count, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  std::vector<Point> points(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double width = std::pow(1e-3, static_cast<double>(rng.below(5, i, 2)));
    points[i] = {-100 + 40 * width * (1 + rng.normal(i, 0)),
                 std::clamp(30 + 15 * width * (1 + rng.normal(i, 1)), -90.0, 90.0)};
  }
  return points;
}

// Points along roads: walks of short steps from scattered starts.
inline std::vector<Point> road_points(std::int64_t count, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  std::vector<Point> points;
  Point at{};
  double heading = 0;
  for (std::uint64_t i = 0; points.size() < static_cast<std::size_t>(count); ++i) {
    if (i % 150 == 0) {
      at = {8.2 + 3 * rng.uniform(i, 1), 56.6 + 1.1 * rng.uniform(i, 2)};
      heading = 2 * std::numbers::pi * rng.uniform(i, 3);
    }
    points.push_back(at);
    heading += 0.6 * (rng.uniform(i, 4) - 0.5);
    const double step = 0.0001 + 0.0004 * rng.uniform(i, 5);
    at = {at.x + 1.8 * step * std::cos(heading), at.y + step * std::sin(heading)};
  }
  shuffle(points.data(), count, rng, 1000003);
  return points;
}

// Moved to the corners of a grid, so that equal distances and equal places abound.
inline std::vector<Point> rounded(std::vector<Point> points, double step) {
  for (Point& p : points) p = {std::round(p.x / step) * step, std::round(p.y / step) * step};
  return points;
}

}  // namespace pegnn
