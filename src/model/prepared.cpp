#include "model/prepared.h"

#include <algorithm>

#include "base/assert.h"

namespace pegnn {
namespace {

// Rows that a thread gathers at a time: each has some hundred numbers for its edges.
constexpr std::int64_t kRowsPerBlock = 256;

// Copies `count` rows of a width that may be 0.
void copy_rows(std::int64_t width, std::int64_t count, const Buffer<float>& from, std::int64_t row,
               Buffer<float>& out, std::int64_t to) {
  if (width > 0) std::copy_n(from.data() + row * width, count * width, out.data() + to * width);
}

}  // namespace

void gather_rows(const Prepared& whole, Span<const std::int32_t> rows,
                 const Backend<float>& backend, Prepared& out) {
  const NeighbourhoodView& all = whole.view;
  const std::int64_t count = rows.size(), nodes = all.queries;
  PEGNN_ASSERT(all.graph.nodes == nodes, "nodes that are no queries may be listened to by any");
  NeighbourhoodView& view = out.view;
  Graph& g = view.graph;
  g.nodes = count;
  g.offsets.resize(count + 1);
  g.offsets[0] = 0;
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t i = rows[r];
    g.offsets[r + 1] = g.offsets[r] + all.graph.offsets[i + 1] - all.graph.offsets[i];
  }
  const std::int64_t edges = g.offsets[count];
  g.columns.resize(edges);
  view.queries = count;
  view.node_width = all.node_width;
  view.edge_width = all.edge_width;
  view.sources = all.sources;
  backend.grow(view.node_numbers, count * all.node_width);
  backend.grow(view.edge_numbers, edges * all.edge_width);
  view.tapered = all.tapered;
  const std::int64_t tapers = all.tapered ? 1 : 0;
  backend.grow(view.log_weights, edges * tapers);
  gather(all.smooth, all.smooth.empty() ? Span<const std::int32_t>() : rows, view.smooth);
  gather(all.gaps, all.gaps.empty() ? Span<const std::int32_t>() : rows, view.gaps);
  out.feature_width = whole.feature_width;
  out.basis_width = whole.basis_width;
  backend.grow(out.features, count * whole.feature_width);
  backend.grow(out.basis, count * whole.basis_width);
  backend.pool.for_blocks(count, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t i = rows[r], to = g.offsets[r], own = g.offsets[r + 1] - to;
      const std::int64_t from = all.graph.offsets[i];
      std::copy_n(all.graph.columns.data() + from, own, g.columns.data() + to);
      copy_rows(all.edge_width, own, all.edge_numbers, from, view.edge_numbers, to);
      copy_rows(tapers, own, all.log_weights, from, view.log_weights, to);
      copy_rows(all.node_width, 1, all.node_numbers, i, view.node_numbers, r);
      copy_rows(whole.feature_width, 1, whole.features, i, out.features, r);
      copy_rows(whole.basis_width, 1, whole.basis, i, out.basis, r);
    }
  });
}

}  // namespace pegnn
