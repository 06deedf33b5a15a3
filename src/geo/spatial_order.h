#pragma once
// A fixed order of a set of points in which near points stand close to each other.

#include <array>
#include <cstdint>
#include <vector>

#include "base/array.h"
#include "base/thread_pool.h"
#include "pegnn/geo.h"

namespace pegnn {

// The rows of points in an order in which near ones stand close to each other: that of a
// SpatialOrder, where nothing else of it is wanted. Points must be finite.
Array<std::int32_t> rows_along_curve(Span<const Point> points, Space space, const ThreadPool& pool);

// Points along a Hilbert curve: through the square around them in the plane, through the faces of a
// cube around the sphere. Any part of them, in this order, is cut into leaves of a box tree
// without looking for medians: `NearestIndex::build` takes it so, and a training step links its
// rows in less than half the time.
//
// Work that depends on the points alone is done once, here: rank, row and place take 32 bytes per
// point. Const methods may run on several threads at once.
class SpatialOrder {
 public:
  // Points must be finite. Points the curve does not tell apart stay in the order of rows.
  SpatialOrder(Span<const Point> points, Space space, const ThreadPool& pool);

  std::int64_t size() const { return std::ssize(row_at_); }
  Space space() const { return space_; }

  // The ranks of some rows, ascending. Linear in their number. `scratch` is kept for the next time.
  void ranks_of(Span<const std::int32_t> rows, Array<std::int32_t>& scratch,
                Array<std::int32_t>& ranks) const;
  // The row that has a rank.
  std::int32_t row_at(std::int32_t rank) const { return row_at_[rank]; }

  // Its unit vector on the sphere, or its coordinates.
  const std::array<double, 3>& round(std::int32_t rank) const { return round_[rank]; }
  const std::array<double, 2>& flat(std::int32_t rank) const { return flat_[rank]; }

 private:
  Space space_;
  Array<std::int32_t> rank_of_, row_at_;
  Array<std::array<double, 3>> round_;  // by rank
  Array<std::array<double, 2>> flat_;
};

}  // namespace pegnn
