#include "graph/graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/array.h"
#include "base/assert.h"

namespace pegnn {
namespace {

// Least and largest, several at a time: one after the other each comparison waits for the last.
LengthScale extremes(Span<const double> lengths) {
  constexpr std::int64_t kTogether = 8;
  double least[kTogether], most[kTogether];
  std::fill_n(least, kTogether, lengths.front());
  std::fill_n(most, kTogether, lengths.front());
  std::int64_t i = 0;
  for (; i + kTogether <= lengths.size(); i += kTogether) {
    for (std::int64_t j = 0; j < kTogether; ++j) {
      const double d = lengths[i + j];
      least[j] = d < least[j] ? d : least[j];
      most[j] = d > most[j] ? d : most[j];
    }
  }
  for (; i < lengths.size(); ++i) {
    least[0] = std::min(least[0], lengths[i]);
    most[0] = std::max(most[0], lengths[i]);
  }
  return {.shortest = *std::min_element(least, least + kTogether),
          .longest = *std::max_element(most, most + kTogether)};
}

// A graph of the neighbours of every point of the index. Every node has k edges, so its first one
// is known without counting.
void link_neighbours(const NearestIndex& index, std::int64_t k, const ThreadPool& pool,
                     Neighbours& scratch, Graph& graph) {
  index.search_own(k, pool, scratch);
  graph.nodes = index.size();
  graph.offsets.resize(graph.nodes + 1);
  for (std::int64_t i = 0; i < std::ssize(graph.offsets); ++i) {
    graph.offsets[i] = i * scratch.k;
  }
  std::swap(graph.columns, scratch.rows);
  std::swap(graph.lengths, scratch.distances);
}

}  // namespace

EdgeWeight edge_weight_of(std::string_view name) {
  if (name == "minmax") return EdgeWeight::minmax;
  if (name == "gaussian") return EdgeWeight::gaussian;
  PEGNN_ASSERT(name == "binary", "options are checked against the words allowed");
  return EdgeWeight::binary;
}

LengthScale length_scale(EdgeWeight rule, Span<const double> lengths) {
  if (lengths.empty() || rule == EdgeWeight::binary) return {};
  if (rule == EdgeWeight::minmax) return extremes(lengths);
  Array<double> copy(lengths.begin(), lengths.end());
  const auto middle = copy.begin() + copy.size() / 2;
  std::nth_element(copy.begin(), middle, copy.end());
  return {.median = *middle};
}

double edge_weight(EdgeWeight rule, const LengthScale& scale, double d) {
  switch (rule) {
    case EdgeWeight::binary:
      return 1.0;
    case EdgeWeight::minmax: {
      const double range = scale.longest - scale.shortest;
      return range > 0 ? std::clamp((scale.longest - d) / range, 0.0, 1.0) : 1.0;
    }
    case EdgeWeight::gaussian: {
      if (!(scale.median > 0)) return d > 0 ? 0.0 : 1.0;
      const double ratio = d / scale.median;
      return std::exp(-0.5 * ratio * ratio);
    }
  }
  return 1.0;
}

void knn_graph(Span<const Point> points, Space space, std::int64_t k, const ThreadPool& pool,
               NearestIndex& index, Neighbours& scratch, Graph& graph) {
  index.build(points, space, pool);
  link_neighbours(index, k, pool, scratch, graph);
}

void knn_graph(const SpatialOrder& order, Span<const std::int32_t> ranks, std::int64_t k,
               const ThreadPool& pool, NearestIndex& index, Neighbours& scratch, Graph& graph) {
  index.build(order, ranks, pool);
  link_neighbours(index, k, pool, scratch, graph);
}

void drop_longer(double length, Graph& graph) {
  std::int64_t kept = 0, first = 0;
  for (std::int64_t i = 0; i < graph.nodes; ++i) {
    const std::int64_t end = graph.offsets[i + 1];
    for (std::int64_t e = first; e < end; ++e) {
      if (graph.lengths[e] > length) continue;
      graph.columns[kept] = graph.columns[e];
      graph.lengths[kept++] = graph.lengths[e];
    }
    first = end;
    graph.offsets[i + 1] = kept;
  }
  graph.columns.resize(kept);
  graph.lengths.resize(kept);
}

void weigh_edges(EdgeWeight rule, const LengthScale& scale, Graph& graph) {
  graph.weights.resize(graph.lengths.size());
  const double range = scale.longest - scale.shortest;
  if (rule == EdgeWeight::minmax && range > 0) {
    // What edge_weight says, without its questions, so that it runs in vectors.
    for (std::int64_t e = 0; e < std::ssize(graph.lengths); ++e) {
      const double weight = (scale.longest - graph.lengths[e]) / range;
      const double positive = weight > 0.0 ? weight : 0.0;
      graph.weights[e] = positive < 1.0 ? positive : 1.0;
    }
    return;
  }
  std::transform(graph.lengths.begin(), graph.lengths.end(), graph.weights.begin(),
                 [&](double d) { return edge_weight(rule, scale, d); });
}

void add_reverse(Graph& graph) {
  const std::int64_t nodes = graph.nodes;
  graph.reverse_offsets.assign(nodes + 1, 0);
  graph.reverse_columns.resize(graph.columns.size());
  graph.reverse_edge.resize(graph.columns.size());
  for (const std::int32_t j : graph.columns) ++graph.reverse_offsets[j + 1];
  for (std::int64_t j = 0; j < nodes; ++j) graph.reverse_offsets[j + 1] += graph.reverse_offsets[j];
  // Filled in order of i, so that the sums of a gradient are taken in a fixed order. The offsets
  // serve as cursors and are shifted back afterwards.
  for (std::int64_t i = 0; i < graph.nodes; ++i) {
    for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      const std::int64_t j = graph.columns[e];
      const std::int64_t at = graph.reverse_offsets[j]++;
      graph.reverse_columns[at] = static_cast<std::int32_t>(i);
      graph.reverse_edge[at] = e;
    }
  }
  for (std::int64_t j = nodes; j > 0; --j) graph.reverse_offsets[j] = graph.reverse_offsets[j - 1];
  graph.reverse_offsets[0] = 0;
}

}  // namespace pegnn
