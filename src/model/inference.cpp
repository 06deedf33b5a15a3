#include "model/inference.h"

#include <algorithm>

#include "base/held_signals.h"

namespace pegnn {

Inference::Inference(const Options& options, Space space, std::span<const Point> points,
                     Mat<const float> features, const ThreadPool& pool)
    : options_(options),
      space_(space),
      points_(points),
      features_(features),
      pool_(pool),
      network_(options, features.cols),
      attacher_(points, space, options.k, edge_weight_of(options.edge_weight),
                test_only() ? 0 : network_.hops(), pool) {}

void Inference::link_among_themselves(std::span<const Point> queries, AttachedGraph& out) {
  NearestIndex index;
  Neighbours scratch;
  out.train_rows.clear();
  out.queries = static_cast<std::int64_t>(queries.size());
  out.out_of_reach = 0;
  knn_graph(queries, space_, options_.k, pool_, index, scratch, out.graph);
  const EdgeWeight rule = edge_weight_of(options_.edge_weight);
  weigh_edges(rule, length_scale(rule, out.graph.lengths), out.graph);
}

void Inference::prepare(std::span<const Point> queries, Mat<const float> features, Prepared& out) {
  AttachedGraph& attached = out.attached;
  if (test_only() && network_.hops() > 0) {
    link_among_themselves(queries, attached);
  } else {
    attacher_.attach(queries, pool_, attached);
  }
  const std::int64_t nodes = attached.graph.nodes;
  const auto train = static_cast<std::int64_t>(attached.train_rows.size());
  const std::int64_t width = features_.cols;
  std::vector<double> coordinates(static_cast<std::size_t>(2 * nodes));
  out.features.resize(nodes * width);
  for (std::int64_t i = 0; i < nodes; ++i) {
    const bool is_train = i < train;
    const std::int64_t row =
        is_train ? attached.train_rows[static_cast<std::size_t>(i)] : i - train;
    const Point p = (is_train ? points_ : queries)[static_cast<std::size_t>(row)];
    coordinates[static_cast<std::size_t>(2 * i)] = p.x;
    coordinates[static_cast<std::size_t>(2 * i + 1)] = p.y;
    if (width > 0) {
      std::copy_n((is_train ? features_ : features).row(row), width,
                  out.features.data() + i * width);
    }
  }
  const Encoder<float>& encoder = network_.encoder();
  out.basis.resize(nodes * encoder.basis_width());
  encoder.basis(best_kernels<float>(), pool_, {coordinates.data(), nodes, 2},
                {out.basis.data(), nodes, encoder.basis_width()});
}

void Inference::run(const Prepared& prepared, std::span<const float> parameters,
                    std::span<float> out) {
  const HeldSignals held;  // once for all products
  const Graph& graph = prepared.attached.graph;
  network_.reserve(graph.nodes, graph.edges(), false);
  const Pass<float> pass{.kernels = best_kernels<float>(),
                         .pool = pool_,
                         .work = network_.work(),
                         .parameters = parameters.data()};
  const std::int64_t basis_width = network_.encoder().basis_width();
  const std::span<const float> all =
      network_.forward(pass, {graph,
                              {prepared.features.data(), graph.nodes, features_.cols},
                              {prepared.basis.data(), graph.nodes, basis_width}});
  const std::span<const float> queries =
      all.last(static_cast<std::size_t>(prepared.attached.queries));
  std::copy(queries.begin(), queries.end(), out.begin());
}

}  // namespace pegnn
