#include "graph/attach.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/array.h"

namespace pegnn {

Attacher::Attacher(Span<const Point> points, Space space, std::int64_t k, EdgeWeight rule,
                   std::int64_t hops, const ThreadPool& pool, double reach)
    : k_(k), hops_(hops), rule_(rule), reach_(reach) {
  if (hops_ == 0) return;
  index_.build(points, space, pool);
  index_.search(points, k, true, pool, own_);
  if (std::isinf(reach_)) {
    scale_ = length_scale(rule_, own_.distances);
    return;
  }
  Array<double> lengths;  // of the edges that there are
  std::ranges::copy_if(own_.distances, std::back_inserter(lengths),
                       [&](double d) { return d <= reach_; });
  scale_ = length_scale(rule_, lengths);
}

void Attacher::attach(Span<const Point> queries, const ThreadPool& pool, AttachScratch& scratch,
                      AttachedGraph& out) const {
  const auto count = std::ssize(queries);
  out.queries = count;
  out.out_of_reach = 0;
  out.degree_only = 0;
  out.train_rows.clear();
  Graph& g = out.graph;
  g.offsets.assign(1, 0);
  g.columns.clear();
  g.lengths.clear();
  g.weights.clear();
  if (hops_ == 0) {
    g.nodes = count;
    g.offsets.assign(queries.size() + 1, 0);
    return;
  }
  Neighbours& found = scratch.found;
  index_.search(queries, k_, false, pool, found);

  // Everything within `hops` edges carries messages. One hop more is needed because a layer may
  // weigh an edge by the degree of its sender, which the sender's own edges make up; those of the
  // outermost points are left out, as their values are not used.
  constexpr std::int32_t kAbsent = -1;
  Array<std::int32_t>& node_of = scratch.node_of;
  if (node_of.size() != index_.size()) {
    node_of.assign(index_.size(), kAbsent);
  }
  const std::int64_t own_edges = own_.k;
  const auto reach = [&](std::int32_t row) {
    auto& node = node_of[row];
    if (node != kAbsent) return;
    node = static_cast<std::int32_t>(out.train_rows.size());
    out.train_rows.push_back(row);
  };
  for (std::int64_t e = 0; e < found.rows.size(); ++e) {
    if (found.distances[e] <= reach_) reach(found.rows[e]);
  }
  std::int64_t with_edges = 0;
  for (std::int64_t hop = 1; hop <= hops_; ++hop) {
    const std::int64_t end = out.train_rows.size();
    for (; with_edges < end; ++with_edges) {
      const std::int64_t row = out.train_rows[with_edges];
      for (std::int64_t e = row * own_edges; e < (row + 1) * own_edges; ++e) {
        if (own_.distances[e] <= reach_) reach(own_.rows[e]);
      }
    }
  }

  const std::int64_t nodes = out.train_rows.size();
  out.degree_only = nodes - with_edges;
  g.nodes = nodes + count;
  g.offsets.reserve(nodes + queries.size() + 1);
  for (std::int64_t node = 0; node < nodes; ++node) {
    if (node < with_edges) {
      const std::int64_t row = out.train_rows[node];
      for (std::int64_t e = row * own_edges; e < (row + 1) * own_edges; ++e) {
        if (own_.distances[e] > reach_) continue;
        g.columns.push_back(node_of[own_.rows[e]]);
        g.lengths.push_back(own_.distances[e]);
        g.weights.push_back(edge_weight(rule_, scale_, own_.distances[e]));
      }
    }
    g.offsets.push_back(std::ssize(g.columns));
  }
  for (std::int64_t q = 0; q < std::ssize(queries); ++q) {
    bool reached = false;
    for (std::int64_t j = 0; j < found.k; ++j) {
      const std::int64_t e = q * found.k + j;
      if (found.distances[e] > reach_) continue;
      g.columns.push_back(node_of[found.rows[e]]);
      g.lengths.push_back(found.distances[e]);
      g.weights.push_back(edge_weight(rule_, scale_, found.distances[e]));
      reached = reached || g.weights.back() > 0;
    }
    if (!reached) ++out.out_of_reach;
    g.offsets.push_back(std::ssize(g.columns));
  }
  for (const std::int32_t row : out.train_rows) node_of[row] = kAbsent;
}

}  // namespace pegnn
