#include "geo/nearest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/core.h>

#include "base/array.h"
#include "base/assert.h"
#include "geo/chords.h"
#include "geo/sphere.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// Points to convert, queries and distances that a thread takes at a time: some tens of microseconds
// of work, so that handing them out costs little and a training batch still feeds several threads.
constexpr std::int64_t kPointsPerBlock = 512;
constexpr std::int64_t kQueriesPerBlock = 128;
constexpr std::int64_t kDistancesPerBlock = 4096;

// The last std::int32_t marks an empty place in the tree.
constexpr std::int64_t kMostPoints = std::numeric_limits<std::int32_t>::max() - 1;

// Room for `count` lists of k neighbours, or as many as there are.
NearestList make_room(std::int64_t count, std::int64_t others, std::int64_t k, Neighbours& out) {
  PEGNN_ASSERT(k >= 0, "a number of neighbours");
  out.k = std::clamp<std::int64_t>(others, 0, k);
  out.rows.resize(count * out.k);
  out.distances.resize(count * out.k);
  return {out.distances.data(), out.rows.data()};
}

// Up to a block of queries, each at(point).
template <std::size_t D, class At>
void search_block(const BoxTree<D>& tree, Span<const Point> queries, std::int64_t k,
                  NearestList out, At&& at) {
  std::array<std::array<double, D>, kQueriesPerBlock> places;
  std::ranges::transform(queries, places.begin(), at);
  tree.search(Span(places).first(queries.size()), k, out);
}

}  // namespace

void NearestIndex::build(Span<const Point> points, Space space, const ThreadPool& pool) {
  const auto count = std::ssize(points);
  if (count > kMostPoints) {
    throw Error(ErrorKind::data, fmt::format("{} points are too many for nearest neighbours; at "
                                             "most {} can be indexed",
                                             count, kMostPoints));
  }
  space_ = space;
  size_ = count;
  const bool sphere = space == Space::sphere;
  Array<BoxTree<3>::Place> round(sphere ? points.size() : 0);
  Array<BoxTree<2>::Place> flat(sphere ? 0 : points.size());
  pool.for_blocks(count, kPointsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto row = static_cast<std::int32_t>(i);
      const Point p = points[i];
      PEGNN_ASSERT(std::isfinite(p.x) && std::isfinite(p.y), "points must be finite");
      if (sphere) {
        const UnitVector v = unit_vector(p);
        round[i] = {{v.x, v.y, v.z}, row};
      } else {
        flat[i] = {{p.x, p.y}, row};
      }
    }
  });
  round_.build(round, pool);
  flat_.build(flat, pool);
}

void NearestIndex::build(const SpatialOrder& order, Span<const std::int32_t> ranks,
                         const ThreadPool& pool) {
  space_ = order.space();
  size_ = std::ssize(ranks);
  const bool sphere = space_ == Space::sphere;
  round_.build_in_order(sphere ? size_ : 0, pool,
                        [&](std::int64_t i) { return order.round(ranks[i]); });
  flat_.build_in_order(sphere ? 0 : size_, pool,
                       [&](std::int64_t i) { return order.flat(ranks[i]); });
}

void NearestIndex::search(Span<const Point> queries, std::int64_t k, bool self,
                          const ThreadPool& pool, Neighbours& out) const {
  const auto count = std::ssize(queries);
  if (self) {
    PEGNN_ASSERT(count == size_, "with self, query i is point i");
    search_own(k, pool, out);
    return;
  }
  search_rows(queries, k, pool, out);
  turn_into_distances(pool, out);
}

void NearestIndex::search_rows(Span<const Point> queries, std::int64_t k, const ThreadPool& pool,
                               Neighbours& out) const {
  const auto count = std::ssize(queries);
  const NearestList lists = make_room(count, size_, k, out);
  if (out.k == 0) return;
  pool.for_blocks(count, kQueriesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    const Span<const Point> some = queries.subspan(begin, end - begin);
    const NearestList list{lists.squared + begin * out.k, lists.rows + begin * out.k};
    if (space_ == Space::sphere) {
      search_block<3>(round_, some, out.k, list, [](Point p) -> std::array<double, 3> {
        const UnitVector v = unit_vector(p);
        return {v.x, v.y, v.z};
      });
    } else {
      search_block<2>(flat_, some, out.k, list, [](Point p) -> std::array<double, 2> {
        return {p.x, p.y};
      });
    }
  });
}

void NearestIndex::search_own(std::int64_t k, const ThreadPool& pool, Neighbours& out) const {
  const NearestList lists = make_room(size_, size_ - 1, k, out);
  if (out.k == 0) return;
  space_ == Space::sphere ? round_.search_all(out.k, pool, lists)
                          : flat_.search_all(out.k, pool, lists);
  turn_into_distances(pool, out);
}

void NearestIndex::turn_into_distances(const ThreadPool& pool, Neighbours& out) const {
  const auto count = std::ssize(out.distances);
  pool.for_blocks(count, kDistancesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    const Span squared(out.distances.data() + begin, end - begin);
    if (space_ == Space::sphere) {
      chords_to_metres(squared);
    } else {
      for (double& value : squared) value = std::sqrt(value);
    }
  });
}

}  // namespace pegnn
