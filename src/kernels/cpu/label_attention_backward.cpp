// Backward of the attention to labelled sources: the activations of a query are computed again,
// with their slopes, block by block of its edges.

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
void shares_backward(const EdgeBlock& block, std::int64_t heads, const float* d_label,
                     const float* shares, float* d_shares, float* mean) {
  for_heads(heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    const auto to_label = io.load(d, d_label + h);
    auto sum = io.load(d, mean + h);
    for (std::int64_t e = 0; e < block.edges; ++e) {
      float* const at = d_shares + e * heads + h;
      const auto gradient = hn::MulAdd(to_label, hn::Set(d, block.labels[e]), io.load(d, at));
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

// Gradients of what was attended to. With kSlopes they take the place of the slopes, by which they
// are multiplied, and their sum over the edges is added to d_base.
template <bool kSlopes>
HWY_INLINE void activations_backward(std::int64_t edges, std::int64_t heads, std::int64_t columns,
                                     const float* HWY_RESTRICT shares,
                                     const float* HWY_RESTRICT d_context,
                                     const float* HWY_RESTRICT d_logits,
                                     const float* HWY_RESTRICT probe, float* HWY_RESTRICT gradients,
                                     float* HWY_RESTRICT d_base) {
  const Floats d;
  for_columns(columns, [&]<int V>(std::int64_t c) HWY_ATTR {
    Vector total[std::size_t{V}];
    repeat<V>([&](auto v) PEGNN_INLINED {
      total[v] = kSlopes ? hn::LoadU(d, d_base + c + v * kLanes) : hn::Zero(d);
    });
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
        float* const at = gradients + (e + r) * columns + c + v * kLanes;
        const Vector gradient = kSlopes ? hn::Mul(sum, hn::LoadU(d, at)) : sum;
        hn::StoreU(gradient, d, at);
        total[v] = hn::Add(total[v], gradient);
      });
    });
    if constexpr (!kSlopes) return;
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

// One query; `shares` are those of its edges. values(block, first) are what it attended to, a
// padded row for each edge of the block, which begins at its edge `first`; then(block, first,
// shares) goes on with the gradients of the piece's logits, which stand where the logits were.
template <class Values, class Then>
HWY_INLINE void query_backward(const LabelInputs& in, std::int64_t i, const float* shares,
                               const float* d_context, const float* d_label, float* d_probe,
                               const LabelScratch& s, Values&& values, Then&& then) {
  const std::int64_t heads = in.attention.heads, width = in.base.cols, columns = padded(width);
  const std::int64_t edges = in.graph.offsets[i + 1] - in.graph.offsets[i];
  const std::int64_t step = block_edges(width);
  float* const probe_sum = columns == width ? d_probe : s.context;
  const auto block_at = [&](std::int64_t first) HWY_ATTR {
    return EdgeBlock(in, in.graph.offsets[i] + first, std::min(step, edges - first));
  };
  std::fill_n(s.sum, heads, 0.0F);
  std::fill_n(s.factor, heads, 0.0F);
  // With several pieces, the mean is known only after a first pass over all of them; what the
  // second adds up (`factor`) is then of no use.
  for (std::int64_t first = 0; first < edges && edges > step; first += step) {
    const EdgeBlock block = block_at(first);
    head_dots(block.edges, heads, columns, d_context, values(block, first), s.logits);
    shares_backward(block, heads, d_label, shares + first * heads, s.logits, s.sum);
  }
  for (std::int64_t first = 0; first < edges; first += step) {
    const EdgeBlock block = block_at(first);
    const float* const rows = values(block, first);
    head_dots(block.edges, heads, columns, d_context, rows, s.logits);
    const float* const of_block = shares + first * heads;
    shares_backward(block, heads, d_label, of_block, s.logits, edges > step ? s.factor : s.sum);
    softmax_backward(block.edges, heads, s.sum, of_block, s.logits);
    head_sums(block.edges, heads, columns, s.logits, rows, first > 0, nullptr, probe_sum);
    then(block, first, of_block);
  }
  without_padding(probe_sum, heads, width, d_probe);
}

// Calls f(i) for the queries that have edges; the others' rows are zero. d_base may have no data.
template <class F>
HWY_INLINE void for_queries(const LabelInputs& in, std::int64_t begin, std::int64_t end,
                            Mat<float> d_base, Mat<float> d_probe, F&& f) {
  for (std::int64_t i = begin; i < end; ++i) {
    if (i + 1 < end) prefetch_sources(in, i + 1);
    if (in.graph.offsets[i] == in.graph.offsets[i + 1]) {
      std::fill_n(d_base.row(i), d_base.cols, 0.0F);
      std::fill_n(d_probe.row(i), d_probe.cols, 0.0F);
      continue;
    }
    f(i);
  }
}

// The gradients of what was activated go to the maps.
HWY_INLINE void block_maps_backward(const LabelInputs& in, const EdgeBlock& block,
                                    const float* gradients, float* maps) {
  const std::int64_t columns = padded(in.base.cols), inputs = in.attention.edges.cols;
  maps_backward(block.edges, inputs, columns, block.edge_rows, gradients, maps);
  maps_backward(block.edges, in.attention.sources.cols, columns, block.source_rows, gradients,
                maps + inputs * columns);
}

void label_attention_rows_backward(const LabelInputs& in, std::int64_t begin, std::int64_t end,
                                   const float* shares, Mat<const float> d_context,
                                   Mat<const float> d_label, Mat<float> d_base, Mat<float> d_probe,
                                   float* maps, float* scratch) {
  const std::int64_t heads = in.attention.heads, width = in.base.cols, columns = padded(width);
  const LabelScratch s(scratch, width, heads);
  for_queries(in, begin, end, d_base, d_probe, [&](std::int64_t i) HWY_ATTR {
    const float* const base = with_padding(in.base.row(i), 1, width, s.base);
    const float* const probe = with_padding(in.probe.row(i), heads, width, s.probe);
    const float* const to_context = with_padding(d_context.row(i), heads, width, s.d_context);
    float* const base_sum = columns == width ? d_base.row(i) : s.d_base;
    std::fill_n(base_sum, columns, 0.0F);
    query_backward(
        in, i, shares + in.graph.offsets[i] * heads, to_context, d_label.row(i), d_probe.row(i), s,
        [&](const EdgeBlock& block, std::int64_t first) HWY_ATTR {
          activate<true>(in, block, in.graph.offsets[i] + first, base, s);
          return s.activations;
        },
        [&](const EdgeBlock& block, std::int64_t, const float* of_block) HWY_ATTR {
          activations_backward<true>(block.edges, heads, columns, of_block, to_context, s.logits,
                                     probe, s.slopes, base_sum);
          block_maps_backward(in, block, s.slopes, maps);
        });
    without_padding(base_sum, 1, width, d_base.row(i));
  });
}

void token_attention_rows_backward(const LabelInputs& in, std::int64_t begin, std::int64_t end,
                                   const float* tokens, const float* shares,
                                   Mat<const float> d_context, Mat<const float> d_label,
                                   Mat<float> d_probe, float* d_tokens, float* scratch) {
  const std::int64_t heads = in.attention.heads, width = in.base.cols, columns = padded(width);
  const LabelScratch s(scratch, width, heads);
  for_queries(in, begin, end, {}, d_probe, [&](std::int64_t i) HWY_ATTR {
    const float* const probe = with_padding(in.probe.row(i), heads, width, s.probe);
    const float* const to_context = with_padding(d_context.row(i), heads, width, s.d_context);
    const std::int64_t own = (in.graph.offsets[i] - in.graph.offsets[begin]) * columns;
    query_backward(
        in, i, shares + in.graph.offsets[i] * heads, to_context, d_label.row(i), d_probe.row(i), s,
        [&](const EdgeBlock&, std::int64_t first)
            HWY_ATTR { return tokens + own + first * columns; },
        [&](const EdgeBlock& block, std::int64_t first, const float* of_block) HWY_ATTR {
          activations_backward<false>(block.edges, heads, columns, of_block, to_context, s.logits,
                                      probe, d_tokens + own + first * columns, nullptr);
        });
  });
}

void label_tokens(const LabelInputs& in, std::int64_t begin, std::int64_t end, float* tokens,
                  float* slopes, float* scratch) {
  const std::int64_t width = in.base.cols, columns = padded(width), step = block_edges(width);
  LabelScratch s(scratch, width, in.attention.heads);
  s.activations = tokens;
  s.slopes = slopes;
  for (std::int64_t i = begin; i < end; ++i) {
    const float* const base = with_padding(in.base.row(i), 1, width, s.base);
    const std::int64_t last = in.graph.offsets[i + 1];
    for (std::int64_t edge = in.graph.offsets[i]; edge < last; edge += step) {
      const EdgeBlock block(in, edge, std::min(step, last - edge));
      if (slopes != nullptr) {
        activate<true>(in, block, edge, base, s);
        s.slopes += block.edges * columns;
      } else {
        activate<false>(in, block, edge, base, s);
      }
      s.activations += block.edges * columns;
    }
  }
}

void label_tokens_backward(const LabelInputs& in, std::int64_t begin, std::int64_t end,
                           float* d_tokens, const float* slopes, Mat<float> d_base, float* maps,
                           float* scratch) {
  const Floats d;
  const std::int64_t width = in.base.cols, columns = padded(width), step = block_edges(width);
  const LabelScratch s(scratch, width, in.attention.heads);
  for (std::int64_t i = begin; i < end; ++i) {
    float* const base_sum = columns == width ? d_base.row(i) : s.d_base;
    std::fill_n(base_sum, columns, 0.0F);
    const std::int64_t last = in.graph.offsets[i + 1];
    for (std::int64_t edge = in.graph.offsets[i]; edge < last; edge += step) {
      const EdgeBlock block(in, edge, std::min(step, last - edge));
      for (std::int64_t e = 0; e < block.edges; ++e) {
        for (std::int64_t c = 0; c < columns; c += kLanes) {
          float* const at = d_tokens + e * columns + c;
          const Vector gradient = hn::Mul(hn::LoadU(d, at), hn::LoadU(d, slopes + e * columns + c));
          hn::StoreU(gradient, d, at);
          hn::StoreU(hn::Add(hn::LoadU(d, base_sum + c), gradient), d, base_sum + c);
        }
      }
      block_maps_backward(in, block, d_tokens, maps);
      d_tokens += block.edges * columns;
      slopes += block.edges * columns;
    }
    without_padding(base_sum, 1, width, d_base.row(i));
  }
}

}  // namespace
}  // namespace pegnn::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::cpu {

HWY_EXPORT(label_attention_rows_backward);
HWY_EXPORT(token_attention_rows_backward);
HWY_EXPORT(label_tokens);
HWY_EXPORT(label_tokens_backward);

void label_attention_rows_backward(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                                   const float* shares, Mat<const float> d_context,
                                   Mat<const float> d_label, Mat<float> d_base, Mat<float> d_probe,
                                   float* maps, float* scratch) noexcept {
  HWY_DYNAMIC_DISPATCH(label_attention_rows_backward)
  (inputs, begin, end, shares, d_context, d_label, d_base, d_probe, maps, scratch);
}
void token_attention_rows_backward(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                                   const float* tokens, const float* shares,
                                   Mat<const float> d_context, Mat<const float> d_label,
                                   Mat<float> d_probe, float* d_tokens, float* scratch) noexcept {
  HWY_DYNAMIC_DISPATCH(token_attention_rows_backward)
  (inputs, begin, end, tokens, shares, d_context, d_label, d_probe, d_tokens, scratch);
}
void label_tokens(const LabelInputs& inputs, std::int64_t begin, std::int64_t end, float* tokens,
                  float* slopes, float* scratch) noexcept {
  HWY_DYNAMIC_DISPATCH(label_tokens)(inputs, begin, end, tokens, slopes, scratch);
}
void label_tokens_backward(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                           float* d_tokens, const float* slopes, Mat<float> d_base, float* maps,
                           float* scratch) noexcept {
  HWY_DYNAMIC_DISPATCH(label_tokens_backward)
  (inputs, begin, end, d_tokens, slopes, d_base, maps, scratch);
}

}  // namespace pegnn::cpu
#endif  // HWY_ONCE
