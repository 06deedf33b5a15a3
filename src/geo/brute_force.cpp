#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/assert.h"
#include "geo/nearest.h"
#include "geo/sphere.h"

namespace pegnn {
namespace {

// Squared distances from one query to all points.
void measure_on_sphere(std::span<const UnitVector> points, Point query,
                       std::vector<double>& squared) {
  const UnitVector q = unit_vector(query);
  for (std::size_t i = 0; i < points.size(); ++i) squared[i] = squared_chord(points[i], q);
}

void measure_in_plane(std::span<const Point> points, Point query, std::vector<double>& squared) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double dx = points[i].x - query.x, dy = points[i].y - query.y;
    squared[i] = dx * dx + dy * dy;
  }
}

}  // namespace

void search_by_brute_force(std::span<const Point> points, std::span<const Point> queries,
                           Space space, std::int64_t k, bool self, Neighbours& out) {
  PEGNN_ASSERT(k >= 0, "a number of neighbours");
  PEGNN_ASSERT(!self || queries.size() == points.size(), "with self, query i is point i");
  std::vector<UnitVector> vectors;
  if (space == Space::sphere) {
    for (const Point& p : points) vectors.push_back(unit_vector(p));
  }
  const auto others = static_cast<std::int64_t>(points.size()) - (self ? 1 : 0);
  out.k = std::clamp<std::int64_t>(others, 0, k);
  out.rows.clear();
  out.distances.clear();
  std::vector<double> squared(points.size());
  std::vector<std::int32_t> order(points.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (space == Space::sphere) {
      measure_on_sphere(vectors, queries[i], squared);
    } else {
      measure_in_plane(points, queries[i], squared);
    }
    order.resize(points.size());
    std::iota(order.begin(), order.end(), 0);
    if (self) order.erase(order.begin() + static_cast<std::ptrdiff_t>(i));
    std::partial_sort(order.begin(), order.begin() + out.k, order.end(),
                      [&](std::int32_t a, std::int32_t b) {
                        const double da = squared[static_cast<std::size_t>(a)];
                        const double db = squared[static_cast<std::size_t>(b)];
                        return da < db || (da == db && a < b);
                      });
    for (std::int64_t j = 0; j < out.k; ++j) {
      const std::int32_t row = order[static_cast<std::size_t>(j)];
      const double value = squared[static_cast<std::size_t>(row)];
      out.rows.push_back(row);
      out.distances.push_back(space == Space::sphere ? metres_of_squared_chord(value).value
                                                     : std::sqrt(value));
    }
  }
}

}  // namespace pegnn
