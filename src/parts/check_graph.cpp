#include "parts/check_graph.h"

#include <fmt/core.h>

#include "base/array.h"
#include "pegnn/error.h"
#include "table/given_points.h"

namespace pegnn {

void check_graph(const NeighbourGraph& graph) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::usage, "graph: " + what);
  };
  const std::vector<std::int64_t>& offsets = graph.offsets;
  const auto edges = std::ssize(graph.columns);
  if (offsets.empty()) refuse("no offsets; there is one more of them than nodes");
  if (offsets.front() != 0 || offsets.back() != edges) {
    refuse(fmt::format("offsets go from {} to {}, and must from 0 to the number of edges, {}",
                       offsets.front(), offsets.back(), edges));
  }
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] <= offsets[i + 1]) continue;
    refuse(fmt::format("the edges of node {} begin at {} and end at {}", i, offsets[i],
                       offsets[i + 1]));
  }
  for (std::size_t e = 0; e < graph.columns.size(); ++e) {
    if (graph.columns[e] >= 0 && graph.columns[e] < graph.nodes()) continue;
    refuse(
        fmt::format("edge {} leads to node {}; there are {}", e, graph.columns[e], graph.nodes()));
  }
  if (graph.weights.size() != graph.columns.size()) {
    refuse(fmt::format("{} weights for {} edges", graph.weights.size(), edges));
  }
  check_finite(graph.weights, "graph: weight");
}

}  // namespace pegnn
