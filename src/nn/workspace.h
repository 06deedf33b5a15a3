#pragma once
// Work memory of a network, planned once: layers declare what they need, then run without
// allocating.

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/assert.h"
#include "base/matrix.h"

namespace pegnn {

struct NodeSlot {
  std::int64_t first = 0, cols = 0, stride = 0;
};
struct EdgeSlot {
  std::int64_t first = 0;
};
struct ScratchSlot {
  std::int64_t size = 0;
};

// Collects what the layers of a network need: matrices with one row per node, arrays with one
// number per edge, and scratch whose size does not depend on the graph.
class WorkPlan {
 public:
  NodeSlot nodes(std::int64_t cols) {
    // Rows start on cache lines: the vectorised kernels then never straddle one.
    const std::int64_t stride = (cols + 15) / 16 * 16;
    const NodeSlot slot{node_cols_, cols, stride};
    node_cols_ += stride;
    return slot;
  }
  // One number per node, stored without gaps.
  NodeSlot node_values() { return {node_cols_++, 1, 1}; }
  EdgeSlot edges() { return {edge_arrays_++}; }
  // Memory for the length of one kernel call; all who ask share it.
  ScratchSlot scratch(std::int64_t size) {
    scratch_ = std::max(scratch_, size);
    return {size};
  }
  // A number of its own for each place where elements are dropped.
  std::uint32_t dropout_layer() { return next_dropout_++; }

  std::int64_t node_cols() const { return node_cols_; }
  std::int64_t edge_arrays() const { return edge_arrays_; }
  std::int64_t scratch_size() const { return scratch_; }

 private:
  std::int64_t node_cols_ = 0, edge_arrays_ = 0, scratch_ = 0;
  std::uint32_t next_dropout_ = 0;
};

// The memory behind a plan, for graphs of up to the reserved size.
template <class T>
class Workspace {
 public:
  void reserve(const WorkPlan& plan, std::int64_t nodes, std::int64_t edges) {
    // Whole cache lines, so that every slot starts on one.
    nodes = (nodes + 15) / 16 * 16;
    edges = (edges + 15) / 16 * 16;
    if (nodes > nodes_ || node_buffer_.size() < plan.node_cols() * nodes_) {
      nodes_ = nodes;
      node_buffer_.resize(plan.node_cols() * nodes);
    }
    if (edges > edges_ || edge_buffer_.size() < plan.edge_arrays() * edges_) {
      edges_ = edges;
      edge_buffer_.resize(plan.edge_arrays() * edges);
    }
    if (scratch_buffer_.size() < plan.scratch_size()) scratch_buffer_.resize(plan.scratch_size());
  }

  Mat<T> nodes(NodeSlot slot, std::int64_t rows) {
    PEGNN_ASSERT(rows <= nodes_, "the workspace was reserved for this many nodes");
    return {node_buffer_.data() + slot.first * nodes_, rows, slot.cols, slot.stride};
  }
  std::span<T> edges(EdgeSlot slot, std::int64_t count) {
    PEGNN_ASSERT(count <= edges_, "the workspace was reserved for this many edges");
    return {edge_buffer_.data() + slot.first * edges_, static_cast<std::size_t>(count)};
  }
  std::span<T> scratch(ScratchSlot slot) {
    return {scratch_buffer_.data(), static_cast<std::size_t>(slot.size)};
  }
  std::int64_t bytes() const {
    return (node_buffer_.size() + edge_buffer_.size() + scratch_buffer_.size()) *
           static_cast<std::int64_t>(sizeof(T));
  }

 private:
  std::int64_t nodes_ = 0, edges_ = 0;
  AlignedBuffer<T> node_buffer_, edge_buffer_, scratch_buffer_;
};

}  // namespace pegnn
