#pragma once
// Small graphs for tests.

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "base/philox.h"
#include "graph/graph.h"

namespace pegnn::test {

// Edges "i <- j" with weights; grouped by i in the order given.
struct TestEdge {
  std::int32_t i, j;
  double weight;
};

inline Graph make_graph(std::int64_t nodes, const std::vector<TestEdge>& edges) {
  Graph graph;
  graph.nodes = nodes;
  graph.offsets.push_back(0);
  for (std::int64_t i = 0; i < nodes; ++i) {
    for (const TestEdge& e : edges) {
      if (e.i != i) continue;
      graph.columns.push_back(e.j);
      graph.weights.push_back(e.weight);
      graph.lengths.push_back(1.0 - e.weight);
    }
    graph.offsets.push_back(static_cast<std::int64_t>(graph.columns.size()));
  }
  add_reverse(graph);
  return graph;
}

// Up to `degree` edges into every node from others chosen at random: node i has one less than node
// i - 1, beginning anew at `degree`; the last node stands alone. Degrees differ, so that a layer
// that mixes up senders and receivers is found out.
inline Graph random_graph(std::int64_t nodes, std::int64_t degree, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  std::vector<TestEdge> edges;
  for (std::int64_t i = 0; i + 1 < nodes; ++i) {
    for (std::int64_t e = 0; e < degree - i % degree; ++e) {
      const auto a = static_cast<std::uint64_t>(i), b = static_cast<std::uint64_t>(e);
      auto j = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(nodes - 1), a, b));
      if (j >= i) ++j;
      edges.push_back(
          {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), rng.uniform(a, b + 1000)});
    }
  }
  return make_graph(nodes, edges);
}

}  // namespace pegnn::test
