// Backward of the attention to labelled sources: the activations of a query are computed again,
// with their slopes, piece by piece of its edges.

#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/label_attention_backward.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <algorithm>
#include <utility>

#include "kernels/cpu/label_attention.h"
#include "kernels/cpu/label_scratch.h"
#include "kernels/cpu/vectors.inc"
#include "kernels/cpu/vectors_dropout.inc"
#include "kernels/cpu/vectors_tiles.inc"

HWY_BEFORE_NAMESPACE();
namespace pegnn::cpu::HWY_NAMESPACE {
namespace {

// Adds d_label times the labels to the gradients of the piece's shares, in place of its logits, and
// what they come to on average to `mean`.
void shares_backward(const Piece& piece, std::int64_t heads, const float* d_label,
                     const float* shares, float* d_shares, float* mean) {
  for_heads(heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    const auto to_label = io.load(d, d_label + h);
    auto sum = io.load(d, mean + h);
    for (std::int64_t e = 0; e < piece.edges; ++e) {
      float* const at = d_shares + e * heads + h;
      const auto gradient = hn::MulAdd(to_label, hn::Set(d, piece.labels[e]), io.load(d, at));
      sum = hn::MulAdd(io.load(d, shares + e * heads + h), gradient, sum);
      io.store(gradient, d, at);
    }
    io.store(sum, d, mean + h);
  });
}

// Turns the gradients of shares into those of logits.
void softmax_backward(std::int64_t edges, std::int64_t heads, const float* mean,
                      const float* shares, float* gradients) {
  for_heads(heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    const auto average = io.load(d, mean + h);
    for (std::int64_t e = 0; e < edges; ++e) {
      float* const at = gradients + e * heads + h;
      const auto share = io.load(d, shares + e * heads + h);
      io.store(hn::Mul(share, hn::Sub(io.load(d, at), average)), d, at);
    }
  });
}

// Turns slopes into gradients of what was activated, and adds their sum over the edges to d_base.
void activations_backward(std::int64_t edges, std::int64_t heads, std::int64_t columns,
                          const float* HWY_RESTRICT shares, const float* HWY_RESTRICT d_context,
                          const float* HWY_RESTRICT d_logits, const float* HWY_RESTRICT probe,
                          float* HWY_RESTRICT slopes, float* HWY_RESTRICT d_base) {
  const Floats d;
  for_columns(columns, [&]<int V>(std::int64_t c) HWY_ATTR {
    Vector total[std::size_t{V}];
    repeat<V>([&](auto v) PEGNN_INLINED { total[v] = hn::LoadU(d, d_base + c + v * kLanes); });
    for_tiles<kTileRows>(0, edges, [&]<int R>(std::int64_t e) HWY_ATTR {
      Tile<R, V> sums;
      sums.for_each([&](Vector& sum, int, int) PEGNN_INLINED { sum = hn::Zero(d); });
      for (std::int64_t h = 0; h < heads; ++h) {
        const float* const share = shares + e * heads + h;
        sums.add(d_context + h * columns + c, [&](int r) HWY_ATTR { return share[r * heads]; });
        const float* const logit = d_logits + e * heads + h;
        sums.add(probe + h * columns + c, [&](int r) HWY_ATTR { return logit[r * heads]; });
      }
      sums.for_each([&](Vector& sum, auto r, auto v) PEGNN_INLINED {
        float* const at = slopes + (e + r) * columns + c + v * kLanes;
        const Vector gradient = hn::Mul(sum, hn::LoadU(d, at));
        hn::StoreU(gradient, d, at);
        total[v] = hn::Add(total[v], gradient);
      });
    });
    repeat<V>([&](auto v) PEGNN_INLINED { hn::StoreU(total[v], d, d_base + c + v * kLanes); });
  });
}

// maps[k] += sum over the edges of rows[e][k] gradient e, for `inputs` numbers k.
void maps_backward(std::int64_t edges, std::int64_t inputs, std::int64_t columns,
                   const float* const* rows, const float* HWY_RESTRICT gradients,
                   float* HWY_RESTRICT maps) {
  const Floats d;
  for_columns(columns, [&]<int V>(std::int64_t c) HWY_ATTR {
    for_tiles<kTileRows>(0, inputs, [&]<int R>(std::int64_t k) HWY_ATTR {
      Tile<R, V> sums;
      float* const to = maps + k * columns + c;
      sums.for_each([&](Vector& sum, int r, int v)
                        PEGNN_INLINED { sum = hn::LoadU(d, to + r * columns + v * kLanes); });
      for (std::int64_t e = 0; e < edges; ++e) {
        const float* const row = rows[e] + k;
        sums.add(gradients + e * columns + c, [&](int r) HWY_ATTR { return row[r]; });
      }
      sums.for_each([&](Vector& sum, int r, int v)
                        PEGNN_INLINED { hn::StoreU(sum, d, to + r * columns + v * kLanes); });
    });
  });
}

// One query; `shares` are those of its edges.
void query_backward(const LabelInputs& in, std::int64_t i, const float* shares,
                    const float* d_context, const float* d_label, float* d_base, float* d_probe,
                    float* maps, const LabelScratch& s) {
  const std::int64_t heads = in.attention.heads, width = in.base.cols, columns = padded(width);
  const std::int64_t edges = in.graph.offsets[i + 1] - in.graph.offsets[i];
  const std::int64_t step = piece_edges(width), edge_inputs = in.attention.edges.cols;
  const float* const base = with_padding(in.base.row(i), 1, width, s.base);
  const float* const probe = with_padding(in.probe.row(i), heads, width, s.probe);
  d_context = with_padding(d_context, heads, width, s.d_context);
  float* const base_sum = columns == width ? d_base : s.d_base;
  float* const probe_sum = columns == width ? d_probe : s.context;
  const auto begin_piece = [&](std::int64_t first) HWY_ATTR {
    const std::int64_t edge = in.graph.offsets[i] + first;
    const Piece piece(in, edge, std::min(step, edges - first));
    activate<true>(in, piece, edge, base, s);
    head_dots(piece.edges, heads, columns, d_context, s.activations, s.logits);
    return piece;
  };
  std::fill_n(base_sum, columns, 0.0F);
  std::fill_n(s.sum, heads, 0.0F);
  std::fill_n(s.factor, heads, 0.0F);
  // With several pieces, the mean is known only after a first pass over all of them; what the
  // second adds up (`factor`) is then of no use.
  for (std::int64_t first = 0; first < edges && edges > step; first += step) {
    const Piece piece = begin_piece(first);
    shares_backward(piece, heads, d_label, shares + first * heads, s.logits, s.sum);
  }
  for (std::int64_t first = 0; first < edges; first += step) {
    const Piece piece = begin_piece(first);
    const float* const of_piece = shares + first * heads;
    shares_backward(piece, heads, d_label, of_piece, s.logits, edges > step ? s.factor : s.sum);
    softmax_backward(piece.edges, heads, s.sum, of_piece, s.logits);
    head_sums(piece.edges, heads, columns, s.logits, s.activations, first > 0, nullptr, probe_sum);
    activations_backward(piece.edges, heads, columns, of_piece, d_context, s.logits, probe,
                         s.slopes, base_sum);
    maps_backward(piece.edges, edge_inputs, columns, piece.edge_rows, s.slopes, maps);
    maps_backward(piece.edges, in.attention.sources.cols, columns, piece.source_rows, s.slopes,
                  maps + edge_inputs * columns);
  }
  without_padding(base_sum, 1, width, d_base);
  without_padding(probe_sum, heads, width, d_probe);
}

void label_attention_rows_backward(const LabelInputs& in, std::int64_t begin, std::int64_t end,
                                   const float* shares, Mat<const float> d_context,
                                   Mat<const float> d_label, Mat<float> d_base, Mat<float> d_probe,
                                   float* maps, float* scratch) {
  const std::int64_t heads = in.attention.heads;
  const LabelScratch s(scratch, in.base.cols, heads);
  for (std::int64_t i = begin; i < end; ++i) {
    if (i + 1 < end) prefetch_sources(in, i + 1);
    const std::int64_t first = in.graph.offsets[i];
    if (first == in.graph.offsets[i + 1]) {
      std::fill_n(d_base.row(i), d_base.cols, 0.0F);
      std::fill_n(d_probe.row(i), d_probe.cols, 0.0F);
      continue;
    }
    query_backward(in, i, shares + first * heads, d_context.row(i), d_label.row(i), d_base.row(i),
                   d_probe.row(i), maps, s);
  }
}

}  // namespace
}  // namespace pegnn::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::cpu {

HWY_EXPORT(label_attention_rows_backward);

void label_attention_rows_backward(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                                   const float* shares, Mat<const float> d_context,
                                   Mat<const float> d_label, Mat<float> d_base, Mat<float> d_probe,
                                   float* maps, float* scratch) noexcept {
  HWY_DYNAMIC_DISPATCH(label_attention_rows_backward)
  (inputs, begin, end, shares, d_context, d_label, d_base, d_probe, maps, scratch);
}

}  // namespace pegnn::cpu
#endif  // HWY_ONCE
