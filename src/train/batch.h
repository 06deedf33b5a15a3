#pragma once
// One batch of Algorithm 1: sampled rows, their own graph, and the local Moran's I of the target.

#include <cstdint>
#include <memory>

#include "base/array.h"
#include "compute/backend.h"
#include "graph/local.h"
#include "model/network.h"
#include "train/label_lists.h"
#include "train/training_set.h"

namespace pegnn {

// How the auxiliary target is made from the batch.
struct MoranTarget {
  bool wanted = false;
  enum class Weights { binary, weighted, row } weights = Weights::binary;
  bool minmax = false;  // scale to [0, 1] within the batch
};

MoranTarget moran_target_of(const Options& options, bool auxiliary);

// What a network wants of its batches.
struct BatchNeeds {
  bool messages = false;                         // it passes messages along edges
  bool local = false;                            // along those of local graphs, with labels
  bool auxiliary = false;                        // it learns the local Moran's I
  std::shared_ptr<const LabelLists> lists = {};  // where it listens to labels
};

// The large buffers are kept from batch to batch. The set is borrowed. A copy is another batch of
// the same set, and shares with it what depends on the set alone.
class Batch {
 public:
  // Without messages and auxiliary task the points are not linked at all.
  Batch(const TrainingSet& set, const Options& options, Space space, const BatchNeeds& needs,
        std::int64_t size, const Backend<float>& backend);

  // Gathers the rows, links them and computes the targets. A batch is a set: where rows are linked
  // they stand in an order of their own, near ones together. All rows of the set, each once, are
  // gathered the first time only, since they stay the same; not so where labels are listened to,
  // as every step sees others.
  void assemble(Span<const std::int32_t> rows, std::int64_t step, const Encoder<float>& encoder);

  NetworkInput<float> input() const;
  NetworkTarget<float> target() const { return {outcome_, moran_, weight_}; }

  // Of the largest graph it will give.
  std::int64_t most_nodes() const { return nodes_; }
  std::int64_t most_edges() const { return nodes_ * k_; }

 private:
  // Rows in the order of nodes.
  Span<const std::int32_t> put_in_order(Span<const std::int32_t> rows);
  void gather_targets(Span<const std::int32_t> rows);
  void gather_inputs(Span<const std::int32_t> rows, const Encoder<float>& encoder);
  void link();
  void link_locally(Span<const std::int32_t> rows);
  void link_to_labels(Span<const std::int32_t> rows, std::int64_t step);
  void compute_moran();
  const Graph& graph() const {
    if (needs_.lists) return around_.graph;
    return local_ ? attached_.graph : graph_;
  }

  const TrainingSet& set_;
  Backend<float> backend_;
  std::int64_t k_, nodes_;  // nodes: the rows, and on local graphs their neighbours
  EdgeWeight rule_;
  BatchNeeds needs_;
  MoranTarget moran_target_;
  bool whole_ = false;              // it holds all rows of the set
  Array<std::int32_t> whole_rows_;  // they, where labels are listened to
  Buffer<float> features_, basis_, labels_;
  Array<double> scaled_target_, local_moran_;
  Array<float> outcome_, moran_;
  Array<float> weight_;  // of the outcomes; empty: all alike
  // Where rows are linked among each other.
  std::shared_ptr<const SpatialOrder> order_;
  Array<std::int32_t> ranks_, rows_, scratch_;
  Array<Point> places_;  // where the basis is not kept
  NearestIndex index_;
  Neighbours neighbours_;
  Graph graph_;
  // On local graphs.
  std::shared_ptr<const LocalAttacher> local_;
  AttachedGraph attached_;
  Array<std::int32_t> node_rows_;  // training row behind each node
  // With labelled points.
  LabelGraph around_;
  LabelLists::Scratch which_;
  Array<Point> query_places_;
};

}  // namespace pegnn
