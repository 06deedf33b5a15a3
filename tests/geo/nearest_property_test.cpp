// The index against brute force, row for row and bit for bit, on sets of every awkward shape and on
// every instruction set of this machine.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "geo/nearest.h"
#include "point_sets.h"
#include "support/targets.h"

namespace pegnn {
namespace {

// Makes a set of `count` points from a seed.
using Make = std::function<std::vector<Point>(std::int64_t count, std::uint64_t seed)>;

std::string first_difference(const Neighbours& found, const Neighbours& expected) {
  if (found.k != expected.k) return "k differs";
  if (found.rows.size() != expected.rows.size()) return "sizes differ";
  for (std::int64_t i = 0; i < expected.rows.size(); ++i) {
    if (found.rows[i] != expected.rows[i] || found.distances[i] != expected.distances[i]) {
      const std::int64_t k = expected.k;
      return "query " + std::to_string(i / k) + ", neighbour " + std::to_string(i % k) + ": row " +
             std::to_string(found.rows[i]) + " instead of " + std::to_string(expected.rows[i]);
    }
  }
  return found.distances.size() == expected.distances.size() ? "" : "distances are missing";
}

// `search` fills a list of neighbours.
template <class Search>
void check_every_target(const Search& search, const Neighbours& expected) {
  test::for_every_target([&](const char* target) {
    Neighbours found;
    search(found);
    const std::string difference = first_difference(found, expected);
    if (!difference.empty()) RC_FAIL(std::string(target) + ", " + difference);
  });
}

// The index over every third point, and one in between, of a set that has been put in order.
void check_sorted_part(const std::vector<Point>& points, Space space, std::int64_t k) {
  const ThreadPool pool(1);
  const SpatialOrder order(points, space, pool);
  Array<std::int32_t> rows, scratch, ranks;
  for (std::size_t i = 0; i < points.size(); i += i % 6 == 3 ? 2U : 3U) {
    rows.push_back(static_cast<std::int32_t>(i));
  }
  order.ranks_of(rows, scratch, ranks);
  std::vector<Point> part;
  for (const std::int32_t rank : ranks) {
    part.push_back(points[static_cast<std::size_t>(order.row_at(rank))]);
  }
  NearestIndex index;
  index.build(order, ranks, pool);
  Neighbours expected;
  search_by_brute_force(part, part, space, k, true, expected);
  check_every_target([&](Neighbours& found) { index.search_own(k, pool, found); }, expected);
}

// Small steps from point to point: queries that are answered together with those before them, until
// a step is too long. Some end at a point itself.
std::vector<Point> walk(const std::vector<Point>& points) {
  constexpr std::size_t kStops = 12;
  constexpr int kSteps = 16;
  std::vector<Point> queries;
  for (std::size_t i = 0; i + 1 < std::min(points.size(), kStops); ++i) {
    const Point from = points[i], to = points[i + 1];
    for (int step = 0; step <= kSteps; ++step) {
      const double share = static_cast<double>(step * step) / (kSteps * kSteps);
      queries.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
    }
  }
  return queries;
}

void check_against_brute_force(Space space, const Make& make, std::int64_t most = 200) {
  const auto count = *rc::gen::inRange<std::int64_t>(1, most);
  const auto k = *rc::gen::element<std::int64_t>(1, 2, 5, 7, 8, 9, 30, 33, count, count + 3);
  const auto points = make(count, *rc::gen::arbitrary<std::uint32_t>());
  const auto queries = make(40, *rc::gen::arbitrary<std::uint32_t>());
  // A handful of queries far from all points, where every box is far.
  auto far = box_points(5, 1, {-180, -90, 180, 90});
  far.insert(far.end(), {{0, 90}, {0, -90}, {180, 0}, {points[0].x, -points[0].y}});

  const ThreadPool pool(1);
  NearestIndex index;
  index.build(points, space, pool);
  Neighbours expected;
  search_by_brute_force(points, points, space, k, true, expected);
  check_every_target([&](Neighbours& found) { index.search(points, k, true, pool, found); },
                     expected);
  check_sorted_part(points, space, k);
  for (const auto& some : {points, queries, far, walk(points)}) {
    search_by_brute_force(points, some, space, k, false, expected);
    check_every_target([&](Neighbours& found) { index.search(some, k, false, pool, found); },
                       expected);
  }
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesInABox, ()) {
  check_against_brute_force(Space::sphere, [](auto count, auto seed) {
    return box_points(count, seed, {8.15, 56.58, 11.2, 57.76});
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesOnClusters, ()) {
  check_against_brute_force(Space::sphere, clustered_points);
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesOnRoads, ()) {
  check_against_brute_force(Space::sphere, road_points);
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesOnACoarseGridFullOfTies, ()) {
  check_against_brute_force(Space::sphere, [](auto count, auto seed) {
    return rounded(box_points(count, seed, {-4, -4, 4, 4}), 1);
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesOnAGridInThePlaneFullOfTies, ()) {
  check_against_brute_force(Space::plane, [](auto count, auto seed) {
    return rounded(box_points(count, seed, {0, 0, 12, 12}), 1);
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesOnPolarCaps, ()) {
  check_against_brute_force(Space::sphere, [](auto count, auto seed) {
    auto points = box_points(count, seed, {-180, 89.5, 180, 90.02});
    for (std::size_t i = 0; i < points.size(); ++i) {
      points[i].y = std::min(points[i].y, 90.0);  // some on the pole, at any longitude
      if (i % 7 == 0) points[i].y = -points[i].y;
    }
    return points;
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesAcrossTheAntimeridian, ()) {
  check_against_brute_force(Space::sphere, [](auto count, auto seed) {
    auto points = box_points(count, seed, {-0.5, -20, 0.5, -15});
    for (Point& p : points) p.x = p.x < 0 ? p.x + 180 : p.x - 180;
    return points;
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesOverTheGlobe, ()) {
  check_against_brute_force(Space::sphere, global_points);
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesOverTheGlobeRoundedToTenDegrees, ()) {
  check_against_brute_force(Space::sphere, [](auto count, auto seed) {
    return rounded(global_points(count, seed),
                   10);  // poles and the antimeridian written in all ways
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesWhenAllAreInOnePlace, ()) {
  check_against_brute_force(Space::sphere, [](auto count, auto) {
    return std::vector<Point>(static_cast<std::size_t>(count), Point{-77.7, 33.3});
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesOnALine, ()) {
  check_against_brute_force(Space::sphere, [](auto count, auto seed) {
    return box_points(count, seed, {25, -60, 25, 60});
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesForOneOrTwoPoints, ()) {
  check_against_brute_force(Space::sphere, global_points, 3);
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesInThePlaneFarFromTheOrigin, ()) {
  check_against_brute_force(Space::plane, [](auto count, auto seed) {
    return box_points(count, seed, {5e5, 4.6e6, 5e5 + 800, 4.6e6 + 300});
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesInThePlaneToTheCentimetreFarFromTheOrigin, ()) {
  check_against_brute_force(Space::plane, [](auto count, auto seed) {
    return rounded(box_points(count, seed, {5e5, 4.6e6, 5e5 + 0.1, 4.6e6 + 0.1}), 0.01);
  });
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesInDegrees, ()) {
  check_against_brute_force(Space::degrees, global_points);
}

RC_GTEST_PROP(NearestAgainstBruteForce, AgreesInDegreesOnClusters, ()) {
  check_against_brute_force(Space::degrees, clustered_points);
}

// Large enough for the parallel build and for sampled medians.
TEST(NearestAgainstBruteForce, AgreesOnLargeSets) {
  const ThreadPool pool(2);
  const auto sets = {global_points(20000, 31), clustered_points(20000, 32), road_points(20000, 33),
                     rounded(box_points(20000, 34, {0, 0, 100, 100}), 1)};
  for (const Space space : {Space::sphere, Space::plane}) {
    for (const auto& points : sets) {
      const std::vector<Point> queries(points.begin(), points.begin() + 60);
      NearestIndex index;
      index.build(points, space, pool);
      Neighbours expected;
      search_by_brute_force(points, queries, space, 7, false, expected);
      test::for_every_target([&](const char*) {
        Neighbours found;
        index.search(queries, 7, false, pool, found);
        EXPECT_EQ(first_difference(found, expected), "");
      });
    }
  }
}

}  // namespace
}  // namespace pegnn
