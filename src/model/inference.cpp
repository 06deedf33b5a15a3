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
Mat<float> room(const Backend<float>& backend, Buffer<float>& buffer, std::int64_t rows,
                std::int64_t cols) {
  backend.grow(buffer, rows * cols);
  return {buffer.data(), rows, cols};
}

// Copies a row to row `to` of a matrix as wide.
void put_row(Mat<const float> from, std::int64_t row, Span<float> out, std::int64_t to) {
  std::copy_n(from.row(row), from.cols, out.data() + to * from.cols);
}
void put_row(Mat<const float> from, std::int64_t row, Mat<float> out, std::int64_t to) {
  std::copy_n(from.row(row), from.cols, out.row(to));
}

}  // namespace

Inference::Inference(const Options& options, Space space, const TrainingPoints& training,
                     std::shared_ptr<const Neighbourhood::Common> common)
    : options_(options),
      space_(space),
      training_(training),
      network_(options, training.features.cols),
      columns_(network_.head().columns()),
      neighbourhood_(make_neighbourhood({.options = options_,
                                         .space = space,
                                         .hops = network_.hops(),
                                         .training = training_,
                                         .common = std::move(common)})) {}

std::unique_ptr<Inference::Scratch> Inference::scratch(const Backend<float>& backend) const {
  return std::make_unique<Scratch>(*this, backend);
}

Inference::Scratch::Scratch(const Inference& of, const Backend<float>& on)
    : backend(on),
      schedule(on.queue()),
      network(of.options_, of.training_.features.cols),
      pool_of_members(of.columns_),
      neighbours(of.neighbourhood_->scratch()) {
  if (far_members(of.options_) > 0) {
    far.emplace(far_options(of.options_), of.training_.features.cols);
  }
}

std::unique_ptr<Inference::Scratch> Inference::Scratch::lend(const Inference& of) {
  {
    const std::scoped_lock lock(lending);
    if (!idle.empty()) {
      std::unique_ptr<Scratch> lent = std::move(idle.back());
      idle.pop_back();
      return lent;
    }
  }
  return of.scratch(backend);
}

void Inference::Scratch::give_back(std::unique_ptr<Scratch> lent) {
  const std::scoped_lock lock(lending);
  idle.push_back(std::move(lent));
}

void Inference::prepare(Span<const Point> queries, Mat<const float> features, Scratch& s,
                        Prepared& out) const {
  neighbourhood_->of_queries(queries, features, s.backend, *s.neighbours, out.view);
  fill(queries, features, s, out);
}

void Inference::prepare_own(Span<const std::int32_t> rows, Scratch& s, Prepared& out) const {
  neighbourhood_->of_own(rows, s.backend, *s.neighbours, out.view);
  gather(training_.points, rows, s.own_points);
  gather_features(training_, rows, s.own_features);
  fill(s.own_points, {s.own_features.data(), rows.size(), training_.features.cols}, s, out);
}

// Of all nodes but those that are there for degrees alone: the training points in reach, then the
// queries.
void Inference::fill(Span<const Point> queries, Mat<const float> features, Scratch& s,
                     Prepared& out) const {
  const std::int64_t inputs = out.view.inputs(), train = inputs - out.view.queries;
  const std::int64_t width = training_.features.cols;
  const Encoder<float>& encoder = network_.encoder();
  out.feature_width = width;
  out.basis_width = encoder.basis_width();
  const Mat<float> joined = room(s.backend, out.features, inputs, width);
  const Mat<float> basis = room(s.backend, out.basis, inputs, encoder.basis_width());
  s.places.resize(inputs);
  s.backend.pool.for_blocks(inputs, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const bool is_train = i < train;
      const std::int64_t row = is_train ? out.view.train_rows[i] : i - train;
      s.places[i] = (is_train ? training_.points : queries)[row];
      if (width > 0)
        std::copy_n((is_train ? training_.features : features).row(row), width, joined.row(i));
    }
  });
  if (basis.cols == 0) return;
  static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");
  encoder.basis(s.backend.kernels, s.backend.pool,
                {reinterpret_cast<const double*>(s.places.data()), inputs, 2}, basis);
}

NetworkInput<float> Inference::input_of(const Prepared& prepared) const {
  const NeighbourhoodView& view = prepared.view;
  const std::int64_t inputs = view.inputs();
  return {.graph = view.graph,
          .features = {prepared.features.data(), inputs, training_.features.cols},
          .basis = {prepared.basis.data(), inputs, network_.encoder().basis_width()},
          .columns = view.node_columns(),
          .labelled = {view.sources, view.edge_columns(), view.edge_log_weights()},
          .queries = view.queries,
          .degree_only = view.degree_only};
}

void Inference::require_room(const NetworkInput<float>& input, const Scratch& s) const {
  const Graph& graph = input.graph;
  const double bytes = network_.bytes_for(graph.nodes, graph.edges(), false);
  if (links_queries() && bytes > static_cast<double>(s.network.work_bytes())) {
    require_memory(
        bytes, fmt::format("<option:graph> test-only on {} rows", format_count(graph.nodes)),
        "<option:graph> train takes as much as a few thousand rows need, whatever their number");
  }
}

void Inference::prepare_some(Span<const Point> queries, Mat<const float> features,
                             Span<const std::int32_t> rows, Scratch& s) const {
  const std::int64_t count = rows.size(), width = features.cols;
  s.pass_points.resize(count);
  s.pass_features.resize(count * width);
  s.backend.pool.for_blocks(count, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      s.pass_points[i] = queries[rows[i]];
      if (width > 0) {
        std::copy_n(features.row(rows[i]), width, s.pass_features.data() + i * width);
      }
    }
  });
  prepare(s.pass_points, {s.pass_features.data(), count, width}, s, s.pass);
}

template <class F>
void Inference::for_passes(Span<const Point> queries, Mat<const float> features, Scratch& s,
                           F&& f) const {
  const std::int64_t most = chunk(queries.size());
  if (queries.size() <= most) {
    prepare(queries, features, s, s.pass);
    f(s.pass, Span<const std::int32_t>());
    return;
  }
  const Array<std::int32_t> order = rows_along_curve(queries, space_, s.backend.pool);
  for (std::int64_t first = 0; first < order.size(); first += most) {
    const auto rows = Span(order).subspan(first, std::min(most, order.size() - first));
    prepare_some(queries, features, rows, s);
    f(s.pass, rows);
  }
}

void Inference::run_pass(const Prepared& pass, Span<const std::int32_t> rows,
                         const MemberWeights& weights, Scratch& s, Mat<float> out) const {
  if (rows.empty()) return run(pass, weights, s, out);
  s.pass_out.resize(rows.size() * out.cols);
  const Mat<float> answers(s.pass_out.data(), rows.size(), out.cols);
  run(pass, weights, s, answers);
  for (std::int64_t i = 0; i < rows.size(); ++i) put_row(answers, i, out, rows[i]);
}

std::int64_t Inference::predict(Span<const Point> queries, Mat<const float> features,
                                const MemberWeights& weights, Scratch& s, Mat<float> out) const {
  // A few passes are better made by all threads together.
  const std::int64_t alone = neighbourhood_->queries_of_a_thread();
  if (alone > 0 && queries.size() >= 2 * alone * s.backend.pool.threads()) {
    predict_side_by_side(queries, features, alone, weights, s, out);
    return 0;  // who is asked like this listens to the nearest points, however far they are
  }
  std::int64_t out_of_reach = 0;
  for_passes(queries, features, s, [&](const Prepared& pass, Span<const std::int32_t> rows) {
    run_pass(pass, rows, weights, s, out);
    out_of_reach += pass.view.out_of_reach;
  });
  return out_of_reach;
}

void Inference::predict_side_by_side(Span<const Point> queries, Mat<const float> features,
                                     std::int64_t most, const MemberWeights& weights, Scratch& s,
                                     Mat<float> out) const {
  const ThreadPool& pool = s.backend.pool;
  neighbourhood_->make_ready(s.backend);
  const Array<std::int32_t> order = rows_along_curve(queries, space_, pool);
  // Inside a block the pool runs what it is given on the same thread.
  pool.for_blocks(order.size(), most, [&](std::int64_t begin, std::int64_t end) {
    std::unique_ptr<Scratch> own = s.lend(*this);
    const auto rows = Span(order).subspan(begin, end - begin);
    prepare_some(queries, features, rows, *own);
    run_pass(own->pass, rows, weights, *own, out);
    s.give_back(std::move(own));
  });
}

void Inference::trace(Span<const Point> queries, Mat<const float> features,
                      Span<const float> parameters, std::int64_t first, Scratch& s,
                      const MemberTraces& out) const {
  for_passes(queries, features, s, [&](const Prepared& pass, Span<const std::int32_t> rows) {
    const NetworkInput<float> input = input_of(pass);
    require_room(input, s);
    s.for_members(s.network, input, parameters,
                  [&](std::int64_t m, const Pass<float>& run, Mat<const float> answers) {
                    const Span<const float> auxiliary = s.network.run_auxiliary(run, input);
                    const std::int64_t from = m * out.rows + first;
                    for (std::int64_t i = 0; i < answers.rows; ++i) {
                      const std::int64_t to = from + (rows.empty() ? i : rows[i]);
                      put_row(s.network.encoded(input), i, out.encoder, to);
                      put_row(s.network.embedding(input), i, out.embedding, to);
                      out.mean[to] = answers(i, 0);
                      if (!auxiliary.empty()) out.auxiliary[to] = auxiliary[i];
                    }
                  });
  });
}

Mat<const float> Inference::outputs(const Prepared& prepared, Span<const float> parameters,
                                    Scratch& s) const {
  const NetworkInput<float> input = input_of(prepared);
  require_room(input, s);
  s.network.reserve(s.backend, input.graph.nodes, input.graph.edges(), false);
  return s.network.forward({.kernels = s.backend.kernels,
                            .schedule = s.schedule,
                            .work = s.network.work(),
                            .parameters = parameters.data()},
                           input);
}

void Inference::run(const Prepared& prepared, const MemberWeights& weights, Scratch& s,
                    Mat<float> out) const {
  const LabelModel& model = training_.model;
  if (!s.far || weights.far.empty()) {
    ask(s.network, weights.near, model.blend, prepared, s, out);
    return;
  }
  const Array<float>& gaps = prepared.view.gaps;
  s.near_rows.clear();
  s.far_rows.clear();
  for (std::int32_t i = 0; i < out.rows; ++i) {
    if (gaps[i] < 1) s.near_rows.push_back(i);
    if (gaps[i] > 0) s.far_rows.push_back(i);
  }
  s.near_out.resize(s.near_rows.size() * out.cols);
  s.far_out.resize(s.far_rows.size() * out.cols);
  const Mat<float> near(s.near_out.data(), s.near_rows.size(), out.cols);
  const Mat<float> far(s.far_out.data(), s.far_rows.size(), out.cols);
  const auto part = [&](Span<const std::int32_t> rows) -> const Prepared& {
    if (rows.size() == out.rows) return prepared;
    gather_rows(prepared, rows, s.backend, s.part);
    return s.part;
  };
  ask(s.network, weights.near, model.blend, part(s.near_rows), s, near);
  ask(*s.far, weights.far, model.far_blend, part(s.far_rows), s, far);
  for (std::int64_t r = 0; r < near.rows; ++r) put_row(near, r, out, s.near_rows[r]);
  for (std::int64_t r = 0; r < far.rows; ++r) {
    const std::int64_t i = s.far_rows[r];
    for (std::int64_t c = 0; c < out.cols; ++c) {
      const float share = gaps[i];
      out(i, c) = share < 1 ? out(i, c) + share * (far(r, c) - out(i, c)) : far(r, c);
    }
  }
}

void Inference::ask(Network<float>& network, Span<const float> parameters, double share,
                    const Prepared& prepared, Scratch& s, Mat<float> out) const {
  if (out.rows == 0) return;
  const Span<const float> smooth(prepared.view.smooth);
  if (share == 0 && !smooth.empty() && columns_.size() == 1) {
    for (std::int64_t i = 0; i < out.rows; ++i) out(i, 0) = smooth[i];
    return;
  }
  NetworkInput<float> input = input_of(prepared);
  require_room(input, s);
  input.basis.cols = network.encoder().basis_width();  // far members have no encoder
  s.average(network, input, parameters, out);
  keep_share(share, smooth, out);
}

template <class F>
void Inference::Scratch::for_members(Network<float>& which, const NetworkInput<float>& input,
                                     Span<const float> parameters, F&& f) {
  which.reserve(backend, input.graph.nodes, input.graph.edges(), false);
  const std::int64_t size = which.layout().size();
  const std::int64_t width = std::ssize(pool_of_members.columns());
  answers.resize(input.outputs() * width);
  const Mat<float> found(answers.data(), input.outputs(), width);
  for (std::int64_t m = 0; m < parameters.size() / size; ++m) {
    const Pass<float> run{.kernels = backend.kernels,
                          .schedule = schedule,
                          .work = which.work(),
                          .parameters = parameters.data() + m * size};
    which.head().answer(which.forward(run, input), found);
    f(m, run, found);
  }
}

void Inference::Scratch::average(Network<float>& which, const NetworkInput<float>& input,
                                 Span<const float> parameters, Mat<float> out) {
  pool_of_members.begin(parameters.size() / which.layout().size(), out);
  for_members(which, input, parameters,
              [&](std::int64_t, const Pass<float>&, Mat<const float> found) {
                pool_of_members.add(found, out);
              });
  pool_of_members.finish(out);
}

void Inference::keep_share(double share, Span<const float> smooth, Mat<float> out) const {
  if (share == 1 || smooth.empty()) return;
  const auto kept = static_cast<float>(share);
  for (std::int64_t i = 0; i < out.rows; ++i) {
    const float before = out(i, 0);
    out(i, 0) = smooth[i] + kept * (before - smooth[i]);
    for (std::int64_t c = 1; c < out.cols; ++c) {
      if (columns_[as_size(c)].kind == OutputKind::quantile) out(i, c) += out(i, 0) - before;
    }
  }
}

}  // namespace pegnn
