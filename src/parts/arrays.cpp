// Transform, graph and local Moran's I: the parts that have no parameters.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "encoder/scales.h"
#include "graph/graph.h"
#include "parts/check_graph.h"
#include "pegnn/error.h"
#include "pegnn/parts.h"
#include "stats/moran.h"
#include "table/given_points.h"

namespace pegnn {
namespace {

// The rule of that name; Error{usage} with the names there are.
EdgeWeight rule_of(const std::string& edge_weight) {
  Options options;
  set_option(options, "edge-weight", edge_weight, "edge_weight");
  return edge_weight_of(options.edge_weight);
}

}  // namespace

std::vector<double> sinusoidal_transform(std::span<const Point> points, std::int64_t scales,
                                         double sigma_min, double sigma_max, int threads) {
  if (scales < 1 || scales > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorKind::usage, fmt::format("{} scales: at least 1 is needed", scales));
  }
  for (const double sigma : {sigma_min, sigma_max}) {
    if (sigma > 0 && std::isfinite(sigma)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("sigma_min {} and sigma_max {}: both must be positive",
                            format_number(sigma_min), format_number(sigma_max)));
  }
  const Array<Point> places = checked_points(points, false);
  if (places.empty()) return {};
  double farthest = 0;
  for (const Point& p : places) farthest = std::max({farthest, std::abs(p.x), std::abs(p.y)});
  if (!std::isfinite(farthest / std::min(sigma_min, sigma_max)) ||
      !std::isfinite(sigma_max / sigma_min)) {
    throw Error(ErrorKind::usage,
                fmt::format("sigma_min {} and sigma_max {}: coordinates divided by them are no "
                            "longer finite",
                            format_number(sigma_min), format_number(sigma_max)));
  }
  const auto rows = std::ssize(places);
  require_memory(8.0 * 4.0 * static_cast<double>(rows) * static_cast<double>(scales),
                 fmt::format("the transform of {} points at {} scales", format_count(rows), scales),
                 "fewer points at a time need less");
  Array<double> out(rows * 4 * scales);
  static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");
  reference::kernels<double>().sinusoidal(
      ThreadPool(threads), {reinterpret_cast<const double*>(places.data()), rows, 2},
      geometric_scales(scales, sigma_min, sigma_max), {out.data(), rows, 4 * scales});
  return out;
}

NeighbourGraph neighbour_graph(std::span<const Point> points, Space space, std::int64_t k,
                               const std::string& edge_weight, int threads) {
  if (k < 1 || k > kMostNeighbours) {
    throw Error(ErrorKind::usage, fmt::format("k {}: from 1 to {} neighbours", k, kMostNeighbours));
  }
  const EdgeWeight rule = rule_of(edge_weight);
  const Array<Point> places = checked_points(points, space != Space::plane);
  if (places.empty()) return {.offsets = {0}, .columns = {}, .lengths = {}, .weights = {}};
  NearestIndex index;
  Neighbours scratch;
  Graph graph;
  knn_graph(places, space, k, ThreadPool(threads), index, scratch, graph);
  weigh_edges(rule, length_scale(rule, graph.lengths), graph);
  return {.offsets = std::move(graph.offsets),
          .columns = std::move(graph.columns),
          .lengths = std::move(graph.lengths),
          .weights = std::move(graph.weights)};
}

std::vector<double> local_moran(std::span<const double> values, const NeighbourGraph& graph,
                                int threads) {
  check_graph(graph);
  if (std::ssize(values) != graph.nodes()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} values for a graph of {} nodes", values.size(), graph.nodes()));
  }
  check_finite(values, "value");
  constexpr double kMost = 1e150;  // squares beyond leave the range of a double
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) <= kMost) continue;
    throw Error(ErrorKind::usage, fmt::format("value {} (from 0) is {}: too large, {} at most", i,
                                              format_number(values[i]), format_number(kMost)));
  }
  Array<double> out(values.size());
  if (!out.empty()) {
    local_moran(values, {graph.offsets, graph.columns}, graph.weights, ThreadPool(threads), out);
  }
  return out;
}

}  // namespace pegnn
