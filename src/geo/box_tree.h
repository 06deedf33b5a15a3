#pragma once
// A tree of boxes over places in D dimensions, for exact nearest neighbours.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/array.h"
#include "base/thread_pool.h"

namespace pegnn {

// The k nearest places of a query, nearest first: squared distances and rows.
struct NearestList {
  double* squared;
  std::int32_t* rows;
};

// Places in a leaf and boxes in a node: the doubles of the widest vector there is.
inline constexpr std::int64_t kBoxWidth = 8;

template <std::size_t D>
struct BoxPlace {
  double at[D];
  std::int32_t row;
};

template <std::size_t D>
struct BoxLeaf {
  double at[D][kBoxWidth];  // what is not used is at infinity, with the row kNoRow
  std::int32_t rows[kBoxWidth];
};

// The boxes of up to eight children side by side, so that one look tells which of them to enter.
template <std::size_t D>
struct alignas(64) BoxNode {
  double low[D][kBoxWidth], high[D][kBoxWidth];  // a child that is not there begins at infinity
  double lowest_row[kBoxWidth];                  // as a double, to be compared beside distances
};

// Leaves stand in an order in which neighbours are near each other. Level 1 joins eight
// consecutive leaves in a node, level 2 eight nodes of level 1, and so on up to one node.
template <std::size_t D>
struct BoxLevels {
  // 2^31 places need ten levels.
  static constexpr std::int64_t kMostLevels = 10;
  const BoxLeaf<D>* leaves = nullptr;
  std::int64_t places = 0, leaf_count = 0;
  std::int64_t top = 0;                           // the level that has one node
  const BoxNode<D>* nodes[kMostLevels + 1] = {};  // by level, from 1
};

// Places are cut in two along the widest side of their box, and the parts again, until leaves are
// left. So cells follow the density of the places whatever it is, and a search costs log n even
// where nearly all places share one corner. Or the caller brings the places in an order of its own.
//
// Exact without any tolerance: the distance to a box is computed by the operations, in the order,
// of the distance to a place, and rounding is monotone, so that in floating point too no place of a
// box is nearer than the box. That needs -ffp-contract=off.
//
// Places are ordered by (squared distance, row). Each node knows the lowest row below it, so that
// thousands of places in one spot are passed over as quickly as far ones.
//
// Building needs the tree for itself; searching is const and may run on several threads at once.
// Compiled for D = 2 and 3.
template <std::size_t D>
class BoxTree {
 public:
  using Place = BoxPlace<D>;
  static constexpr std::int32_t kNoRow = std::numeric_limits<std::int32_t>::max();

  // Orders `places`, which are not needed afterwards. Every one must be finite, every row from 0 to
  // below kNoRow and different.
  void build(Span<Place> places, const ThreadPool& pool);

  // Takes place i, `at(i)` for i = 0, ..., count - 1, as row i. Near ones should follow each other:
  // that decides how long searches take, not what they find. Allocates nothing once the tree has
  // held as many places.
  template <class At>
  void build_in_order(std::int64_t count, const ThreadPool& pool, At at);

  std::int64_t size() const { return size_; }

  // Finds the k >= 1 nearest places of each query; there must be at least k. Those of query i go to
  // [i * k, (i + 1) * k) of `out`. Any queries will do; those that lie near the ones before them,
  // nearer than their last neighbours, are found several times as fast.
  void search(Span<const std::array<double, D>> queries, std::int64_t k, NearestList out) const;

  // The same for every place of the tree, itself left out: those of row i go to [i * k, (i + 1) *
  // k) of `out`. Rows must be 0, 1, ..., size() - 1, and more than k >= 1 of them.
  void search_all(std::int64_t k, const ThreadPool& pool, NearestList out) const;

 private:
  void resize(std::int64_t count);
  void cut(Span<Place> places, std::int64_t begin, std::int64_t end) const;
  void cut_all(Span<Place> places, std::int64_t begin, std::int64_t end) const;
  void join_leaves(const ThreadPool& pool);
  BoxLevels<D> levels() const;

  std::int64_t size_ = 0;
  Array<BoxLeaf<D>> leaves_;
  std::array<Array<BoxNode<D>>, BoxLevels<D>::kMostLevels> nodes_;  // level 1 first
};

template <std::size_t D>
template <class At>
void BoxTree<D>::build_in_order(std::int64_t count, const ThreadPool& pool, At at) {
  constexpr std::int64_t kLeavesPerBlock = 1024;
  resize(count);
  const auto leaves = std::ssize(leaves_);
  pool.for_blocks(leaves, kLeavesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t number = begin; number < end; ++number) {
      BoxLeaf<D>& leaf = leaves_[number];
      for (std::int64_t i = 0; i < kBoxWidth; ++i) {
        const std::int64_t row = number * kBoxWidth + i;
        std::array<double, D> place;
        place.fill(std::numeric_limits<double>::infinity());
        if (row < count) place = at(row);
        for (std::size_t d = 0; d < D; ++d) leaf.at[d][i] = place[d];
        leaf.rows[i] = row < count ? static_cast<std::int32_t>(row) : kNoRow;
      }
    }
  });
  join_leaves(pool);
}

}  // namespace pegnn
