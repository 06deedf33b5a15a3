#pragma once
// Work memory of a network, planned once: layers declare what they need, then run without
// allocating.

#include <algorithm>
#include <cstdint>

#include "base/array.h"
#include "base/assert.h"
#include "base/matrix.h"
#include "compute/backend.h"

namespace pegnn {

struct NodeSlot {
  std::int64_t first = 0, cols = 0, stride = 0;
  bool backward = false;
};
struct EdgeSlot {
  std::int64_t first = 0, count = 1;
  bool backward = false;
};

// Collects what the layers of a network need: matrices with one row per node and arrays with a few
// numbers per edge.
class WorkPlan {
 public:
  NodeSlot nodes(std::int64_t cols) { return add(cols, stride_of(cols), false); }
  // The same for gradients: no memory is spent on it where nothing is trained.
  NodeSlot gradients(std::int64_t cols) { return add(cols, stride_of(cols), true); }
  // A few numbers per node, stored without gaps.
  NodeSlot node_values(std::int64_t count = 1) { return add(count, count, false); }
  NodeSlot gradient_values(std::int64_t count = 1) { return add(count, count, true); }
  // A few numbers per edge, stored without gaps.
  EdgeSlot edges(std::int64_t count = 1) { return add(count, false); }
  // The same for what only the backward pass reads.
  EdgeSlot training_edges(std::int64_t count = 1) { return add(count, true); }
  // A number of its own for each place where elements are dropped.
  std::uint32_t dropout_layer() { return next_dropout_++; }

  std::int64_t node_cols(bool backward) const { return node_cols_[backward ? 1 : 0]; }
  std::int64_t edge_arrays(bool backward) const { return edge_arrays_[backward ? 1 : 0]; }

 private:
  // Rows start on cache lines: the vectorised kernels then never straddle one.
  static std::int64_t stride_of(std::int64_t cols) { return (cols + 15) / 16 * 16; }
  NodeSlot add(std::int64_t cols, std::int64_t stride, bool backward) {
    std::int64_t& used = node_cols_[backward ? 1 : 0];
    const NodeSlot slot{used, cols, stride, backward};
    used += stride;
    return slot;
  }

  EdgeSlot add(std::int64_t count, bool backward) {
    std::int64_t& used = edge_arrays_[backward ? 1 : 0];
    const EdgeSlot slot{used, count, backward};
    used += count;
    return slot;
  }

  std::int64_t node_cols_[2] = {0, 0}, edge_arrays_[2] = {0, 0};  // forward, backward
  std::uint32_t next_dropout_ = 0;
};

// The memory behind a plan, for graphs of up to the reserved size; gradients only with `training`.
template <class T>
class Workspace {
 public:
  void reserve(const Backend<T>& backend, const WorkPlan& plan, std::int64_t nodes,
               std::int64_t edges, bool training) {
    // Whole cache lines, so that every slot starts on one.
    nodes = (nodes + 15) / 16 * 16;
    edges = (edges + 15) / 16 * 16;
    nodes_ = std::max(nodes_, nodes);
    edges_ = std::max(edges_, edges);
    for (const bool backward : {false, true}) {
      const std::int64_t size = (backward && !training) ? 0 : plan.node_cols(backward) * nodes_;
      backend.grow(node_buffer_[backward ? 1 : 0], size);
      const std::int64_t per_edge = (backward && !training) ? 0 : plan.edge_arrays(backward);
      backend.grow(edge_buffer_[backward ? 1 : 0], per_edge * edges_);
    }
  }

  Mat<T> nodes(NodeSlot slot, std::int64_t rows) {
    PEGNN_ASSERT(rows <= nodes_, "the workspace was reserved for this many nodes");
    Buffer<T>& buffer = node_buffer_[slot.backward ? 1 : 0];
    return {buffer.data() + slot.first * nodes_, rows, slot.cols, slot.stride};
  }
  Span<T> edges(EdgeSlot slot, std::int64_t edges) {
    PEGNN_ASSERT(edges <= edges_, "the workspace was reserved for this many edges");
    return {edge_buffer_[slot.backward ? 1 : 0].data() + slot.first * edges_, edges * slot.count};
  }
  // Roughly what reserving comes to; a double, as nobody has checked the sizes yet.
  static double bytes_for(const WorkPlan& plan, std::int64_t nodes, std::int64_t edges,
                          bool training) {
    const std::int64_t cols = plan.node_cols(false) + (training ? plan.node_cols(true) : 0);
    const std::int64_t arrays = plan.edge_arrays(false) + (training ? plan.edge_arrays(true) : 0);
    return static_cast<double>(sizeof(T)) *
           (static_cast<double>(cols) * static_cast<double>(nodes) +
            static_cast<double>(arrays) * static_cast<double>(edges));
  }
  std::int64_t bytes() const {
    std::int64_t size = 0;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
      size += node_buffer_[i].size() + edge_buffer_[i].size();
    return size * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  std::int64_t nodes_ = 0, edges_ = 0;
  Buffer<T> node_buffer_[2], edge_buffer_[2];  // forward, backward
};

}  // namespace pegnn
