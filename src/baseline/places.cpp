#include "baseline/places.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/array.h"
#include "geo/sphere.h"

namespace pegnn {

Place place_of(Space space, Point point) {
  if (space != Space::sphere) return {point.x, point.y, 0};
  const UnitVector v = unit_vector(point);
  return {kEarthRadiusMetres * v.x, kEarthRadiusMetres * v.y, kEarthRadiusMetres * v.z};
}

Array<Place> places_of(Space space, Span<const Point> points) {
  Array<Place> places;
  places.reserve(points.size());
  for (const Point p : points) places.push_back(place_of(space, p));
  return places;
}

Sites merge_coincident(Space space, Span<const Point> points, Span<const double> labels) {
  const Array<Place> places = places_of(space, points);
  const auto key = [&](std::int32_t row) {
    const Place& p = places[row];
    return std::tuple(p.x, p.y, p.z, row);
  };
  Array<std::int32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });

  // The first row of each group stands for it; groups are then numbered by those rows.
  Array<std::int32_t> first(points.size());
  for (std::int64_t at = 0; at < std::ssize(order); ++at) {
    const std::int64_t row = order[at];
    const bool same = at > 0 && squared_distance(places[row], places[order[at - 1]]) == 0;
    first[row] = same ? first[order[at - 1]] : order[at];
  }
  Sites sites;
  sites.site_of.resize(points.size());
  for (std::int64_t row = 0; row < std::ssize(points); ++row) {
    const std::int64_t leader = first[row];
    if (leader == row) {
      sites.site_of[row] = static_cast<std::int32_t>(sites.points.size());
      sites.points.push_back(points[row]);
      sites.labels.push_back(0);
      sites.counts.push_back(0);
    }
    sites.site_of[row] = sites.site_of[leader];
    const std::int64_t site = sites.site_of[row];
    sites.counts[site] += 1;
    sites.labels[site] += (labels[row] - sites.labels[site]) / sites.counts[site];
  }
  return sites;
}

}  // namespace pegnn
