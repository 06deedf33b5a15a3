#pragma once
// The arithmetic of the layers as one table of functions on raw arrays: the contract of a backend.
//
// Backends: `reference` (plain loops, float and double: the oracle) and `cpu` (SIMD, float).
//
// Functions that work on rows put their work on a schedule (base/schedule.h): it is done by
// Schedule::run, until when all arrays must stay. Gradients of parameters are added at the end of
// that run, so that one run must not add to the same array twice.
//
// No function checks anything (callers have checked the shapes), and all give the same bits for any
// number of threads. The result of a row in `linear`, `aggregate`, `aggregate_max`, `attend`,
// `label_attend` and `among_attend` depends on the row's own inputs alone: its row of x, its
// neighbours'.

#include <cstdint>
#include <span>
#include <string_view>

#include "base/matrix.h"
#include "base/schedule.h"
#include "base/thread_pool.h"

namespace pegnn {

enum class Activation { identity, relu, tanh, sigmoid };

// Which elements of a matrix are dropped: element (i, j) is dropped when the random byte addressed
// by (seed, step, layer, i, j) is below rate * 256, rounded; kept elements are divided by the share
// of those kept (kernels/dropout.h).
struct Dropout {
  double rate = 0;  // 0: nothing is dropped
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::uint32_t layer = 0;
};

// What happens to a result before it is stored: add a matrix and a bias per column, activate, drop.
template <class T>
struct Epilogue {
  const T* bias = nullptr;  // null: none
  Activation activation = Activation::identity;
  Dropout dropout;
  Mat<const T> base = {};  // of the result's shape, not overlapping it; null data: none
};

// Row i has the columns columns[offsets[i]] .. columns[offsets[i + 1] - 1]: edges "i <- column".
struct Csr {
  std::int64_t rows = 0;
  const std::int64_t* offsets = nullptr;
  const std::int32_t* columns = nullptr;
};

// How a node attends to its neighbours (Velickovic et al., ICLR 2018). Each of `heads` heads has
// width / heads columns of its own, side by side. The vectors hold `width` numbers.
template <class T>
struct Attention {
  std::int64_t heads = 1;
  const T* source = nullptr;  // meets the row of the sender
  const T* target = nullptr;  // meets the row of the receiver
  // With all of the following an edge has a vector too, its weight times `edge_map`, which meets
  // `edge`; with `edge` null, edge weights play no part.
  const T* edge = nullptr;
  const T* edge_map = nullptr;
  const T* edge_weight = nullptr;  // one per edge
  const T* loop_weight = nullptr;  // one per node: the weight of its self loop
};

// What `attend` leaves for `attend_backward`: `heads` numbers per node or edge, without gaps.
template <class T>
struct AttentionState {
  T* source_score = nullptr;  // per node: source . x_j
  T* target_score = nullptr;  // per node: target . x_i
  T* loop_share = nullptr;    // per node: how much it attends to itself
  T* edge_share = nullptr;    // per edge: how much its receiver attends to its sender
};

// Where `attend_backward` adds the gradients of the vectors of `Attention` (`edge` and `edge_map`
// only where there are edge vectors), and its scratch: `heads` numbers per node or edge.
template <class T>
struct AttentionGradient {
  T* source = nullptr;
  T* target = nullptr;
  T* edge = nullptr;
  T* edge_map = nullptr;
  T* node_target = nullptr;  // scratch per node: gradient of target_score
  T* node_loop = nullptr;    // scratch per node: of the self loop's logit, then of source_score
  T* per_edge = nullptr;     // scratch per edge: gradient of the edge's logit
};

// How queries attend to sources, points whose labels are known: row i of the graph is query i, its
// columns are numbers of sources. Every edge e = (i <- j) has an activation of `width` numbers,
//   a_e = dropped silu(base_i + edge_map edges_e + source_map sources_j), silu(v) = v / (1 + e^-v),
// which all heads share. The maps are width x inputs, their rows without gaps.
template <class T>
struct LabelAttention {
  std::int64_t heads = 1;
  Mat<const T> edges;              // a row of inputs for every edge
  Mat<const T> sources;            // a row of inputs for every source; the last one is its label
  Mat<const T> edge_map;           // width x edges.cols
  Mat<const T> source_map;         // width x sources.cols
  Dropout dropout;                 // element (e, c) is that of the matrix of all activations
  const T* log_weights = nullptr;  // per edge, added to its logits; null: nothing
};

// A layer of attention among the edges of each row, what they are being tokens t_e of `width`
// numbers. With [q, k, v]_e = mix t_e and, for head h, share_hef the softmax over the row's edges f
// of q_he . k_hf / sqrt(d) + distance(0, h) D_ef + distance(1, h) log(D_ef + kLeastDistance)
// + log_weight_f (LabelAttention):
//   m_e = t_e + join [sum over f of share_hef v_hf, head after head]
//   t_e becomes m_e + correction relu(hidden m_e + hidden_bias) + correction_bias
// D_ef is how far the sources of e and f lie apart; offsets are the first three inputs of an edge.
// The rows of all matrices lie without gaps. The same of gradients.
template <class T>
struct AmongLayer {
  Mat<T> mix;         // (3 heads d) x width, for some d
  Mat<T> distance;    // 2 x heads
  Mat<T> join;        // width x (heads d)
  Mat<T> hidden;      // width x width
  Mat<T> correction;  // width x width
  T* hidden_bias = nullptr;
  T* correction_bias = nullptr;
};
inline constexpr double kLeastDistance = 1e-3;

inline constexpr std::int64_t kMostAmong = 4;
template <class T>
struct Among {
  std::int64_t layers = 0;
  AmongLayer<T> layer[kMostAmong];
};

// What graph convolution makes of the weights of edges: one number per node or edge.
template <class T>
struct NormalisedEdges {
  T* root = nullptr;      // per node: d^-1/2
  T* self = nullptr;      // per node: the weight of its self loop
  T* forward = nullptr;   // per edge of the graph
  T* backward = nullptr;  // per edge of the reverse graph; null: not wanted
};

struct AdamStep {
  double learning_rate, beta1, beta2, epsilon, weight_decay;
  bool decoupled;     // decay the weights (AdamW) rather than the gradient (Adam with L2)
  std::int64_t step;  // 1, 2, ...
};

template <class T>
struct Kernels {
  std::string_view backend;

  // y = epilogue(x w^T).   x: n x in, w: out x in, y: n x out; y must not overlap x.
  void (*linear)(Schedule& schedule, Mat<const T> x, Mat<const T> w, const Epilogue<T>& epilogue,
                 Mat<T> y) = nullptr;

  // Backward of `linear`. On entry dy is the gradient of y, on exit that of x w^T. dx = dy w, or
  // dx += dy w with `add_to_dx` (skipped when dx.data is null); dw += dy^T x; db += column sums of
  // dy (skipped when null). The rows of dw lie without gaps.
  void (*linear_backward)(Schedule& schedule, Mat<const T> x, Mat<const T> w, Mat<const T> y,
                          const Epilogue<T>& epilogue, Mat<T> dy, Mat<T> dx, bool add_to_dx,
                          Mat<T> dw, T* db) = nullptr;

  // y_i = epilogue(self_weight_i x_i + sum over edges e = (i <- j) of weight_e x_j).
  // A null `weight` means 1 for every edge, a null `self_weight` leaves that term out. Rows without
  // edges keep only the first term. y must not overlap x.
  void (*aggregate)(Schedule& schedule, Csr graph, const T* weight, const T* self_weight,
                    Mat<const T> x, const Epilogue<T>& epilogue, Mat<T> y) = nullptr;

  // y_i = largest x_j over the edges (i <- j), column by column; 0 in rows without edges. y must
  // not overlap x.
  void (*aggregate_max)(Schedule& schedule, Csr graph, Mat<const T> x, Mat<T> y) = nullptr;

  // Backward of `aggregate_max`: dx_j += sum over edges (i <- j) of dy_i where x_j = y_i.
  // Neighbours that are the largest together share dy_i evenly, so that their order plays no part.
  // dy is overwritten. `reverse` has the same edges grouped by sender.
  void (*aggregate_max_backward)(Schedule& schedule, Csr graph, Csr reverse, Mat<const T> x,
                                 Mat<const T> y, Mat<T> dy, Mat<T> dx) = nullptr;

  // y_i = epilogue(sum of share_e x_j over the edges e = (i <- j) and a self loop of node i), where
  // the shares of a head are the softmax, over these edges, of
  //   LeakyReLU_0.2(source . x_j + target . x_i + (edge . edge_map) weight_e).
  // The dot products run over the head's columns. A node without edges attends to itself alone. y
  // must not overlap x.
  void (*attend)(Schedule& schedule, Csr graph, const Attention<T>& attention, Mat<const T> x,
                 const Epilogue<T>& epilogue, const AttentionState<T>& state, Mat<T> y) = nullptr;

  // Backward of `attend`: dy is the gradient before the epilogue; dx is overwritten and must not
  // overlap dy. Edge e of `reverse` is edge reverse_edge[e] of `graph`.
  void (*attend_backward)(Schedule& schedule, Csr graph, Csr reverse,
                          const std::int64_t* reverse_edge, const Attention<T>& attention,
                          Mat<const T> x, const AttentionState<T>& state, Mat<const T> dy,
                          const AttentionGradient<T>& gradient, Mat<T> dx) = nullptr;

  // With share_he the softmax, over the edges e = (i <- j) of row i, of
  // probe_i[h] . a_e + log_weight_e:
  //   context_i[h] = sum of share_he a_e, label_i[h] = sum of share_he label_j; 0 without edges.
  // base: n x width, probe and context: n x (heads width), head after head, label: n x heads.
  // `shares` keeps `heads` numbers per edge for the backward pass; null: nothing is kept. Of base
  // and probe, row i is read for row i. No output may overlap an input.
  void (*label_attend)(Schedule& schedule, Csr graph, const LabelAttention<T>& attention,
                       Mat<const T> base, Mat<const T> probe, T* shares, Mat<T> context,
                       Mat<T> label) = nullptr;

  // Backward of `label_attend`, from its inputs and the shares: activations are computed again.
  // d_base and d_probe are overwritten and may overlap no input; gradients of the maps, whose rows
  // lie without gaps, are added. Edges and sources have none.
  void (*label_attend_backward)(Schedule& schedule, Csr graph, const LabelAttention<T>& attention,
                                Mat<const T> base, Mat<const T> probe, const T* shares,
                                Mat<const T> d_context, Mat<const T> d_label, Mat<T> d_base,
                                Mat<T> d_probe, Mat<T> d_edge_map, Mat<T> d_source_map) = nullptr;

  // `label_attend` with layers of attention among the edges of a row in between: they take the
  // activations for tokens, and the query attends to what they make of them. Memory: as there.
  void (*among_attend)(Schedule& schedule, Csr graph, const LabelAttention<T>& attention,
                       const Among<const T>& among, Mat<const T> base, Mat<const T> probe,
                       T* shares, Mat<T> context, Mat<T> label) = nullptr;

  // Backward of `among_attend`, as that of `label_attend`; gradients of the layers are added.
  void (*among_attend_backward)(Schedule& schedule, Csr graph, const LabelAttention<T>& attention,
                                const Among<const T>& among, Mat<const T> base, Mat<const T> probe,
                                const T* shares, Mat<const T> d_context, Mat<const T> d_label,
                                Mat<T> d_base, Mat<T> d_probe, Mat<T> d_edge_map,
                                Mat<T> d_source_map, const Among<T>& d_among) = nullptr;

  // Turns the gradient of an epilogue's result y into that of its input, in place, and adds its
  // column sums to db (skipped when null).
  void (*epilogue_backward)(Schedule& schedule, Mat<const T> y, const Epilogue<T>& epilogue,
                            Mat<T> dy, T* db) = nullptr;

  // y = value; y = x; y += x. Of x, row i is read for row i; x and y do not overlap.
  void (*fill)(Schedule& schedule, T value, Mat<T> y) = nullptr;
  void (*copy)(Schedule& schedule, Mat<const T> x, Mat<T> y) = nullptr;
  void (*add)(Schedule& schedule, Mat<const T> x, Mat<T> y) = nullptr;

  // The weights with which graph convolution sums. With d_i = 1 + sum of weight_e over the edges
  // e = (i <- j), taken in double:
  //   root_i = d_i^-1/2, self_i = root_i^2, forward_e = root_i weight_e root_j
  // and the same for the edges of `reverse`; edge e of it is edge reverse_edge[e] of `graph`. Both
  // may be null where `backward` is not wanted.
  void (*normalise_symmetric)(Schedule& schedule, Csr graph, const double* weight, Csr reverse,
                              const std::int64_t* reverse_edge,
                              const NormalisedEdges<T>& out) = nullptr;

  // The weights of a mean over neighbours: forward_e = 1 / the number of edges of row i, for every
  // edge e = (i <- j), and the same for the edges of `reverse` (skipped when `backward` is null).
  void (*normalise_mean)(Schedule& schedule, Csr graph, Csr reverse, T* forward,
                         T* backward) = nullptr;

  // The weights that attention sees: edge_e = weight_e, and for the self loop of a node the mean of
  // its edges' weights, taken in double; 0 without edges.
  void (*weigh_loops)(Schedule& schedule, Csr graph, const double* weight, T* edge,
                      T* loop) = nullptr;

  // Sinusoidal transform: out(i, v 2S + 2s) = sin(c_iv / scale_s) and the cosine one further, for
  // v = 0, 1. Angles are computed in double.   coordinates: n x 2, out: n x 4S
  void (*sinusoidal)(const ThreadPool& pool, Mat<const double> coordinates,
                     std::span<const double> scales, Mat<T> out) noexcept = nullptr;

  // One step of Adam (Kingma and Ba, ICLR 2015) or AdamW (Loshchilov and Hutter, ICLR 2019), with
  // PyTorch's order of operations; all arrays of one length.
  void (*adam)(const ThreadPool& pool, const AdamStep& step, std::span<const T> gradient,
               std::span<T> first_moment, std::span<T> second_moment,
               std::span<T> parameters) noexcept = nullptr;

  // Scales the gradient to the length `longest` where it is longer; the squares are summed in
  // double, in order. One whose length is not a number stays as it is.
  void (*clip)(const ThreadPool& pool, double longest, std::span<T> gradient) noexcept = nullptr;

  // mean = kept mean + (1 - kept) values, element by element, with `kept` rounded to T first.
  void (*average)(const ThreadPool& pool, double kept, std::span<const T> values,
                  std::span<T> mean) noexcept = nullptr;

  // Whether no value is NaN or infinite.
  bool (*all_finite)(const ThreadPool& pool, std::span<const T> values) noexcept = nullptr;
};

// The slope of the attention's LeakyReLU below zero, from the paper.
inline constexpr double kLeakySlope = 0.2;

namespace reference {
template <class T>
const Kernels<T>& kernels();  // float and double
}  // namespace reference

namespace cpu {
const Kernels<float>& kernels();
}  // namespace cpu

// The fastest backend of this build for the type: `cpu` for float, `reference` for double.
template <class T>
const Kernels<T>& best_kernels();

}  // namespace pegnn
