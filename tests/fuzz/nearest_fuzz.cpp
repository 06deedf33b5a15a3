// Nearest neighbours: the tree of boxes against every pair, bit by bit, and against nanoflann, an
// independent implementation, on points that are often in one place or equally far.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <nanoflann.hpp>

#include "fuzz.h"
#include "geo/nearest.h"
#include "geo/sphere.h"

namespace pegnn::fuzz {
namespace {

// Points as nanoflann wants to see them: unit vectors, or coordinates and a zero.
struct Cloud {
  std::vector<std::array<double, 3>> places;

  std::size_t kdtree_get_point_count() const { return places.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t d) const { return places[i][d]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud,
                                                 3, std::uint32_t>;

std::array<double, 3> place_of(const Point& p, Space space) {
  if (space != Space::sphere) return {p.x, p.y, 0};
  const UnitVector v = unit_vector(p);
  return {v.x, v.y, v.z};
}

double squared(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

// On a coarse grid ties abound; the corners of the map and steps of one bit are the hard places.
Point draw_point(Bytes& bytes, bool geographic) {
  const auto coarse = [&](double most) {
    const auto drawn = bytes.ConsumeIntegral<std::int8_t>();
    if (drawn == 127) return most;
    if (drawn == -127) return -most;
    if (drawn == -128) return std::nextafter(most, 0.0);
    return drawn / 127.0 * most;
  };
  if (geographic) return {coarse(180), coarse(90)};
  const double unit = bytes.ConsumeBool() ? 1.0 : 1e6;
  return {coarse(unit), coarse(unit)};
}

std::vector<Point> draw_points(Bytes& bytes, std::size_t most, bool geographic) {
  std::vector<Point> points;
  while (points.size() < most && bytes.remaining_bytes() > 0) {
    points.push_back(draw_point(bytes, geographic));
    // Heaps of points in one place, or side by side.
    const auto more = bytes.ConsumeIntegral<std::uint8_t>();
    for (int i = 0; i < (more & 7) && points.size() < most; ++i) {
      Point next = points.back();
      if ((more & 8) != 0) next.x = std::nextafter(next.x, 0.0);
      if ((more & 16) != 0) next.y = std::nextafter(next.y, 0.0);
      points.push_back(next);
    }
  }
  return points;
}

void must_be_as_nanoflann(const std::vector<Point>& points, const std::vector<Point>& queries,
                          Space space, bool self, const Neighbours& out) {
  Cloud cloud;
  for (const Point& p : points) cloud.places.push_back(place_of(p, space));
  const Tree tree(3, cloud);
  const auto k = static_cast<std::size_t>(out.k), asked = k + (self ? 1 : 0);
  std::vector<std::uint32_t> rows(asked);
  std::vector<double> distances(asked);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto query = place_of(queries[i], space);
    const std::size_t found = tree.knnSearch(query.data(), asked, rows.data(), distances.data());
    must(found == asked, "nanoflann finds as many");
    // Among equals the two may choose different rows: the distances are what must agree. The point
    // itself is among those at distance 0, of which one is left out.
    for (std::size_t j = 0; j < k; ++j) {
      const auto row = static_cast<std::size_t>(out.rows[i * k + j]);
      const double ours = squared(query, cloud.places[row]);
      const double theirs = distances[j + asked - k];
      must(std::abs(ours - theirs) <= 1e-12 * std::max(ours, theirs) + 1e-300,
           "the distances are those that nanoflann finds");
    }
  }
}

void check(Bytes bytes) {
  constexpr Space kSpaces[] = {Space::sphere, Space::plane, Space::degrees};
  const Space space = kSpaces[bytes.ConsumeIntegral<std::uint8_t>() % 3];
  const bool self = bytes.ConsumeBool();
  const std::int64_t k = bytes.ConsumeIntegralInRange<std::int64_t>(1, 40);
  std::vector<Point> queries;
  if (!self)
    queries =
        draw_points(bytes, 1 + bytes.ConsumeIntegral<std::uint8_t>() % 8U, space != Space::plane);
  const std::vector<Point> points = draw_points(bytes, 400, space != Space::plane);
  if (self) queries = points;
  if (points.empty()) return;

  static const ThreadPool kPool(1);
  NearestIndex index;
  index.build(points, space, kPool);
  Neighbours found, expected;
  index.search(queries, k, self, kPool, found);
  search_by_brute_force(points, queries, space, k, self, expected);
  must(found.k == expected.k && found.rows == expected.rows, "the tree finds the nearest rows");
  must(same_bits(found.distances, expected.distances), "at their distances");
  if (self) {
    Neighbours own;
    index.search_own(k, kPool, own);
    must(own.rows == found.rows && same_bits(own.distances, found.distances),
         "its own points are searched alike");
  }
  if (found.k > 0 && !queries.empty()) must_be_as_nanoflann(points, queries, space, self, found);
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({data, size});
  return 0;
}
