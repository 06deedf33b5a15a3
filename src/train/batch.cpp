#include "train/batch.h"

#include <algorithm>

#include "base/array.h"
#include "stats/moran.h"

namespace pegnn {

MoranTarget moran_target_of(const Options& options, bool auxiliary) {
  MoranTarget target{.wanted = auxiliary, .minmax = options.moran_scale == "batch"};
  if (options.moran_weights == "weighted") target.weights = MoranTarget::Weights::weighted;
  if (options.moran_weights == "row") target.weights = MoranTarget::Weights::row;
  return target;
}

Batch::Batch(const TrainingSet& set, const Options& options, Space space, const BatchNeeds& needs,
             std::int64_t size, const Backend<float>& backend)
    : set_(set),
      backend_(backend),
      k_(options.k),
      nodes_(needs.local ? size * (options.k + 1) : size),
      rule_(edge_weight_of(options.edge_weight)),
      needs_(needs),
      moran_target_(moran_target_of(options, needs.auxiliary)),
      features_(backend.buffer(nodes_ * set.feature_count)),
      basis_(backend.buffer(nodes_ * set.basis_width)),
      labels_(backend.buffer(needs.local ? nodes_ * kLabelInputs : 0)),
      scaled_target_(size),
      local_moran_(moran_target_.wanted ? size : 0),
      outcome_(size),
      moran_(local_moran_.size()),
      weight_(set.weight.empty() ? 0 : size) {
  if (needs.local) {
    local_ = std::make_shared<const LocalAttacher>(set.points, space, options.k, backend.pool);
  }
  if ((needs.messages && !needs.local && !needs.lists) || moran_target_.wanted) {
    order_ = std::make_shared<const SpatialOrder>(set.points, space, backend.pool);
  }
}

Span<const std::int32_t> Batch::put_in_order(Span<const std::int32_t> rows) {
  if (!order_) return rows;
  order_->ranks_of(rows, scratch_, ranks_);
  rows_.resize(ranks_.size());
  std::transform(ranks_.begin(), ranks_.end(), rows_.begin(),
                 [&](std::int32_t rank) { return order_->row_at(rank); });
  return rows_;
}

void Batch::gather_targets(Span<const std::int32_t> rows) {
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    const std::int64_t row = rows[i];
    scaled_target_[i] = set_.target[row];
    outcome_[i] = set_.labels[row];
  }
  for (std::int64_t i = 0; i < std::ssize(weight_); ++i) {
    weight_[i] = set_.weight[rows[i]];
  }
}

void Batch::gather_inputs(Span<const std::int32_t> rows, const Encoder<float>& encoder) {
  const std::int64_t width = set_.feature_count, basis = set_.basis_width;
  places_.clear();
  constexpr std::int64_t kAhead = 8;  // rows lie scattered: they are called for before their turn
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    if (i + kAhead < rows.size()) {
      const std::int32_t next = rows[i + kAhead];
      __builtin_prefetch(set_.features.data() + next * width);
      if (set_.basis_kept()) {
        for (std::int64_t b = 0; b < basis; b += 16)
          __builtin_prefetch(set_.basis.data() + next * basis + b);
      }
    }
    std::copy_n(set_.features.data() + rows[i] * width, width, features_.data() + i * width);
    if (set_.basis_kept()) {
      std::copy_n(set_.basis.data() + rows[i] * basis, basis, basis_.data() + i * basis);
    } else if (basis > 0) {
      places_.push_back(set_.points[rows[i]]);
    }
  }
  if (places_.empty()) return;
  const auto n = std::ssize(rows);
  encoder.basis(backend_.kernels, backend_.pool, {&places_.data()->x, n, 2},
                {basis_.data(), n, basis});
}

void Batch::compute_moran() {
  Span<const double> weights;
  if (moran_target_.weights == MoranTarget::Weights::weighted) weights = graph_.weights;
  local_moran(scaled_target_, {graph_.offsets, graph_.columns}, weights, backend_.pool,
              local_moran_);
  if (moran_target_.weights == MoranTarget::Weights::row && graph_.edges() > 0) {
    // Every node has the same number of neighbours: the row-standardised form is a multiple.
    const double per_node = static_cast<double>(graph_.edges()) / static_cast<double>(graph_.nodes);
    for (double& v : local_moran_) v /= per_node;
  }
  if (moran_target_.minmax) minmax_scale(local_moran_);
  std::transform(local_moran_.begin(), local_moran_.end(), moran_.begin(),
                 [](double v) { return static_cast<float>(v); });
}

void Batch::link() {
  knn_graph(*order_, ranks_, k_, backend_.pool, index_, neighbours_, graph_);
  weigh_edges(rule_, length_scale(rule_, graph_.lengths), graph_);
}

void Batch::link_locally(Span<const std::int32_t> rows) {
  local_->attach_own(rows, backend_.pool, attached_);
  node_rows_ = attached_.train_rows;
  node_rows_.insert(node_rows_.end(), rows.begin(), rows.end());
  label_inputs(attached_, set_.labels, {labels_.data(), attached_.graph.nodes, kLabelInputs});
  add_reverse(attached_.graph);
}

void Batch::link_to_labels(Span<const std::int32_t> rows, std::int64_t step) {
  gather(set_.points, rows, query_places_);
  needs_.lists->link(rows, query_places_, step, backend_, which_, around_);
}

void Batch::assemble(Span<const std::int32_t> drawn, std::int64_t step,
                     const Encoder<float>& encoder) {
  if (whole_) {
    if (needs_.lists) link_to_labels(whole_rows_, step);
    return;
  }
  whole_ = std::ssize(drawn) == set_.rows();
  const Span<const std::int32_t> rows = put_in_order(drawn);
  gather_targets(rows);
  graph_.nodes = std::ssize(rows);
  if (local_) link_locally(rows);
  if (needs_.lists) {
    link_to_labels(rows, step);
    if (whole_) whole_rows_.assign(rows.begin(), rows.end());
  }
  const bool shared_graph = needs_.messages && !local_ && !needs_.lists;
  if (shared_graph || moran_target_.wanted) link();
  if (shared_graph) add_reverse(graph_);
  if (moran_target_.wanted) compute_moran();
  gather_inputs(local_ ? Span<const std::int32_t>(node_rows_) : rows, encoder);
}

NetworkInput<float> Batch::input() const {
  const std::int64_t nodes = graph().nodes;
  NetworkInput<float> input{graph(),
                            {features_.data(), nodes, set_.feature_count},
                            {basis_.data(), nodes, set_.basis_width}};
  if (local_) {
    input.labels = {labels_.data(), nodes, kLabelInputs};
    input.queries = attached_.queries;
  }
  if (needs_.lists) {
    input.labels = around_.label_inputs();
    input.labelled = {needs_.lists->field().sources(), around_.edge_inputs()};
  }
  return input;
}

}  // namespace pegnn
