// Moran's I for points: the public form, on a graph of its own.

#include "graph/graph.h"
#include "stats/moran.h"

namespace pegnn {

Moran moran(std::span<const Point> points, Space space, std::span<const double> values,
            std::int64_t k, const MoranOptions& options, int threads) {
  const ThreadPool pool(threads);
  NearestIndex index;
  Neighbours scratch;
  Graph graph;
  knn_graph(points, space, k, pool, index, scratch, graph);
  return moran(values, {graph.offsets, graph.columns}, options, pool);
}

}  // namespace pegnn
