#include "model/inference.h"

#include <algorithm>

#include "base/held_signals.h"

namespace pegnn {

void label_inputs(const AttachedGraph& attached, std::span<const float> labels, Mat<float> out) {
  const auto copies = static_cast<std::int64_t>(attached.train_rows.size());
  for (std::int64_t i = 0; i < out.rows; ++i) {
    const bool asked = i >= copies;
    const std::int32_t row = asked ? 0 : attached.train_rows[static_cast<std::size_t>(i)];
    out(i, 0) = asked ? 0.0F : labels[static_cast<std::size_t>(row)];
    out(i, 1) = asked ? 1.0F : 0.0F;
  }
}

Inference::Inference(const Options& options, Space space, const TrainingPoints& training,
                     const ThreadPool& pool)
    : options_(options),
      space_(space),
      training_(training),
      pool_(pool),
      network_(options, training.features.cols) {
  if (network_.local()) {
    local_.emplace(training.points, space, options.k, pool);
  } else if (!test_only() || network_.hops() == 0) {
    attacher_.emplace(training.points, space, options.k, edge_weight_of(options.edge_weight),
                      network_.hops(), pool);
  }
}

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
  if (local_) {
    local_->attach(queries, pool_, out.attached);
  } else if (attacher_) {
    attacher_->attach(queries, pool_, out.attached);
  } else {
    link_among_themselves(queries, out.attached);
  }
  fill(queries, features, out);
}

std::size_t Inference::chunk(std::size_t rows) const {
  // Larger chunks share more of the training points' work, smaller ones take less memory. 16 K
  // points scattered over half a million training points, where neighbourhoods hardly overlap, take
  // 0.67 GB in all; points close together far less.
  constexpr std::int64_t kMostQueries = 16384, kMostLocalEdges = kMostQueries * 30;
  if (test_only()) return std::max<std::size_t>(1, rows);
  std::int64_t most = kMostQueries;
  if (local_)
    most = std::clamp<std::int64_t>(kMostLocalEdges / (options_.k * (options_.k + 1)), 1, most);
  return static_cast<std::size_t>(most);
}

void Inference::prepare_own(std::span<const std::int32_t> rows, Prepared& out) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const std::int64_t width = training_.features.cols;
  std::vector<Point> points;
  std::vector<float> features(static_cast<std::size_t>(count * width));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t row = rows[static_cast<std::size_t>(i)];
    points.push_back(training_.points[static_cast<std::size_t>(row)]);
    std::copy_n(training_.features.row(row), width, features.data() + i * width);
  }
  if (local_) {
    local_->attach_own(rows, pool_, out.attached);
  } else {
    link_among_themselves(points, out.attached);
  }
  fill(points, {features.data(), count, width}, out);
}

// Inputs of all nodes: the training points in reach, then the queries.
void Inference::fill(std::span<const Point> queries, Mat<const float> features, Prepared& out) {
  const std::int64_t nodes = out.attached.graph.nodes;
  const auto train = static_cast<std::int64_t>(out.attached.train_rows.size());
  const std::int64_t width = training_.features.cols;
  std::vector<double> coordinates(static_cast<std::size_t>(2 * nodes));
  out.features.resize(nodes * width);
  out.labels.resize(local_ ? nodes * kLabelInputs : 0);
  for (std::int64_t i = 0; i < nodes; ++i) {
    const bool is_train = i < train;
    const std::int64_t row =
        is_train ? out.attached.train_rows[static_cast<std::size_t>(i)] : i - train;
    const auto at = static_cast<std::size_t>(row);
    const Point p = is_train ? training_.points[at] : queries[at];
    coordinates[static_cast<std::size_t>(2 * i)] = p.x;
    coordinates[static_cast<std::size_t>(2 * i + 1)] = p.y;
    if (width > 0) {
      std::copy_n((is_train ? training_.features : features).row(row), width,
                  out.features.data() + i * width);
    }
  }
  if (local_)
    label_inputs(out.attached, training_.labels, {out.labels.data(), nodes, kLabelInputs});
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
  const std::span<const float> queries = network_.forward(
      pass, {.graph = graph,
             .features = {prepared.features.data(), graph.nodes, training_.features.cols},
             .basis = {prepared.basis.data(), graph.nodes, basis_width},
             .labels = {prepared.labels.data(), local_ ? graph.nodes : 0, kLabelInputs},
             .asked = prepared.attached.queries});
  std::copy(queries.begin(), queries.end(), out.begin());
}

}  // namespace pegnn
