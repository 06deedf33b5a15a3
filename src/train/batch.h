#pragma once
// One batch of Algorithm 1: sampled rows, their own graph, and the local Moran's I of the target.

#include <cstdint>
#include <span>
#include <vector>

#include "model/network.h"
#include "train/training_set.h"

namespace pegnn {

// How the auxiliary target is made from the batch.
struct MoranTarget {
  bool wanted = false;
  enum class Weights { binary, weighted, row } weights = Weights::binary;
  bool minmax = false;  // scale to [0, 1] within the batch
};

MoranTarget moran_target_of(const Options& options, bool auxiliary);

// Buffers are kept from batch to batch.
class Batch {
 public:
  // `messages`: the network passes messages along edges; `auxiliary`: it learns the local Moran's
  // I. Without either the points are not linked at all.
  Batch(const TrainingSet& set, const Options& options, Space space, bool messages, bool auxiliary,
        std::int64_t size);

  // Gathers the rows, links them to their k nearest neighbours and computes the targets.
  void assemble(std::span<const std::int32_t> rows, const Encoder<float>& encoder,
                const ThreadPool& pool);

  NetworkInput<float> input() const;
  NetworkTarget<float> target() const { return {outcome_, moran_}; }
  std::int64_t edges() const { return graph_.edges(); }

 private:
  void gather(std::span<const std::int32_t> rows, const Encoder<float>& encoder,
              const ThreadPool& pool);
  void compute_moran(const ThreadPool& pool);

  const TrainingSet& set_;
  Space space_;
  std::int64_t k_;
  EdgeWeight rule_;
  bool linked_;
  MoranTarget moran_target_;
  std::vector<Point> points_;
  AlignedBuffer<float> features_, basis_;
  std::vector<double> scaled_target_, local_;
  std::vector<float> outcome_, moran_;
  NearestIndex index_;
  Neighbours neighbours_;
  Graph graph_;
};

}  // namespace pegnn
