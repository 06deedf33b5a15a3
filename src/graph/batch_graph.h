#pragma once
// The paper's batch graph: some rows of a set, each linked to its k nearest among them.

#include <cstdint>

#include "base/array.h"
#include "geo/spatial_order.h"
#include "graph/graph.h"

namespace pegnn {

// The set in an order in which near points stand together, found once. Const, for any number of
// callers with a scratch of their own.
class BatchGraph {
 public:
  BatchGraph(Span<const Point> points, Space space, std::int64_t k, EdgeWeight rule,
             const ThreadPool& pool)
      : order_(points, space, pool), k_(k), rule_(rule) {}

  struct Scratch {
    Array<std::int32_t> ranks, sorting;
    NearestIndex index;
    Neighbours found;
  };

  // A batch is a set: the rows in the order of their nodes, near ones together.
  void arrange(Span<const std::int32_t> rows, Scratch& scratch, Array<std::int32_t>& out) const;
  // The weighted graph of the rows that were arranged last.
  void link(const ThreadPool& pool, Scratch& scratch, Graph& out) const;

 private:
  SpatialOrder order_;
  std::int64_t k_;
  EdgeWeight rule_;
};

}  // namespace pegnn
