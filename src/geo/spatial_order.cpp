#include "geo/spatial_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/array.h"
#include "base/assert.h"
#include "geo/radix_sort.h"
#include "geo/sphere.h"

namespace pegnn {
namespace {

// Points that a thread takes at a time.
constexpr std::int64_t kPointsPerBlock = 4096;

// Where a point lies for the curve, and later its position on it. On the sphere every face of the
// cube around it has a square of its own, which sees the points from the centre.
struct Spot {
  double x, y;
  std::uint64_t key;  // of the face at first
  std::int32_t row;
};

// Bits of a cell's number along one side of a square.
constexpr int kBits = 30;

// The position of a cell on the Hilbert curve through a square of 2^kBits by 2^kBits cells. From
// the whole square down, the curve goes through the quarters (0, 0), (0, 1), (1, 1), (1, 0); in the
// first it is mirrored at the diagonal, in the last at the other one (D. Hilbert, "Ueber die
// stetige Abbildung einer Linie auf ein Flaechenstueck", 1891).
std::uint64_t position_on_curve(std::uint32_t x, std::uint32_t y) {
  std::uint64_t position = 0;
  for (int bit = kBits - 1; bit >= 0; --bit) {
    const std::uint32_t right = x >> bit & 1U, upper = y >> bit & 1U;
    position = position << 2 | ((3U * right) ^ upper);
    // Without branches, as each would be a coin toss.
    const std::uint32_t flip = 0U - (right & (upper ^ 1U)), exchange = 0U - (upper ^ 1U);
    x ^= flip;
    y ^= flip;
    const std::uint32_t difference = (x ^ y) & exchange;
    x ^= difference;
    y ^= difference;
  }
  return position;
}

// The cell that a share of 0 to 1 of a side falls into.
std::uint32_t cell_of(double share) {
  constexpr double kLast = (1U << kBits) - 1;
  if (!(share > 0)) return 0;  // also where the square is a point and a share is 0 / 0
  return static_cast<std::uint32_t>(std::min(share, 1.0) * kLast);
}

Spot spot_on_face(const UnitVector& v, std::int32_t row) {
  const double at[] = {v.x, v.y, v.z};
  std::size_t axis = 0;
  for (std::size_t d = 1; d < 3; ++d) {
    if (std::abs(at[d]) > std::abs(at[axis])) axis = d;
  }
  const double height = std::abs(at[axis]);
  const std::uint64_t face = 2 * axis + (at[axis] < 0 ? 1 : 0);
  return {at[(axis + 1) % 3] / height, at[(axis + 2) % 3] / height, face, row};
}

// A square with a curve through it. Half of its side is kept, as all of it may pass the largest
// number.
struct Square {
  double west, south, half;

  std::uint64_t key(const Spot& spot) const {
    return position_on_curve(cell_of((spot.x / 2 - west / 2) / half),
                             cell_of((spot.y / 2 - south / 2) / half));
  }
};

Square square_around(Span<const Spot> spots) {
  const auto [west, east] = std::ranges::minmax(spots, {}, &Spot::x);
  const auto [south, north] = std::ranges::minmax(spots, {}, &Spot::y);
  return {west.x, south.y, std::max(east.x / 2 - west.x / 2, north.y / 2 - south.y / 2)};
}

// Where more points share a cell than two leaves hold, a curve through their own square orders
// them, and so on: a heap of points is put in order however small it is beside the rest.
void refine(Span<Spot> spots) {
  constexpr std::int64_t kMostInACell = 16;
  for (std::int64_t begin = 0, end; begin < spots.size(); begin = end) {
    end = begin + 1;
    while (end < spots.size() && spots[end].key == spots[begin].key) ++end;
    if (end - begin <= kMostInACell) continue;
    const Span<Spot> cell = spots.subspan(begin, end - begin);
    const Square square = square_around(cell);
    if (!(square.half > 0)) continue;  // all in one place
    for (Spot& spot : cell) spot.key = square.key(spot);
    std::ranges::sort(cell, {}, [](const Spot& spot) { return std::pair(spot.key, spot.row); });
    refine(cell);
  }
}

void sort_along_curve(Array<Spot>& spots, const Square& square, const ThreadPool& pool) {
  constexpr int kKeyBits = 3 + 2 * kBits;
  const auto count = std::ssize(spots);
  pool.for_blocks(count, kPointsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      spots[i].key = spots[i].key << (2 * kBits) | square.key(spots[i]);
    }
  });
  Array<Spot> scratch;
  radix_sort(spots, scratch, kKeyBits, [](const Spot& spot) { return spot.key; });
  refine(spots);
}

Array<Spot> sorted_spots(Span<const Point> points, Space space, const ThreadPool& pool) {
  Array<Spot> spots(points.size());
  if (points.empty()) return spots;
  const bool sphere = space == Space::sphere;
  pool.for_blocks(points.size(), kPointsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Point p = points[i];
      PEGNN_ASSERT(std::isfinite(p.x) && std::isfinite(p.y), "points must be finite");
      const auto row = static_cast<std::int32_t>(i);
      spots[i] = sphere ? spot_on_face(unit_vector(p), row) : Spot{p.x, p.y, 0, row};
    }
  });
  const Square face{-1, -1, 1};
  sort_along_curve(spots, sphere ? face : square_around(spots), pool);
  return spots;
}

}  // namespace

Array<std::int32_t> rows_along_curve(Span<const Point> points, Space space,
                                     const ThreadPool& pool) {
  const Array<Spot> spots = sorted_spots(points, space, pool);
  Array<std::int32_t> rows(spots.size());
  for (std::int64_t rank = 0; rank < spots.size(); ++rank) rows[rank] = spots[rank].row;
  return rows;
}

SpatialOrder::SpatialOrder(Span<const Point> points, Space space, const ThreadPool& pool)
    : space_(space), rank_of_(points.size()), row_at_(points.size()) {
  if (points.empty()) return;
  const bool sphere = space == Space::sphere;
  const auto count = std::ssize(points);
  const Array<Spot> spots = sorted_spots(points, space, pool);
  round_.resize(sphere ? points.size() : 0);
  flat_.resize(sphere ? 0 : points.size());
  pool.for_blocks(count, kPointsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t rank = begin; rank < end; ++rank) {
      const std::int64_t row = spots[rank].row;
      row_at_[rank] = spots[rank].row;
      rank_of_[row] = static_cast<std::int32_t>(rank);
      if (sphere) {
        const UnitVector v = unit_vector(points[row]);
        round_[rank] = {v.x, v.y, v.z};
      } else {
        flat_[rank] = {points[row].x, points[row].y};
      }
    }
  });
}

void SpatialOrder::ranks_of(Span<const std::int32_t> rows, Array<std::int32_t>& scratch,
                            Array<std::int32_t>& ranks) const {
  gather(rank_of_, rows, ranks);
  const auto bits = static_cast<int>(std::bit_width(as_size(rank_of_.size())));
  radix_sort(ranks, scratch, bits, [](std::int32_t r) { return static_cast<std::uint32_t>(r); });
}

}  // namespace pegnn
