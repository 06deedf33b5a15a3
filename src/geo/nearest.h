#pragma once
// Exact nearest neighbours on the sphere and in the plane.

#include <cstdint>

#include "base/array.h"
#include "base/thread_pool.h"
#include "geo/box_tree.h"
#include "geo/spatial_order.h"
#include "pegnn/geo.h"

namespace pegnn {

// Neighbours of many query points, `k` for each, nearest first: those of query i stand at
// [i * k, (i + 1) * k).
struct Neighbours {
  std::int64_t k = 0;
  Array<std::int32_t> rows;
  Array<double> distances;  // metres on the sphere, coordinate units otherwise
};

// A search structure over a set of points. Holds what it needs; `points` may go away. Searching is
// const and may run on several threads at once. Searching, and building over sorted points,
// allocate nothing once the index and the result have been as large before, so both may be done
// every training step.
//
// A balanced tree of boxes (geo/box_tree.h): on the sphere over unit vectors, where poles and the
// antimeridian are places like any other, else over the coordinates. It follows any density, so
// that n points cost n log n however they are clustered. Distances are compared as squared chords
// (sphere) or squared Euclidean distances, computed in double by subtracting first. Equal distances
// go to the lower row. Results do not depend on the number of threads.
//
// On the sphere a reported distance is that of its chord: within 1e-8 m of `great_circle` up to a
// quarter of the way around the Earth; beyond, chords lose digits, up to 0.5 m at the antipode.
class NearestIndex {
 public:
  // Rebuilds the index over `points`, reusing memory. Points must be finite; Error{data} for more
  // than 2^31 - 2 of them.
  void build(Span<const Point> points, Space space, const ThreadPool& pool);

  // The same over some points of a set that has been put in order, given by their ranks. Point i of
  // the index is the one of ranks[i]. Any ranks will do; ascending ones make searches fast.
  void build(const SpatialOrder& order, Span<const std::int32_t> ranks, const ThreadPool& pool);

  std::int64_t size() const { return size_; }
  Space space() const { return space_; }

  // The k nearest points of the index for each query; k is clipped to the number of points that can
  // be neighbours, so it may become 0. With `self`, `queries` are the points of the index in the
  // same order and none is its own neighbour (another point at the same place is one, at distance
  // 0). That is also the fastest way: near points are searched together.
  void search(Span<const Point> queries, std::int64_t k, bool self, const ThreadPool& pool,
              Neighbours& out) const;

  // The same without `self`, where rows are all that is wanted: distances are not to be looked at.
  // Queries that follow near ones are found several times as fast, here as above.
  void search_rows(Span<const Point> queries, std::int64_t k, const ThreadPool& pool,
                   Neighbours& out) const;

  // With `self`, when the points themselves are not at hand.
  void search_own(std::int64_t k, const ThreadPool& pool, Neighbours& out) const;

 private:
  void turn_into_distances(const ThreadPool& pool, Neighbours& out) const;

  Space space_ = Space::plane;
  std::int64_t size_ = 0;
  BoxTree<2> flat_;   // coordinates as they are
  BoxTree<3> round_;  // unit vectors
};

// Every query against every point, with the same distances and the same ties to the last bit: the
// oracle of the tests.
void search_by_brute_force(Span<const Point> points, Span<const Point> queries, Space space,
                           std::int64_t k, bool self, Neighbours& out);

}  // namespace pegnn
