#pragma once
// One batch of Algorithm 1: sampled rows, their own graph, and the local Moran's I of the target.

#include <cstdint>
#include <memory>
#include <optional>

#include "base/array.h"
#include "compute/backend.h"
#include "graph/batch_graph.h"
#include "model/network.h"
#include "neighbourhood/neighbourhood.h"
#include "train/training_set.h"

namespace pegnn {

// How the auxiliary target is made from the batch.
struct MoranTarget {
  bool wanted = false;
  enum class Weights { binary, weighted, row } weights = Weights::binary;
  bool minmax = false;  // scale to [0, 1] within the batch
};

MoranTarget moran_target_of(const Options& options, bool auxiliary);

// What batches of one set have in common. The set and its basis are borrowed.
struct BatchSource {
  // With an auxiliary task the rows are linked for it where the neighbourhood does not link them
  // so.
  BatchSource(const TrainingSet& set, const KeptBasis& basis, const Options& options, Space space,
              std::shared_ptr<const Neighbourhood> neighbourhood, bool auxiliary, std::int64_t rows,
              const Backend<float>& backend);

  const TrainingSet& set;
  const KeptBasis& basis;
  Backend<float> backend;
  std::shared_ptr<const Neighbourhood> neighbourhood;
  std::int64_t rows;  // of a batch
  GraphSize size;     // of its graph
  MoranTarget moran_target;
  // What Moran's I is taken of, where the neighbourhood has another graph.
  std::optional<BatchGraph> moran_links;
};

// The large buffers are kept from batch to batch. The source is borrowed.
class Batch {
 public:
  explicit Batch(const BatchSource& source);

  // Gathers the rows, links them and computes the targets. A batch is a set: where rows are linked
  // they stand in an order of their own, near ones together. All rows of the set, each once, are
  // gathered the first time only, since they stay the same; whom they listen to may change.
  void assemble(Span<const std::int32_t> rows, std::int64_t step, const Encoder<float>& encoder);

  NetworkInput<float> input() const;
  NetworkTarget<float> target() const { return {outcome_, moran_, weight_}; }

 private:
  void gather_targets();
  void gather_inputs(const Encoder<float>& encoder);
  void compute_moran(const Graph& graph);

  const BatchSource& source_;
  const TrainingSet& set_ = source_.set;
  std::unique_ptr<Neighbourhood::Scratch> scratch_;
  bool whole_ = false;  // it holds all rows of the set
  NeighbourhoodView view_;
  Buffer<float> features_, basis_;
  Array<std::int32_t> node_rows_;  // training row behind each node
  Array<Point> places_;            // where the basis is not kept
  Array<double> scaled_target_, local_moran_;
  Array<float> outcome_, moran_;
  Array<float> weight_;  // of the outcomes; empty: all alike
  // Where Moran's I is taken of a graph of its own.
  BatchGraph::Scratch moran_scratch_;
  Array<std::int32_t> arranged_;
  Graph moran_graph_;
};

}  // namespace pegnn
