#include "geo/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "base/assert.h"
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

}  // namespace

void NearestIndex::build(std::span<const Point> points, Space space, const ThreadPool& pool) {
  const auto count = static_cast<std::int64_t>(points.size());
  if (count > kMostPoints) {
    throw Error(ErrorKind::data, fmt::format("{} points are too many for nearest neighbours; at "
                                             "most {} can be indexed",
                                             count, kMostPoints));
  }
  space_ = space;
  size_ = count;
  const bool sphere = space == Space::sphere;
  const auto round = round_.places(sphere ? count : 0);
  const auto flat = flat_.places(sphere ? 0 : count);
  pool.for_blocks(count, kPointsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto row = static_cast<std::int32_t>(i);
      const Point p = points[at];
      PEGNN_ASSERT(std::isfinite(p.x) && std::isfinite(p.y), "points must be finite");
      if (sphere) {
        const UnitVector v = unit_vector(p);
        round[at] = {{v.x, v.y, v.z}, row};
      } else {
        flat[at] = {{p.x, p.y}, row};
      }
    }
  });
  round_.build(pool);
  flat_.build(pool);
}

void NearestIndex::search(std::span<const Point> queries, std::int64_t k, bool self,
                          const ThreadPool& pool, Neighbours& out) const {
  PEGNN_ASSERT(k >= 0, "a number of neighbours");
  const auto count = static_cast<std::int64_t>(queries.size());
  PEGNN_ASSERT(!self || count == size_, "with self, query i is point i");
  out.k = std::clamp<std::int64_t>(size_ - (self ? 1 : 0), 0, k);
  out.rows.resize(static_cast<std::size_t>(count * out.k));
  out.distances.resize(static_cast<std::size_t>(count * out.k));
  if (out.k == 0) return;

  std::int32_t* const rows = out.rows.data();
  double* const squared = out.distances.data();
  if (self) {
    space_ == Space::sphere ? round_.search_all(out.k, pool, {squared, rows})
                            : flat_.search_all(out.k, pool, {squared, rows});
  } else {
    pool.for_blocks(count, kQueriesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const Point p = queries[static_cast<std::size_t>(i)];
        const NearestList list{squared + i * out.k, rows + i * out.k};
        if (space_ == Space::sphere) {
          const UnitVector v = unit_vector(p);
          round_.search({v.x, v.y, v.z}, out.k, list);
        } else {
          flat_.search({p.x, p.y}, out.k, list);
        }
      }
    });
  }
  pool.for_blocks(count * out.k, kDistancesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      squared[i] = space_ == Space::sphere ? metres_of_squared_chord(squared[i]).value
                                           : std::sqrt(squared[i]);
    }
  });
}

}  // namespace pegnn
