#pragma once
// How near rows of numbers are to the nearest of many, exactly, for any number of columns.

#include <algorithm>
#include <cstdint>

#include "base/array.h"

namespace pegnn {

// A tree of boxes over the rows. geo/nearest.h does the same for places, in three dimensions at
// most. Const methods may run at the same time.
class NearestRows {
 public:
  NearestRows() = default;
  // `values`: rows x width, finite; width > 0. They are copied.
  NearestRows(Span<const float> values, std::int64_t width);

  // The squared distance, summed in float column by column, from `query` to the k-th nearest row, k
  // being 1 or 2; to the last of them if there are fewer rows than k. It is that of every row
  // tried, to the bit, and infinite where the sum leaves the range of float. No rows: 0.
  float squared_distance(const float* query, int k) const;

  // Whether the nearest row is no farther than that, by the same sums; sooner known than how far it
  // is. Without rows nothing is.
  bool any_within(const float* query, float squared) const;

 private:
  // Rows of a leaf, and boxes of a group. Both stand column by column, so that a compiler compares
  // several at a time.
  static constexpr std::int64_t kLeaf = 16, kGroup = 8;

  // The two smallest so far.
  struct Best {
    float first, second;
    int k;
    float enough = -1;  // nothing nearer is looked for; below 0: the nearest is
    float worst() const { return k == 1 ? first : second; }
    bool done() const { return first <= enough; }
  };

  // Boxes of one size, from below: the least and the greatest values of each, by place_of.
  struct Level {
    std::int64_t boxes;
    Array<float> least, greatest;

    void widen(std::int64_t place, float low, float high) {
      least[place] = std::min(least[place], low);
      greatest[place] = std::max(greatest[place], high);
    }
  };

  // Of each group: width x kGroup.
  std::int64_t place_of(std::int64_t box, std::int64_t column) const {
    return (box / kGroup * width_ + column) * kGroup + box % kGroup;
  }
  Level empty_level(std::int64_t boxes) const;
  Array<std::int64_t> order(Span<const float> values) const;
  void fill_leaves(Span<const float> values);
  void add_level();
  void visit(std::int64_t level, std::int64_t box, const float* query, Best& best) const;
  void compare_leaf(std::int64_t leaf, const float* query, Best& best) const;

  std::int64_t width_ = 0, rows_ = 0;
  Array<float> leaves_;  // of each leaf: width x kLeaf
  Array<Level> levels_;  // boxes of the leaves, of groups of these, and so on to one
};

}  // namespace pegnn
