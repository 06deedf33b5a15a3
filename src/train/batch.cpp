#include "train/batch.h"

#include <algorithm>

#include "base/array.h"
#include "base/assert.h"
#include "stats/moran.h"

namespace pegnn {

MoranTarget moran_target_of(const Options& options, bool auxiliary) {
  MoranTarget target{.wanted = auxiliary, .minmax = options.moran_scale == "batch"};
  if (options.moran_weights == "weighted") target.weights = MoranTarget::Weights::weighted;
  if (options.moran_weights == "row") target.weights = MoranTarget::Weights::row;
  return target;
}

BatchSource::BatchSource(const TrainingSet& of, const KeptBasis& its_basis, const Options& options,
                         Space space, std::shared_ptr<const Neighbourhood> around, bool auxiliary,
                         std::int64_t batch, const Backend<float>& on)
    : set(of),
      basis(its_basis),
      backend(on),
      neighbourhood(std::move(around)),
      rows(batch),
      size(neighbourhood_of(options).size(batch, options.k)),
      moran_target(moran_target_of(options, auxiliary)) {
  if (moran_target.wanted && !neighbourhood->links_batch()) {
    moran_links.emplace(set.points, space, options.k, edge_weight_of(options.edge_weight), on.pool);
  }
}

Batch::Batch(const BatchSource& source)
    : source_(source),
      scratch_(source.neighbourhood->scratch()),
      features_(source.backend.buffer(source.size.nodes * source.set.feature_count)),
      basis_(source.backend.buffer(source.size.nodes * source.basis.width)),
      scaled_target_(source.rows),
      local_moran_(source.moran_target.wanted ? source.rows : 0),
      outcome_(source.rows),
      moran_(local_moran_.size()),
      weight_(source.set.weight.empty() ? 0 : source.rows) {}

void Batch::gather_targets() {
  const Array<std::int32_t>& rows = view_.query_rows;
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    const std::int64_t row = rows[i];
    scaled_target_[i] = set_.target[row];
    outcome_[i] = set_.labels[row];
  }
  for (std::int64_t i = 0; i < std::ssize(weight_); ++i) {
    weight_[i] = set_.weight[rows[i]];
  }
}

void Batch::gather_inputs(const Encoder<float>& encoder) {
  const Array<std::int32_t>& rows = node_rows_;
  const std::int64_t width = set_.feature_count, basis = source_.basis.width;
  places_.clear();
  constexpr std::int64_t kAhead = 8;  // rows lie scattered: they are called for before their turn
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    if (i + kAhead < rows.size()) {
      const std::int32_t next = rows[i + kAhead];
      __builtin_prefetch(set_.features.data() + next * width);
      if (source_.basis.kept()) {
        for (std::int64_t b = 0; b < basis; b += 16)
          __builtin_prefetch(source_.basis.values.data() + next * basis + b);
      }
    }
    std::copy_n(set_.features.data() + rows[i] * width, width, features_.data() + i * width);
    if (source_.basis.kept()) {
      std::copy_n(source_.basis.values.data() + rows[i] * basis, basis, basis_.data() + i * basis);
    } else if (basis > 0) {
      places_.push_back(set_.points[rows[i]]);
    }
  }
  if (places_.empty()) return;
  const auto n = std::ssize(rows);
  encoder.basis(source_.backend.kernels, source_.backend.pool, {&places_.data()->x, n, 2},
                {basis_.data(), n, basis});
}

void Batch::compute_moran(const Graph& graph) {
  Span<const double> weights;
  if (source_.moran_target.weights == MoranTarget::Weights::weighted) weights = graph.weights;
  local_moran(scaled_target_, {graph.offsets, graph.columns}, weights, source_.backend.pool,
              local_moran_);
  if (source_.moran_target.weights == MoranTarget::Weights::row && graph.edges() > 0) {
    // Every node has the same number of neighbours: the row-standardised form is a multiple.
    const double per_node = static_cast<double>(graph.edges()) / static_cast<double>(graph.nodes);
    for (double& v : local_moran_) v /= per_node;
  }
  if (source_.moran_target.minmax) minmax_scale(local_moran_);
  std::transform(local_moran_.begin(), local_moran_.end(), moran_.begin(),
                 [](double v) { return static_cast<float>(v); });
}

void Batch::assemble(Span<const std::int32_t> drawn, std::int64_t step,
                     const Encoder<float>& encoder) {
  if (whole_) {
    if (!source_.neighbourhood->changes_by_step()) return;
    const Array<std::int32_t> rows = view_.query_rows;
    return source_.neighbourhood->of_step(rows, step, source_.backend, *scratch_, view_);
  }
  whole_ = std::ssize(drawn) == set_.rows();
  if (source_.moran_links) source_.moran_links->arrange(drawn, moran_scratch_, arranged_);
  const Span<const std::int32_t> rows =
      source_.moran_links ? Span<const std::int32_t>(arranged_) : drawn;
  source_.neighbourhood->of_step(rows, step, source_.backend, *scratch_, view_);
  gather_targets();
  if (source_.moran_links) {
    PEGNN_ASSERT(view_.query_rows == arranged_,
                 "Moran's I is of rows in the order in which they were handed over");
    source_.moran_links->link(source_.backend.pool, moran_scratch_, moran_graph_);
  }
  if (source_.moran_target.wanted) compute_moran(source_.moran_links ? moran_graph_ : view_.graph);
  node_rows_ = view_.train_rows;
  node_rows_.insert(node_rows_.end(), view_.query_rows.begin(), view_.query_rows.end());
  gather_inputs(encoder);
}

NetworkInput<float> Batch::input() const {
  const std::int64_t nodes = view_.graph.nodes;
  return {.graph = view_.graph,
          .features = {features_.data(), nodes, set_.feature_count},
          .basis = {basis_.data(), nodes, source_.basis.width},
          .columns = view_.node_columns(),
          .labelled = {view_.sources, view_.edge_columns(), view_.edge_log_weights()},
          .queries = view_.queries};
}

}  // namespace pegnn
