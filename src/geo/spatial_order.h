#pragma once
// A fixed order of a set of points in which near points stand close to each other.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "pegnn/geo.h"

namespace pegnn {

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
  SpatialOrder(std::span<const Point> points, Space space, const ThreadPool& pool);

  std::int64_t size() const { return static_cast<std::int64_t>(row_at_.size()); }
  Space space() const { return space_; }

  // The ranks of some rows, ascending. Linear in their number. `scratch` is kept for the next time.
  void ranks_of(std::span<const std::int32_t> rows, std::vector<std::int32_t>& scratch,
                std::vector<std::int32_t>& ranks) const;
  // The row that has a rank.
  std::int32_t row_at(std::int32_t rank) const { return row_at_[static_cast<std::size_t>(rank)]; }

  // Its unit vector on the sphere, or its coordinates.
  const std::array<double, 3>& round(std::int32_t rank) const {
    return round_[static_cast<std::size_t>(rank)];
  }
  const std::array<double, 2>& flat(std::int32_t rank) const {
    return flat_[static_cast<std::size_t>(rank)];
  }

 private:
  Space space_;
  std::vector<std::int32_t> rank_of_, row_at_;
  std::vector<std::array<double, 3>> round_;  // by rank
  std::vector<std::array<double, 2>> flat_;
};

}  // namespace pegnn
