#include "model/inference.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/memory.h"
#include "base/text.h"
#include "geo/spatial_order.h"

namespace pegnn {
namespace {

// Rows that a thread gathers at a time.
constexpr std::int64_t kRowsPerBlock = 1024;

// A matrix in a buffer that grows when it has to.
Mat<float> room(AlignedBuffer<float>& buffer, std::int64_t rows, std::int64_t cols) {
  if (buffer.size() < rows * cols) buffer.resize(rows * cols);
  return {buffer.data(), rows, cols};
}

}  // namespace

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
      network_(options, training.features.cols) {}

const LocalAttacher& Inference::local() {
  if (!local_) local_.emplace(training_.points, space_, options_.k, pool_);
  return *local_;
}

void Inference::attach(std::span<const Point> queries, AttachedGraph& out) {
  if (!attacher_) {
    attacher_.emplace(training_.points, space_, options_.k, edge_weight_of(options_.edge_weight),
                      network_.hops(), pool_);
  }
  out.node_of.swap(node_of_);
  attacher_->attach(queries, pool_, out);
  out.node_of.swap(node_of_);
}

void Inference::link_among_themselves(std::span<const Point> queries, AttachedGraph& out) {
  NearestIndex index;
  Neighbours scratch;
  out.train_rows.clear();
  out.queries = static_cast<std::int64_t>(queries.size());
  out.out_of_reach = 0;
  out.idle = 0;
  knn_graph(queries, space_, options_.k, pool_, index, scratch, out.graph);
  const EdgeWeight rule = edge_weight_of(options_.edge_weight);
  weigh_edges(rule, length_scale(rule, out.graph.lengths), out.graph);
}

void Inference::prepare(std::span<const Point> queries, Mat<const float> features, Prepared& out) {
  if (network_.local()) {
    local().attach(queries, pool_, out.attached);
  } else if (test_only()) {
    link_among_themselves(queries, out.attached);
  } else {
    attach(queries, out.attached);
  }
  fill(queries, features, out);
}

std::int64_t Inference::predict(std::span<const Point> queries, Mat<const float> features,
                                std::span<const float> parameters, std::span<float> out) {
  const std::size_t most = chunk(queries.size());
  if (queries.size() <= most) {
    prepare(queries, features, pass_);
    run(pass_, parameters, out);
    return pass_.attached.out_of_reach;
  }
  const SpatialOrder order(queries, space_, pool_);
  const auto rows = static_cast<std::int64_t>(queries.size()), width = features.cols;
  std::int64_t out_of_reach = 0;
  for (std::int64_t first = 0; first < rows; first += static_cast<std::int64_t>(most)) {
    const std::int64_t count = std::min(static_cast<std::int64_t>(most), rows - first);
    pass_points_.resize(static_cast<std::size_t>(count));
    pass_features_.resize(static_cast<std::size_t>(count * width));
    pass_out_.resize(static_cast<std::size_t>(count));
    const auto row_of = [&](std::int64_t i) {
      return order.row_at(static_cast<std::int32_t>(first + i));
    };
    pool_.for_blocks(count, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        pass_points_[static_cast<std::size_t>(i)] = queries[static_cast<std::size_t>(row_of(i))];
        if (width > 0)
          std::copy_n(features.row(row_of(i)), width, pass_features_.data() + i * width);
      }
    });
    prepare(pass_points_, {pass_features_.data(), count, width}, pass_);
    run(pass_, parameters, pass_out_);
    out_of_reach += pass_.attached.out_of_reach;
    for (std::int64_t i = 0; i < count; ++i) {
      out[static_cast<std::size_t>(row_of(i))] = pass_out_[static_cast<std::size_t>(i)];
    }
  }
  return out_of_reach;
}

std::size_t Inference::chunk(std::size_t rows) const {
  // Enough for many threads. Four times as many take four times the memory, 0.6 GB where points are
  // scattered and neighbourhoods hardly overlap, and are no faster.
  constexpr std::int64_t kMostQueries = 4096, kMostLocalEdges = kMostQueries * 30;
  if (test_only()) return std::max<std::size_t>(1, rows);
  std::int64_t most = kMostQueries;
  if (network_.local())
    most = std::clamp<std::int64_t>(kMostLocalEdges / (options_.k * (options_.k + 1)), 1, most);
  return static_cast<std::size_t>(most);
}

void Inference::prepare_own(std::span<const std::int32_t> rows, Prepared& out) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const std::int64_t width = training_.features.cols;
  std::vector<Point> points;
  points.reserve(rows.size());
  std::vector<float> features(static_cast<std::size_t>(count * width));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t row = rows[static_cast<std::size_t>(i)];
    points.push_back(training_.points[static_cast<std::size_t>(row)]);
    std::copy_n(training_.features.row(row), width, features.data() + i * width);
  }
  if (network_.local()) {
    local().attach_own(rows, pool_, out.attached);
  } else {
    link_among_themselves(points, out.attached);
  }
  fill(points, {features.data(), count, width}, out);
}

// Inputs of all nodes that are not idle: the training points in reach, then the queries.
void Inference::fill(std::span<const Point> queries, Mat<const float> features, Prepared& out) {
  const std::int64_t inputs = out.inputs();
  const std::int64_t train = inputs - out.attached.queries;
  const std::int64_t width = training_.features.cols;
  const Encoder<float>& encoder = network_.encoder();
  const Mat<float> joined = room(out.features, inputs, width);
  const Mat<float> basis = room(out.basis, inputs, encoder.basis_width());
  places_.resize(static_cast<std::size_t>(inputs));
  pool_.for_blocks(inputs, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const bool is_train = i < train;
      const std::int64_t row =
          is_train ? out.attached.train_rows[static_cast<std::size_t>(i)] : i - train;
      places_[static_cast<std::size_t>(i)] =
          (is_train ? training_.points : queries)[static_cast<std::size_t>(row)];
      if (width > 0)
        std::copy_n((is_train ? training_.features : features).row(row), width, joined.row(i));
    }
  });
  if (network_.local())
    label_inputs(out.attached, training_.labels, room(out.labels, inputs, kLabelInputs));
  static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");
  encoder.basis(best_kernels<float>(), pool_,
                {reinterpret_cast<const double*>(places_.data()), inputs, 2}, basis);
}

void Inference::run(const Prepared& prepared, std::span<const float> parameters,
                    std::span<float> out) {
  const Graph& graph = prepared.attached.graph;
  const double bytes = network_.bytes_for(graph.nodes, graph.edges(), false);
  if (test_only() && bytes > static_cast<double>(network_.work_bytes())) {
    require_memory(
        bytes, fmt::format("--graph test-only on {} rows", format_count(graph.nodes)),
        "--graph train takes as much as a few thousand rows need, whatever their number");
  }
  network_.reserve(graph.nodes, graph.edges(), false);
  const Pass<float> pass{.kernels = best_kernels<float>(),
                         .schedule = schedule_,
                         .work = network_.work(),
                         .parameters = parameters.data()};
  const std::int64_t inputs = prepared.inputs();
  const std::span<const float> queries = network_.forward(
      pass, {.graph = graph,
             .features = {prepared.features.data(), inputs, training_.features.cols},
             .basis = {prepared.basis.data(), inputs, network_.encoder().basis_width()},
             .labels = {prepared.labels.data(), network_.local() ? inputs : 0, kLabelInputs},
             .asked = prepared.attached.queries,
             .idle = prepared.attached.idle});
  std::copy(queries.begin(), queries.end(), out.begin());
}

}  // namespace pegnn
