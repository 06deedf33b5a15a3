#include "train/batch.h"

#include <algorithm>

#include "stats/moran.h"

namespace pegnn {

MoranTarget moran_target_of(const Options& options, bool auxiliary) {
  MoranTarget target{.wanted = auxiliary, .minmax = options.moran_scale == "batch"};
  if (options.moran_weights == "weighted") target.weights = MoranTarget::Weights::weighted;
  if (options.moran_weights == "row") target.weights = MoranTarget::Weights::row;
  return target;
}

Batch::Batch(const TrainingSet& set, const Options& options, Space space, bool messages,
             bool auxiliary, std::int64_t size)
    : set_(set),
      space_(space),
      k_(options.k),
      rule_(edge_weight_of(options.edge_weight)),
      linked_(messages || auxiliary),
      moran_target_(moran_target_of(options, auxiliary)),
      points_(static_cast<std::size_t>(size)),
      features_(size * set.feature_count),
      basis_(size * set.basis_width),
      scaled_target_(static_cast<std::size_t>(size)),
      local_(moran_target_.wanted ? static_cast<std::size_t>(size) : 0),
      outcome_(static_cast<std::size_t>(size)),
      moran_(local_.size()) {}

void Batch::gather(std::span<const std::int32_t> rows, const Encoder<float>& encoder,
                   const ThreadPool& pool) {
  const std::int64_t width = set_.feature_count, basis = set_.basis_width;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows[i]);
    const auto at = static_cast<std::int64_t>(i);
    points_[i] = set_.points[row];
    scaled_target_[i] = set_.target[row];
    outcome_[i] = static_cast<float>(set_.target[row]);
    std::copy_n(set_.features.data() + rows[i] * width, width, features_.data() + at * width);
    if (set_.basis_kept()) {
      std::copy_n(set_.basis.data() + rows[i] * basis, basis, basis_.data() + at * basis);
    }
  }
  if (!set_.basis_kept() && basis > 0) {
    const auto n = static_cast<std::int64_t>(rows.size());
    encoder.basis(best_kernels<float>(), pool, {&points_.data()->x, n, 2},
                  {basis_.data(), n, basis});
  }
}

void Batch::compute_moran(const ThreadPool& pool) {
  std::span<const double> weights;
  if (moran_target_.weights == MoranTarget::Weights::weighted) weights = graph_.weights;
  local_moran(scaled_target_, {graph_.offsets, graph_.columns}, weights, pool, local_);
  if (moran_target_.weights == MoranTarget::Weights::row && graph_.edges() > 0) {
    // Every node has the same number of neighbours: the row-standardised form is a multiple.
    const double per_node = static_cast<double>(graph_.edges()) / static_cast<double>(graph_.nodes);
    for (double& v : local_) v /= per_node;
  }
  if (moran_target_.minmax) minmax_scale(local_);
  std::transform(local_.begin(), local_.end(), moran_.begin(),
                 [](double v) { return static_cast<float>(v); });
}

void Batch::assemble(std::span<const std::int32_t> rows, const Encoder<float>& encoder,
                     const ThreadPool& pool) {
  gather(rows, encoder, pool);
  if (!linked_) {
    graph_.nodes = static_cast<std::int64_t>(rows.size());
    return;
  }
  knn_graph(points_, space_, k_, pool, index_, neighbours_, graph_);
  weigh_edges(rule_, length_scale(rule_, graph_.lengths), graph_);
  add_reverse(graph_);
  if (moran_target_.wanted) compute_moran(pool);
}

NetworkInput<float> Batch::input() const {
  return {graph_,
          {features_.data(), graph_.nodes, set_.feature_count},
          {basis_.data(), graph_.nodes, set_.basis_width}};
}

}  // namespace pegnn
