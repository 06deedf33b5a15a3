#pragma once
// The graph of a set of points: who listens to whom, how far away, with what weight.

#include <cstdint>
#include <string_view>

#include "base/array.h"
#include "geo/nearest.h"
#include "kernels/kernels.h"

namespace pegnn {

// Directed edges "i <- j" in CSR form: the edges of node i stand at [offsets[i], offsets[i + 1]),
// nearest first. Buffers are reused when a graph is rebuilt.
struct Graph {
  std::int64_t nodes = 0;
  Array<std::int64_t> offsets;  // nodes + 1
  Array<std::int32_t> columns;  // j of each edge
  Array<double> lengths;        // metres on the sphere, coordinate units otherwise
  Array<double> weights;        // filled by weigh_edges

  // The same edges grouped by j, for gradients: edge e of the transpose is edge `reverse_edge[e]`.
  // Filled by add_reverse.
  Array<std::int64_t> reverse_offsets;
  Array<std::int32_t> reverse_columns;
  Array<std::int64_t> reverse_edge;

  std::int64_t edges() const { return std::ssize(columns); }
  Csr csr() const { return {nodes, offsets.data(), columns.data()}; }
  Csr reverse() const { return {nodes, reverse_offsets.data(), reverse_columns.data()}; }
};

enum class EdgeWeight {
  minmax,    // (longest - d) / (longest - shortest)
  gaussian,  // exp(-d^2 / (2 l^2)), l the median length
  binary,    // 1
};
EdgeWeight edge_weight_of(std::string_view name);

// The lengths that turn a length into a weight. A model keeps those of its training graph, so that
// the weight of an edge does not depend on the other rows of a table.
struct LengthScale {
  double shortest = 0, longest = 0;  // for minmax
  double median = 0;                 // for gaussian
};
// Fills in what the rule needs; the rest stays 0. No lengths: all 0.
LengthScale length_scale(EdgeWeight rule, Span<const double> lengths);

// Weight of an edge of length d. Lengths outside the scale's range are clipped into [0, 1]. When
// all lengths are equal the weight is 1; when the median is zero (most points coincide) the
// gaussian weight is 1 at zero and 0 elsewhere.
double edge_weight(EdgeWeight rule, const LengthScale& scale, double d);

// k nearest neighbours of every point among the others. `index` is rebuilt over the points.
// Fewer than k other points: all of them.
void knn_graph(Span<const Point> points, Space space, std::int64_t k, const ThreadPool& pool,
               NearestIndex& index, Neighbours& scratch, Graph& graph);

// The same for some points of a set that has been put in order; node i is the one of ranks[i].
void knn_graph(const SpatialOrder& order, Span<const std::int32_t> ranks, std::int64_t k,
               const ThreadPool& pool, NearestIndex& index, Neighbours& scratch, Graph& graph);

// Leaves out the edges that are longer; before they are weighed and reversed.
void drop_longer(double length, Graph& graph);

void weigh_edges(EdgeWeight rule, const LengthScale& scale, Graph& graph);

void add_reverse(Graph& graph);

}  // namespace pegnn
