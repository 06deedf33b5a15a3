#pragma once
// A balanced tree of boxes over places in D dimensions, for exact nearest neighbours.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"

namespace pegnn {

// The k nearest places of a query, nearest first: squared distances and rows.
struct NearestList {
  double* squared;
  std::int32_t* rows;
};

// Places are cut in half at the median of the widest side of their box, and the halves again, until
// at most kLeafPlaces are left, which lie side by side in memory. So cells follow the density of
// the places whatever it is, and a search costs log n even where nearly all places share one
// corner.
//
// Exact without any tolerance: the distance to a box is computed by the operations, in the order,
// of the distance to a place, and rounding is monotone, so that in floating point too no place of a
// box is nearer than the box. That needs -ffp-contract=off.
//
// Places are ordered by (squared distance, row). Each node knows the lowest row below it, so that
// thousands of places in one spot are passed over as quickly as far ones.
//
// Building needs the tree for itself; searching is const and may run on several threads at once.
// Nothing is allocated once the tree has held as many places. Compiled for D = 2 and 3.
template <std::size_t D>
class BoxTree {
 public:
  // Measured with k = 5 and 24 on 2,048 to 434,874 places: 8 to 16 differ by less than 10 % for
  // large sets, and 12 is the fastest for the 2,048 of a training step.
  static constexpr std::int64_t kLeafPlaces = 12;

  struct Place {
    double at[D];
    std::int32_t row;
  };

  // Room for `count` places, for the caller to fill before `build`.
  std::span<Place> places(std::int64_t count);

  // Every place must be finite, every row from 0 to below the largest std::int32_t and different.
  void build(const ThreadPool& pool);

  std::int64_t size() const { return static_cast<std::int64_t>(places_.size()); }

  // Finds the k >= 1 nearest places of `query`; there must be at least k.
  void search(const double (&query)[D], std::int64_t k, NearestList out) const;

  // The same for every place of the tree, itself left out: those of row i go to [i * k, (i + 1) *
  // k) of `out`. Rows must be 0, 1, ..., size() - 1, and more than k >= 1 of them.
  void search_all(std::int64_t k, const ThreadPool& pool, NearestList out) const;

 private:
  struct Leaf {
    double at[D][kLeafPlaces];       // a leaf that is not full ends in places at infinity
    std::int32_t rows[kLeafPlaces];  // ascending
  };
  struct Node {
    double low[D], high[D];
    std::int32_t lowest_row;
  };
  // A node and the leaves [begin, end) below it. Nodes stand in preorder, so the children of a node
  // are found by counting: a subtree of c leaves has 2 c - 1 nodes.
  struct Branch {
    std::int64_t node, begin, end;
    bool is_leaf() const { return end - begin == 1; }
    std::int64_t middle() const { return begin + (end - begin + 1) / 2; }
    Branch left() const { return {node + 1, begin, middle()}; }
    Branch right() const { return {node + 2 * (middle() - begin), middle(), end}; }
  };
  template <std::size_t Width>
  struct Queries;

  Branch root() const { return {0, 0, static_cast<std::int64_t>(leaves_.size())}; }
  const Node& node(const Branch& b) const { return nodes_[static_cast<std::size_t>(b.node)]; }
  const Leaf& leaf(std::int64_t number) const { return leaves_[static_cast<std::size_t>(number)]; }
  std::int64_t places_in(std::int64_t leaf) const;

  void cut(const Branch& branch);
  void cut_all(const Branch& branch);
  void fill_leaf(std::int64_t number);
  void search_from(std::int64_t home, std::int64_t k, NearestList out) const;
  template <std::size_t Width>
  void scan(const Branch& branch, Queries<Width>& queries) const;
  template <std::size_t Width>
  void walk(std::int64_t home, Queries<Width>& queries) const;

  std::vector<Place> places_;
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
};

template <std::size_t D>
std::int64_t BoxTree<D>::places_in(std::int64_t leaf) const {
  return leaf + 1 < static_cast<std::int64_t>(leaves_.size()) ? kLeafPlaces
                                                              : size() - leaf * kLeafPlaces;
}

}  // namespace pegnn
