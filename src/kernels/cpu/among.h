#pragma once
// Attention among the edges of each row, on a few rows and the calling thread; the contract is that
// of `AmongLayer` in kernels/kernels.h.

#include <cstdint>

#include "kernels/kernels.h"

namespace pegnn::cpu {

// Rows are taken together as long as they have no more edges than this: enough for the products to
// be quick, and few enough for all that is made of them to stay in the second-level cache.
inline constexpr std::int64_t kGroupEdges = 128;

// What is known before the work begins, with the layers' matrices packed for products.
struct AmongPlan {
  std::int64_t heads = 1;
  std::int64_t width = 0;
  std::int64_t all = 0;         // heads times what each has
  std::int64_t most_edges = 0;  // of a group of rows
  std::int64_t longest = 0;     // edges of a row
  Among<const float> among;
  struct Packed {
    const float *mix, *join, *hidden, *correction;  // transposed
    const float *mix_back, *join_back, *hidden_back, *correction_back;
  } packed[kMostAmong];
};

// Numbers that the packed matrices of a layer take, those for the backward pass only if wanted.
std::int64_t packed_layer_size(const AmongPlan& plan, bool backward) noexcept;
AmongPlan::Packed pack_layer(const AmongLayer<const float>& layer, bool backward,
                             float* packed) noexcept;

// Gradients of a layer stand one after the other: where, and how many numbers there are.
AmongLayer<float> gradients_at(const AmongPlan& plan, float* memory) noexcept;
std::int64_t gradients_size(const AmongPlan& plan) noexcept;

// A group of rows: those whose edges begin and end at offsets[0], .., offsets[rows].
struct AmongGroup {
  const std::int64_t* offsets;
  std::int64_t rows;
  Mat<const float> edges;    // inputs of all edges of the graph
  const float* log_weights;  // of all edges, or null

  std::int64_t count() const { return offsets[rows] - offsets[0]; }
};

// Work memory of a group. Tokens have a padded row (label_attention.h) for each edge.
class AmongWork {
 public:
  // A null memory: only the size is told.
  AmongWork(const AmongPlan& plan, bool backward, float* memory) noexcept;
  std::int64_t size() const { return size_; }

  // What goes into the first layer, to be filled before `forward`, and its slopes and gradient.
  float* tokens() const { return layers_[0].tokens; }
  float* slopes() const { return slopes_; }
  float* gradient() const { return gradient_; }

  // Takes the tokens through all layers; returns what comes out.
  const float* forward(const AmongGroup& group) const noexcept;
  // Turns `gradient`, of what came out, into that of what went in; adds the gradients of the layers
  // to those at `gradients`, gradients_size() apart.
  void backward(const AmongGroup& group, float* gradients) const noexcept;

 private:
  // Of a layer, a row for each edge. In inference all layers share them, and tokens change in
  // place.
  struct Values {
    float *tokens, *mixed, *heard, *middle, *hidden;
  };
  struct Row;  // one row of the graph

  float* take(std::int64_t count) noexcept;
  Mat<float> tokens_of(const AmongGroup& group, float* at) const noexcept;
  template <class F>
  void for_rows(const AmongGroup& group, F&& f) const noexcept;
  template <class F>
  void for_blocks(const Row& row, F&& f) const noexcept;
  Mat<float> part(Mat<float> mixed, int which, std::int64_t head) const noexcept;
  void attend(const Row& row, const AmongLayer<const float>& layer, Mat<float> mixed,
              Mat<float> heard) const noexcept;
  void attend_backward(const Row& row, const AmongLayer<const float>& layer, Mat<float> mixed,
                       Mat<float> d_heard, Mat<float> d_mixed,
                       Mat<float> d_distance) const noexcept;

  const AmongPlan& plan_;
  float* memory_;
  std::int64_t size_ = 0;
  Values layers_[kMostAmong];
  float *last_, *slopes_ = nullptr, *gradient_ = nullptr;
  float *d_mixed_ = nullptr, *d_heard_ = nullptr, *d_hidden_ = nullptr;
  float *keys_, *values_, *keys_back_ = nullptr;  // packed, head after head
  std::int64_t keys_size_, values_size_;
  float *places_, *weights_, *apart_, *logs_, *shares_, *d_shares_ = nullptr;
};

// Pairs of a row's edges, a block of them against all. Rows of matrices have room for whole
// vectors, padded(cols). The first three inputs of an edge say where it leads; `places` is scratch
// for them. apart: block x edges; logs: log(apart + kLeastDistance)
void pair_distances(Mat<const float> edges, std::int64_t first, float* places, Mat<float> apart,
                    Mat<float> logs) noexcept;

// Turns products into shares: softmax along each row of
//   scale products + by_distance apart + by_log logs + log_weights, which have room as rows have.
void distance_softmax(float scale, float by_distance, float by_log, Mat<const float> apart,
                      Mat<const float> logs, const float* log_weights,
                      Mat<float> products) noexcept;
// Turns gradients of shares into those of the products; adds those of by_distance and by_log.
void distance_softmax_backward(float scale, Mat<const float> apart, Mat<const float> logs,
                               Mat<const float> shares, Mat<float> gradients, float* d_by_distance,
                               float* d_by_log) noexcept;

}  // namespace pegnn::cpu
