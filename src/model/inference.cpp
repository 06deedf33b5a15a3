#include "model/inference.h"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "geo/spatial_order.h"

namespace pegnn {
namespace {

// Rows that a thread gathers at a time.
constexpr std::int64_t kRowsPerBlock = 1024;

// A matrix in a buffer that grows when it has to.
Mat<float> room(const Backend<float>& backend, Buffer<float>& buffer, std::int64_t rows,
                std::int64_t cols) {
  backend.grow(buffer, rows * cols);
  return {buffer.data(), rows, cols};
}

// Copies a row to row `to` of a matrix as wide.
void put_row(Mat<const float> from, std::int64_t row, Span<float> out, std::int64_t to) {
  std::copy_n(from.row(row), from.cols, out.data() + to * from.cols);
}

}  // namespace

void label_inputs(const AttachedGraph& attached, Span<const float> labels, Mat<float> out) {
  const auto copies = std::ssize(attached.train_rows);
  for (std::int64_t i = 0; i < out.rows; ++i) {
    const bool query = i >= copies;
    const std::int32_t row = query ? 0 : attached.train_rows[i];
    out(i, 0) = query ? 0.0F : labels[row];
    out(i, 1) = query ? 1.0F : 0.0F;
  }
}

Inference::Inference(const Options& options, Space space, const TrainingPoints& training,
                     const Backend<float>& backend)
    : options_(options),
      space_(space),
      training_(training),
      backend_(backend),
      network_(options, training.features.cols),
      pool_of_members_(network_.head().columns()) {
  if (far_members(options) > 0) far_network_.emplace(far_options(options), training.features.cols);
}

const LocalAttacher& Inference::local() {
  if (!local_) local_.emplace(training_.points, space_, options_.k, pool_);
  return *local_;
}

const std::shared_ptr<const LabelField>& Inference::field() {
  if (!field_) {
    field_ = std::make_shared<const LabelField>(training_, space_, options_.k,
                                                options_.part.word("smoother") != "none", backend_);
  }
  return field_;
}

void Inference::prepare(Span<const Point> queries, Mat<const float> features,
                        const LabelNeighbourhoods& around, Prepared& out) {
  all_ranks_.resize(around.found.k);
  std::iota(all_ranks_.begin(), all_ranks_.end(), 0);
  in_order_.resize(queries.size());
  std::iota(in_order_.begin(), in_order_.end(), 0);
  field()->link(queries, around, in_order_, all_ranks_, backend_, out.around);
  fill_labelled(queries, features, out);
}

void Inference::attach(Span<const Point> queries, AttachedGraph& out) {
  if (!attacher_) {
    attacher_.emplace(training_.points, space_, options_.k, edge_weight_of(options_.edge_weight),
                      network_.hops(), pool_);
  }
  out.node_of.swap(node_of_);
  attacher_->attach(queries, pool_, out);
  out.node_of.swap(node_of_);
}

void Inference::link_among_themselves(Span<const Point> queries, AttachedGraph& out) {
  NearestIndex index;
  Neighbours scratch;
  out.train_rows.clear();
  out.queries = std::ssize(queries);
  out.out_of_reach = 0;
  out.degree_only = 0;
  knn_graph(queries, space_, options_.k, pool_, index, scratch, out.graph);
  const EdgeWeight rule = edge_weight_of(options_.edge_weight);
  weigh_edges(rule, length_scale(rule, out.graph.lengths), out.graph);
}

void Inference::prepare(Span<const Point> queries, Mat<const float> features, Prepared& out) {
  if (attends_to_labels()) {
    field()->find_neighbours(field_->all(), queries, features, {}, pool_, around_);
    return prepare(queries, features, around_, out);
  }
  if (network_.local()) {
    local().attach(queries, pool_, out.attached);
  } else if (test_only()) {
    link_among_themselves(queries, out.attached);
  } else {
    attach(queries, out.attached);
  }
  fill(queries, features, out);
}

template <class F>
void Inference::for_passes(Span<const Point> queries, Mat<const float> features, F&& f) {
  const std::int64_t most = chunk(queries.size());
  if (queries.size() <= most) {
    prepare(queries, features, pass_);
    f(Span<const std::int32_t>());
    return;
  }
  const SpatialOrder order(queries, space_, pool_);
  const auto rows = std::ssize(queries), width = features.cols;
  for (std::int64_t first = 0; first < rows; first += most) {
    const std::int64_t count = std::min(most, rows - first);
    pass_rows_.resize(count);
    pass_points_.resize(count);
    pass_features_.resize(count * width);
    pool_.for_blocks(count, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int32_t row = order.row_at(static_cast<std::int32_t>(first + i));
        pass_rows_[i] = row;
        pass_points_[i] = queries[row];
        if (width > 0) std::copy_n(features.row(row), width, pass_features_.data() + i * width);
      }
    });
    prepare(pass_points_, {pass_features_.data(), count, width}, pass_);
    f(Span<const std::int32_t>(pass_rows_));
  }
}

std::int64_t Inference::predict(Span<const Point> queries, Mat<const float> features,
                                const MemberWeights& weights, Mat<float> out) {
  std::int64_t out_of_reach = 0;
  for_passes(queries, features, [&](Span<const std::int32_t> rows) {
    if (rows.empty()) {
      run(pass_, weights, out);
    } else {
      pass_out_.resize(rows.size() * out.cols);
      const Mat<float> answers(pass_out_.data(), rows.size(), out.cols);
      run(pass_, weights, answers);
      for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
        std::copy_n(answers.row(i), out.cols, out.row(rows[i]));
      }
    }
    out_of_reach += pass_.attached.out_of_reach;
  });
  return out_of_reach;
}

void Inference::trace(Span<const Point> queries, Mat<const float> features,
                      Span<const float> parameters, std::int64_t first, const MemberTraces& out) {
  for_passes(queries, features, [&](Span<const std::int32_t> rows) {
    const NetworkInput<float> input = input_of(pass_);
    require_room(input);
    for_members(network_, input, parameters,
                [&](std::int64_t m, const Pass<float>& pass, Mat<const float> answers) {
                  const Span<const float> auxiliary = network_.run_auxiliary(pass, input);
                  const std::int64_t from = m * out.rows + first;
                  for (std::int64_t i = 0; i < answers.rows; ++i) {
                    const std::int64_t to = from + (rows.empty() ? i : rows[i]);
                    put_row(network_.encoded(input), i, out.encoder, to);
                    put_row(network_.embedding(input), i, out.embedding, to);
                    out.mean[to] = answers(i, 0);
                    if (!auxiliary.empty()) out.auxiliary[to] = auxiliary[i];
                  }
                });
  });
}

std::int64_t Inference::chunk(std::int64_t rows) const {
  // Enough for many threads. Four times as many take four times the memory, 0.6 GB where points are
  // scattered and neighbourhoods hardly overlap, and are no faster.
  constexpr std::int64_t kMostQueries = 4096, kMostLocalEdges = kMostQueries * 30;
  if (test_only()) return std::max<std::int64_t>(1, rows);
  std::int64_t most = kMostQueries;
  if (network_.local())
    most = std::clamp<std::int64_t>(kMostLocalEdges / (options_.k * (options_.k + 1)), 1, most);
  return most;
}

void Inference::prepare_own(Span<const std::int32_t> rows, Prepared& out) {
  const auto count = std::ssize(rows);
  const std::int64_t width = training_.features.cols;
  const Array<Point> points = gather(training_.points, rows);
  Array<float> features(count * width);
  for (std::int64_t i = 0; i < count; ++i) {
    std::copy_n(training_.features.row(rows[i]), width, features.data() + i * width);
  }
  if (attends_to_labels()) {
    const Mat<const float> own(features.data(), count, width);
    field()->find_neighbours(field_->all(), points, own, rows, pool_, around_);
    return prepare(points, own, around_, out);
  }
  if (network_.local()) {
    local().attach_own(rows, pool_, out.attached);
  } else {
    link_among_themselves(points, out.attached);
  }
  fill(points, {features.data(), count, width}, out);
}

// Inputs of all nodes but those that are there for degrees alone: the training points in reach,
// then the queries.
void Inference::fill(Span<const Point> queries, Mat<const float> features, Prepared& out) {
  out.queries = out.attached.queries;
  const std::int64_t inputs = out.inputs();
  const std::int64_t train = inputs - out.attached.queries;
  const std::int64_t width = training_.features.cols;
  const Encoder<float>& encoder = network_.encoder();
  const Mat<float> joined = room(backend_, out.features, inputs, width);
  const Mat<float> basis = room(backend_, out.basis, inputs, encoder.basis_width());
  places_.resize(inputs);
  pool_.for_blocks(inputs, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const bool is_train = i < train;
      const std::int64_t row = is_train ? out.attached.train_rows[i] : i - train;
      places_[i] = (is_train ? training_.points : queries)[row];
      if (width > 0)
        std::copy_n((is_train ? training_.features : features).row(row), width, joined.row(i));
    }
  });
  if (network_.local())
    label_inputs(out.attached, training_.labels, room(backend_, out.labels, inputs, kLabelInputs));
  static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");
  encoder.basis(backend_.kernels, pool_,
                {reinterpret_cast<const double*>(places_.data()), inputs, 2}, basis);
}

void Inference::fill_labelled(Span<const Point> queries, Mat<const float> features, Prepared& out) {
  out.queries = std::ssize(queries);
  const Encoder<float>& encoder = network_.encoder();
  const Mat<float> own = room(backend_, out.features, out.queries, features.cols);
  if (features.cols > 0) {
    pool_.for_blocks(out.queries, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        std::copy_n(features.row(i), features.cols, own.row(i));
      }
    });
  }
  if (encoder.basis_width() == 0) return;
  encoder.basis(backend_.kernels, pool_,
                {reinterpret_cast<const double*>(queries.data()), out.queries, 2},
                room(backend_, out.basis, out.queries, encoder.basis_width()));
}

NetworkInput<float> Inference::input_of(const Prepared& prepared) const {
  const std::int64_t features = training_.features.cols;
  const std::int64_t basis = network_.encoder().basis_width();
  if (attends_to_labels()) {
    return {.graph = prepared.around.graph,
            .features = {prepared.features.data(), prepared.queries, features},
            .basis = {prepared.basis.data(), prepared.queries, basis},
            .labels = prepared.around.label_inputs(),
            .labelled = {field_->sources(), prepared.around.edge_inputs()}};
  }
  const std::int64_t inputs = prepared.inputs();
  return {.graph = prepared.attached.graph,
          .features = {prepared.features.data(), inputs, features},
          .basis = {prepared.basis.data(), inputs, basis},
          .labels = {prepared.labels.data(), network_.local() ? inputs : 0, kLabelInputs},
          .labelled = {},
          .queries = prepared.attached.queries,
          .degree_only = prepared.attached.degree_only};
}

void Inference::require_room(const NetworkInput<float>& input) const {
  const Graph& graph = input.graph;
  const double bytes = network_.bytes_for(graph.nodes, graph.edges(), false);
  if (test_only() && bytes > static_cast<double>(network_.work_bytes())) {
    require_memory(
        bytes, fmt::format("<option:graph> test-only on {} rows", format_count(graph.nodes)),
        "<option:graph> train takes as much as a few thousand rows need, whatever their number");
  }
}

Mat<const float> Inference::outputs(const Prepared& prepared, Span<const float> parameters) {
  const NetworkInput<float> input = input_of(prepared);
  require_room(input);
  network_.reserve(backend_, input.graph.nodes, input.graph.edges(), false);
  return network_.forward({.kernels = backend_.kernels,
                           .schedule = schedule_,
                           .work = network_.work(),
                           .parameters = parameters.data()},
                          input);
}

void Inference::run(const Prepared& prepared, const MemberWeights& weights, Mat<float> out) {
  const NetworkInput<float> input = input_of(prepared);
  require_room(input);
  average(network_, input, weights.near, out);
  if (!attends_to_labels()) return;
  keep_share(training_.model.blend, input, out);
  if (!far_network_ || weights.far.empty()) return;
  NetworkInput<float> without_places = input;
  without_places.basis = {nullptr, input.basis.rows, 0};
  far_out_.resize(out.rows * out.cols);
  const Mat<float> far(far_out_.data(), out.rows, out.cols);
  average(*far_network_, without_places, weights.far, far);
  keep_share(training_.model.far_blend, input, far);
  for (std::int64_t i = 0; i < out.rows; ++i) {
    for (std::int64_t c = 0; c < out.cols; ++c) {
      out(i, c) += prepared.around.gaps[i] * (far(i, c) - out(i, c));
    }
  }
}

template <class F>
void Inference::for_members(Network<float>& network, const NetworkInput<float>& input,
                            Span<const float> parameters, F&& f) {
  network.reserve(backend_, input.graph.nodes, input.graph.edges(), false);
  const std::int64_t size = network.layout().size();
  const std::int64_t width = std::ssize(columns());
  answers_.resize(input.outputs() * width);
  const Mat<float> answers(answers_.data(), input.outputs(), width);
  for (std::int64_t m = 0; m < parameters.size() / size; ++m) {
    const Pass<float> pass{.kernels = backend_.kernels,
                           .schedule = schedule_,
                           .work = network.work(),
                           .parameters = parameters.data() + m * size};
    network.head().answer(network.forward(pass, input), answers);
    f(m, pass, answers);
  }
}

void Inference::average(Network<float>& network, const NetworkInput<float>& input,
                        Span<const float> parameters, Mat<float> out) {
  pool_of_members_.begin(parameters.size() / network.layout().size(), out);
  for_members(network, input, parameters,
              [&](std::int64_t, const Pass<float>&, Mat<const float> answers) {
                pool_of_members_.add(answers, out);
              });
  pool_of_members_.finish(out);
}

// Keeps a share of the corrections of the smoother. Quantiles go with the mean.
void Inference::keep_share(double share, const NetworkInput<float>& input, Mat<float> out) const {
  if (share == 1) return;
  const auto kept = static_cast<float>(share);
  for (std::int64_t i = 0; i < out.rows; ++i) {
    const float smooth = input.labels(i, 0), before = out(i, 0);
    out(i, 0) = smooth + kept * (before - smooth);
    for (std::int64_t c = 1; c < out.cols; ++c) {
      if (columns()[as_size(c)].kind == OutputKind::quantile) out(i, c) += out(i, 0) - before;
    }
  }
}

}  // namespace pegnn
