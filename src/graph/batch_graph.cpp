#include "graph/batch_graph.h"

#include <algorithm>

namespace pegnn {

void BatchGraph::arrange(Span<const std::int32_t> rows, Scratch& scratch,
                         Array<std::int32_t>& out) const {
  order_.ranks_of(rows, scratch.sorting, scratch.ranks);
  out.resize(scratch.ranks.size());
  std::ranges::transform(scratch.ranks, out.begin(),
                         [&](std::int32_t rank) { return order_.row_at(rank); });
}

void BatchGraph::link(const ThreadPool& pool, Scratch& scratch, Graph& out) const {
  knn_graph(order_, scratch.ranks, k_, pool, scratch.index, scratch.found, out);
  weigh_edges(rule_, length_scale(rule_, out.lengths), out);
}

}  // namespace pegnn
