#pragma once
// Encoder, backbone and heads joined into one network with flat parameters.

#include <array>
#include <cstdint>
#include <memory>

#include "backbone/backbone.h"
#include "base/array.h"
#include "encoder/encoder.h"
#include "head/head.h"
#include "loss/loss.h"
#include "loss/task_weights.h"
#include "pegnn/options.h"

namespace pegnn {

// What one forward pass reads: scaled features and the encoder's basis of each point, the graph
// and what the neighbourhood tells.
template <class T>
struct NetworkInput {
  const Graph& graph;           // weighted; with reverse edges for training
  Mat<const T> features;        // n x features
  Mat<const T> basis;           // n x basis_width
  Mat<const T> columns = {};    // n x those that the backbone reads (BackboneEntry::reads)
  Labelled<T> labelled = {};    // of backbones that read edges
  std::int64_t queries = kAll;  // the last so many nodes are to be predicted
  // In inference: how many nodes, just before the queries, are there for the degrees of others.
  // They have no rows in the matrices above, which are n - degree_only rows high then, and what the
  // network makes of them is unspecified.
  std::int64_t degree_only = 0;

  static constexpr std::int64_t kAll = -1;
  std::int64_t outputs() const { return queries == kAll ? graph.nodes : queries; }
};

// What one training step compares with, for each node that is to be predicted.
template <class T>
struct NetworkTarget {
  Span<const T> outcome;
  Span<const T> local_moran;  // empty without the auxiliary task
  Span<const T> weight = {};  // of the outcomes (mean_loss); empty: all alike
};

struct StepLosses {
  double total = 0, main = 0, auxiliary = 0;
};

//   h0 = concat(features, encoder(c));  h = backbone(h0, graph);  y = head(h);  I = moran_head(h)
//
// Without features and without an encoder the input is a constant 1, as in the paper's plain
// networks for interpolation. What a neighbourhood tells of nodes follows: concat(features,
// encoder, columns), or concat(encoder, features, columns) where the backbone says so.
template <class T>
class Network {
 public:
  // `options` are resolved. Throws Error{usage} for a part that is not in its list.
  Network(const Options& options, std::int64_t features);

  const ParamLayout& layout() const { return layout_; }
  const Encoder<T>& encoder() const { return *encoder_; }
  std::int64_t hops() const { return backbone_->hops(); }
  bool auxiliary() const { return task_weights_.auxiliary(); }
  const TaskWeights<T>& task_weights() const { return task_weights_; }
  const Head<T>& head() const { return *head_; }
  const LossEntry& loss() const { return loss_; }

  void initialise(std::uint64_t seed, Span<T> parameters) const;

  // Makes room for graphs of up to this size, for `step` too with `training`; to be called before a
  // pass.
  void reserve(const Backend<T>& backend, std::int64_t nodes, std::int64_t edges, bool training) {
    work_.reserve(backend, plan_, nodes, edges, training);
  }
  std::int64_t work_bytes() const { return work_.bytes(); }
  // Of one set of gradients; each slab of a schedule has one of its own.
  std::int64_t gradient_bytes() const {
    return layout_.size() * static_cast<std::int64_t>(sizeof(T));
  }
  // What `reserve` would come to.
  double bytes_for(std::int64_t nodes, std::int64_t edges, bool training) const {
    return Workspace<T>::bytes_for(plan_, nodes, edges, training);
  }
  Workspace<T>& work() { return work_; }

  // What the head puts out for the nodes asked for, nodes x head().outputs(); valid until the next
  // pass.
  Mat<const T> forward(const Pass<T>& pass, const NetworkInput<T>& input);
  // The auxiliary head's outputs of the last forward with gradients; empty without that task.
  Span<const T> auxiliary_output(std::int64_t outputs);

  // What the last forward computed on the way, of the nodes asked for; valid until the next pass.
  Mat<const T> encoded(const NetworkInput<T>& input);    // what the encoder says of their places
  Mat<const T> embedding(const NetworkInput<T>& input);  // what the heads read
  // Runs the auxiliary head on it, which a forward without gradients leaves out; empty without that
  // task.
  Span<const T> run_auxiliary(const Pass<T>& pass, const NetworkInput<T>& input);

  std::int64_t embedding_width() const { return backbone_->width(); }

  // Forward, losses, and gradients added to pass.gradients.
  StepLosses step(const Pass<T>& pass, const NetworkInput<T>& input,
                  const NetworkTarget<T>& target);

 private:
  Mat<T> join_input(const Pass<T>& pass, const NetworkInput<T>& input);
  // The same for nodes whose inputs stand in rows [first, first + out.rows).
  void join_rows(const Pass<T>& pass, const NetworkInput<T>& input, std::int64_t first, Mat<T> out);
  // These put their work on the schedule.
  void put_forward(const Pass<T>& pass, const NetworkInput<T>& input);
  // Losses at the embeddings asked for, and their gradient.
  void put_heads_backward(const Pass<T>& pass, Mat<const T> h, Mat<T> dh,
                          const NetworkTarget<T>& target);
  using SlabLosses = std::array<double, Schedule::kMostSlabs>;
  void put_loss(const Pass<T>& pass, const LossEntry& loss, Mat<const T> predicted,
                Span<const T> observed, Span<const T> row_weight, double weight, Mat<T> gradient,
                SlabLosses& sums);

  std::int64_t features_;
  std::int64_t constant_;                          // 1 when the input is a constant
  std::int64_t columns_;                           // that the backbone reads of the neighbourhood
  std::int64_t features_at_ = 0, encoder_at_ = 0;  // their first columns of the input
  TaskWeights<T> task_weights_;
  std::unique_ptr<Encoder<T>> encoder_;
  std::unique_ptr<Backbone<T>> backbone_;
  std::unique_ptr<Head<T>> head_, auxiliary_head_;
  const LossEntry& loss_;
  const LossEntry& auxiliary_loss_;
  ParamLayout layout_;
  WorkPlan plan_;
  Workspace<T> work_;
  NodeSlot input_, input_gradient_, embedding_, embedding_gradient_;
  NodeSlot output_, output_gradient_, auxiliary_output_, auxiliary_gradient_;
  SlabLosses main_losses_{}, auxiliary_losses_{};  // of the last step, by slabs of rows
};

}  // namespace pegnn
