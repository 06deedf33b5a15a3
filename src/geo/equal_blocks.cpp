// Blocks of equal numbers of points: the leaves of a k-d tree (Bentley, Comm. ACM 18, 1975).

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "base/array.h"
#include "base/assert.h"
#include "geo/blocks.h"
#include "geo/sphere.h"

namespace pegnn {
namespace {

// Coordinates in which near points are near everywhere, and one place is one value: unit vectors on
// the sphere.
using Coordinates = std::array<double, 3>;

class Halving {
 public:
  Halving(Span<const Point> points, Space space) : block_(points.size(), 0) {
    at_.reserve(points.size());
    for (const Point& p : points) {
      if (space == Space::sphere) {
        const UnitVector v = unit_vector(p);
        // + 0.0 makes one zero of the two, so that equal places sort together.
        at_.push_back({v.x + 0.0, v.y + 0.0, v.z + 0.0});
      } else {
        at_.push_back({p.x + 0.0, p.y + 0.0, 0.0});
      }
    }
    rows_.resize(points.size());
    std::iota(rows_.begin(), rows_.end(), 0);
  }

  // The rows in [begin, end) become blocks first ... first + count - 1.
  void cut(std::int64_t begin, std::int64_t end, std::int64_t first, std::int64_t count) {
    const std::int64_t middle = count > 1 ? halve(begin, end) : begin;
    if (middle == begin) {
      for (std::int64_t i = begin; i < end; ++i) block_[row(i)] = static_cast<std::int32_t>(first);
      return;
    }
    cut(begin, middle, first, count / 2);
    cut(middle, end, first + count / 2, count / 2);
  }

  Array<std::int32_t> take() { return std::move(block_); }

 private:
  std::int32_t row(std::int64_t i) const { return rows_[i]; }

  std::size_t widest(std::int64_t begin, std::int64_t end) const {
    std::size_t best = 0;
    double spread = -1;
    for (std::size_t d = 0; d < 3; ++d) {
      double lo = at_[row(begin)][d], hi = lo;
      for (std::int64_t i = begin; i < end; ++i) {
        lo = std::min(lo, at_[row(i)][d]);
        hi = std::max(hi, at_[row(i)][d]);
      }
      if (hi - lo <= spread) continue;
      spread = hi - lo;
      best = d;
    }
    return best;
  }

  // Sorts the rows and returns where the second half begins; `begin` where all are in one place.
  std::int64_t halve(std::int64_t begin, std::int64_t end) {
    if (end - begin < 2) return begin;
    const std::size_t d = widest(begin, end);
    const auto before = [&](std::int32_t a, std::int32_t b) {
      const Coordinates& p = at_[a];
      const Coordinates& q = at_[b];
      if (p[d] != q[d]) return p[d] < q[d];
      return p != q ? p < q : a < b;
    };
    std::sort(rows_.begin() + begin, rows_.begin() + end, before);
    // The nearest gap to the middle that parts no place.
    const auto gap = [&](std::int64_t i) { return at_[row(i - 1)] != at_[row(i)]; };
    const std::int64_t middle = begin + (end - begin) / 2;
    for (std::int64_t off = 0; middle + off < end || middle > begin + off; ++off) {
      if (middle > begin + off && gap(middle - off)) return middle - off;
      if (middle + off < end && gap(middle + off)) return middle + off;
    }
    return begin;
  }

  Array<Coordinates> at_;
  Array<std::int32_t> rows_, block_;
};

}  // namespace

Array<std::int32_t> equal_blocks(Span<const Point> points, Space space, std::int64_t count) {
  PEGNN_ASSERT(count > 0 && (count & (count - 1)) == 0, "blocks are halved to a power of two");
  PEGNN_ASSERT(space != Space::degrees, "blocks are measured on the ground");
  Halving halving(points, space);
  if (!points.empty()) halving.cut(0, points.size(), 0, count);
  return halving.take();
}

}  // namespace pegnn
