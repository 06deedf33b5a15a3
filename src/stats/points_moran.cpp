// Moran's I for points: the public form, on a graph of its own.

#include <fmt/core.h>

#include "base/array.h"
#include "graph/graph.h"
#include "pegnn/error.h"
#include "stats/moran.h"
#include "table/given_points.h"

namespace pegnn {

Moran moran(std::span<const Point> points, Space space, std::span<const double> values,
            std::int64_t k, const MoranOptions& options, int threads) {
  if (points.size() != values.size() || k < 1 || options.permutations < 0) {
    throw Error(ErrorKind::usage,
                fmt::format("Moran's I of {} values at {} points, {} neighbours, {} permutations: "
                            "as many values as points, one neighbour at least and no negative "
                            "number are needed",
                            values.size(), points.size(), k, options.permutations));
  }
  const Array<Point> places = checked_points(points, space != Space::plane);
  check_finite(values, "value");
  const ThreadPool pool(threads);
  NearestIndex index;
  Neighbours scratch;
  Graph graph;
  knn_graph(places, space, k, pool, index, scratch, graph);
  return moran(values, {graph.offsets, graph.columns}, options, pool);
}

}  // namespace pegnn
