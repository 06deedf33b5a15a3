#pragma once
// Points with those they listen to, as one pass of a network reads them.

#include <cstdint>
#include <string_view>

#include "base/array.h"
#include "compute/backend.h"
#include "graph/attach.h"

namespace pegnn {

// Nodes are copies of training points, then the points that are asked for. What else a node or an
// edge is told stands in columns, whose names the neighbourhood's entry lists. Buffers may be
// larger than what they hold, as they are kept from one set of points to the next.
struct NeighbourhoodView : AttachedGraph {
  // In training: the training point behind each of the points asked for, in the order of their
  // nodes.
  Array<std::int32_t> query_rows;

  std::int64_t node_width = 0, edge_width = 0;
  Buffer<float> node_numbers, edge_numbers;
  // How much the point at the other end of each edge counts (geo/taper.h), as a logarithm.
  bool tapered = false;
  Buffer<float> log_weights;
  // What columns of the graph stand for where they are no nodes: features of every training point
  // and, last, its label. Borrowed from the neighbourhood.
  Mat<const float> sources = {};

  // Of each point asked for; empty where the neighbourhood tells neither.
  Array<float> smooth;  // what a smoother says of its label
  Array<float> gaps;    // how much it lies in a gap between the training points (gaps.h)

  // Nodes that have numbers: all but those that are there for degrees alone.
  std::int64_t inputs() const { return graph.nodes - degree_only; }
  Mat<const float> node_columns() const { return {node_numbers.data(), inputs(), node_width}; }
  Mat<const float> edge_columns() const {
    return {edge_numbers.data(), edge_width > 0 ? graph.edges() : 0, edge_width};
  }
  // Null: all count in full.
  const float* edge_log_weights() const { return tapered ? log_weights.data() : nullptr; }
};

}  // namespace pegnn
