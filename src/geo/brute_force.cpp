#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/array.h"
#include "base/assert.h"
#include "geo/nearest.h"
#include "geo/sphere.h"

namespace pegnn {
namespace {

// Squared distances from one query to all points.
void measure_on_sphere(Span<const UnitVector> points, Point query, Array<double>& squared) {
  const UnitVector q = unit_vector(query);
  for (std::int64_t i = 0; i < std::ssize(points); ++i) squared[i] = squared_chord(points[i], q);
}

void measure_in_plane(Span<const Point> points, Point query, Array<double>& squared) {
  for (std::int64_t i = 0; i < std::ssize(points); ++i) {
    const double dx = points[i].x - query.x, dy = points[i].y - query.y;
    squared[i] = dx * dx + dy * dy;
  }
}

}  // namespace

void search_by_brute_force(Span<const Point> points, Span<const Point> queries, Space space,
                           std::int64_t k, bool self, Neighbours& out) {
  PEGNN_ASSERT(k >= 0, "a number of neighbours");
  PEGNN_ASSERT(!self || queries.size() == points.size(), "with self, query i is point i");
  Array<UnitVector> vectors;
  if (space == Space::sphere) {
    for (const Point& p : points) vectors.push_back(unit_vector(p));
  }
  const auto others = std::ssize(points) - (self ? 1 : 0);
  out.k = std::clamp<std::int64_t>(others, 0, k);
  out.rows.clear();
  out.distances.clear();
  Array<double> squared(points.size());
  Array<std::int32_t> order(points.size());
  for (std::int64_t i = 0; i < std::ssize(queries); ++i) {
    if (space == Space::sphere) {
      measure_on_sphere(vectors, queries[i], squared);
    } else {
      measure_in_plane(points, queries[i], squared);
    }
    order.resize(points.size());
    std::iota(order.begin(), order.end(), 0);
    if (self) order.erase(order.begin() + i);
    std::partial_sort(order.begin(), order.begin() + out.k, order.end(),
                      [&](std::int32_t a, std::int32_t b) {
                        const double da = squared[a];
                        const double db = squared[b];
                        return da < db || (da == db && a < b);
                      });
    for (std::int64_t j = 0; j < out.k; ++j) {
      const std::int32_t row = order[j];
      const double value = squared[row];
      out.rows.push_back(row);
      out.distances.push_back(space == Space::sphere ? metres_of_squared_chord(value).value
                                                     : std::sqrt(value));
    }
  }
}

}  // namespace pegnn
