// Attention to labelled sources: activations, logits, softmax and sums of a query, block by block
// of its edges, with what was found so far rescaled where a block has a larger logit.

#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/label_attention.cpp"
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

// Takes the largest logit so far off those of the block. For the blocks before, `factor` says by
// what their weights shrink; the first has none before it.
void subtract_largest(std::int64_t edges, std::int64_t heads, bool first, const LabelScratch& s) {
  for_heads(heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    auto largest = io.load(d, (first ? s.logits : s.largest) + h);
    const auto before = largest;
    for (std::int64_t e = 0; e < edges; ++e) {
      largest = hn::Max(largest, io.load(d, s.logits + e * heads + h));
    }
    for (std::int64_t e = 0; e < edges; ++e) {
      float* const logit = s.logits + e * heads + h;
      io.store(hn::Sub(io.load(d, logit), largest), d, logit);
    }
    io.store(hn::Sub(before, largest), d, s.factor + h);
    io.store(largest, d, s.largest + h);
  });
}

void add_log_weights(std::int64_t edges, std::int64_t heads, const float* weights, float* logits) {
  for_heads(heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    for (std::int64_t e = 0; e < edges; ++e) {
      float* const logit = logits + e * heads + h;
      io.store(hn::Add(io.load(d, logit), hn::Set(d, weights[e])), d, logit);
    }
  });
}

void exponentials(std::int64_t n, const float* from, float* to) {
  const Floats d;
  for_vectors(d, n, [&](std::int64_t j, auto io) HWY_ATTR {
    const Vector x = io.load(d, from + j);
    io.store(hn::IfThenElse(hn::IsNaN(x), x, exponential(x)), d, to + j);
  });
}

// values[r * heads + h] *= by[h].
void scale_heads(std::int64_t rows, std::int64_t heads, const float* by, float* values) {
  for_heads(heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    const auto factor = io.load(d, by + h);
    for (std::int64_t r = 0; r < rows; ++r) {
      io.store(hn::Mul(io.load(d, values + r * heads + h), factor), d, values + r * heads + h);
    }
  });
}

// Shrinks what the pieces before have left, `edges` edges in all.
void rescale(std::int64_t edges, std::int64_t heads, std::int64_t columns, float* shares,
             float* context, float* label, const LabelScratch& s) {
  exponentials(heads, s.factor, s.factor);
  scale_heads(1, heads, s.factor, s.sum);
  scale_heads(1, heads, s.factor, label);
  if (shares != nullptr) scale_heads(edges, heads, s.factor, shares);
  const Floats d;
  for (std::int64_t h = 0; h < heads; ++h) {
    const Vector factor = hn::Set(d, s.factor[h]);
    for (std::int64_t c = h * columns; c < (h + 1) * columns; c += kLanes) {
      hn::StoreU(hn::Mul(hn::LoadU(d, context + c), factor), d, context + c);
    }
  }
}

// Adds the piece's weights to their sum and the weighted labels to theirs.
void sum_weights(const EdgeBlock& block, std::int64_t heads, bool first, const float* weights,
                 float* label, float* total) {
  for_heads(heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    auto sum = hn::Zero(d), labels = hn::Zero(d);
    if (!first) {
      sum = io.load(d, total + h);
      labels = io.load(d, label + h);
    }
    for (std::int64_t e = 0; e < block.edges; ++e) {
      const auto weight = io.load(d, weights + e * heads + h);
      sum = hn::Add(sum, weight);
      labels = hn::MulAdd(weight, hn::Set(d, block.labels[e]), labels);
    }
    io.store(sum, d, total + h);
    io.store(labels, d, label + h);
  });
}

// What divides by the sums of the weights; the largest weight is 1.
void reciprocals(std::int64_t n, const float* of, float* to) {
  const Floats d;
  for_vectors(d, n, [&](std::int64_t j, auto io) HWY_ATTR {
    io.store(hn::Div(hn::Set(d, 1.0F), io.load(d, of + j)), d, to + j);
  });
}

// One query with at least one edge. `shares` are those of its edges, or null. values(block, first)
// are what it attends to: a padded row for each edge of the block, which begins at its edge
// `first`.
template <class Values>
HWY_INLINE void attend_query(const LabelInputs& in, std::int64_t i, float* shares, float* context,
                             float* label, const LabelScratch& s, Values&& values) {
  const std::int64_t heads = in.attention.heads, width = in.base.cols, columns = padded(width);
  const std::int64_t edges = in.graph.offsets[i + 1] - in.graph.offsets[i];
  const float* const probe = with_padding(in.probe.row(i), heads, width, s.probe);
  float* const sums = columns == width ? context : s.context;
  for (std::int64_t first = 0; first < edges; first += block_edges(width)) {
    const std::int64_t edge = in.graph.offsets[i] + first;
    const EdgeBlock block(in, edge, std::min(block_edges(width), edges - first));
    const float* const rows = values(block, first);
    head_dots(block.edges, heads, columns, probe, rows, s.logits);
    if (in.attention.log_weights != nullptr) {
      add_log_weights(block.edges, heads, in.attention.log_weights + edge, s.logits);
    }
    subtract_largest(block.edges, heads, first == 0, s);
    if (first > 0) rescale(first, heads, columns, shares, sums, label, s);
    float* const weights = shares != nullptr ? shares + first * heads : s.weights;
    exponentials(block.edges * heads, s.logits, weights);
    sum_weights(block, heads, first == 0, weights, label, s.sum);
    const bool last = first + block.edges == edges;
    if (last) reciprocals(heads, s.sum, s.factor);
    head_sums(block.edges, heads, columns, weights, rows, first > 0, last ? s.factor : nullptr,
              sums);
  }
  scale_heads(1, heads, s.factor, label);
  if (shares != nullptr) scale_heads(edges, heads, s.factor, shares);
  without_padding(sums, heads, width, context);
}

// Calls attend(i, shares of its edges or null) for the queries that have edges.
template <class F>
HWY_INLINE void for_queries(const LabelInputs& in, std::int64_t begin, std::int64_t end,
                            float* shares, Mat<float> context, Mat<float> label, F&& attend) {
  for (std::int64_t i = begin; i < end; ++i) {
    if (i + 1 < end) prefetch_sources(in, i + 1);
    const std::int64_t first = in.graph.offsets[i];
    if (first == in.graph.offsets[i + 1]) {
      std::fill_n(context.row(i), context.cols, 0.0F);
      std::fill_n(label.row(i), label.cols, 0.0F);
      continue;
    }
    attend(i, shares != nullptr ? shares + first * in.attention.heads : nullptr);
  }
}

void label_attention_rows(const LabelInputs& in, std::int64_t begin, std::int64_t end,
                          float* shares, Mat<float> context, Mat<float> label, float* scratch) {
  const LabelScratch s(scratch, in.base.cols, in.attention.heads);
  for_queries(in, begin, end, shares, context, label, [&](std::int64_t i, float* kept) HWY_ATTR {
    const float* const base = with_padding(in.base.row(i), 1, in.base.cols, s.base);
    attend_query(in, i, kept, context.row(i), label.row(i), s,
                 [&](const EdgeBlock& block, std::int64_t first) HWY_ATTR {
                   activate<false>(in, block, in.graph.offsets[i] + first, base, s);
                   return s.activations;
                 });
  });
}

void token_attention_rows(const LabelInputs& in, std::int64_t begin, std::int64_t end,
                          const float* tokens, float* shares, Mat<float> context, Mat<float> label,
                          float* scratch) {
  const LabelScratch s(scratch, in.base.cols, in.attention.heads);
  const std::int64_t columns = padded(in.base.cols);
  for_queries(in, begin, end, shares, context, label, [&](std::int64_t i, float* kept) HWY_ATTR {
    const float* const own = tokens + (in.graph.offsets[i] - in.graph.offsets[begin]) * columns;
    attend_query(in, i, kept, context.row(i), label.row(i), s,
                 [&](const EdgeBlock&, std::int64_t first)
                     HWY_ATTR { return own + first * columns; });
  });
}

}  // namespace
}  // namespace pegnn::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::cpu {

HWY_EXPORT(label_attention_rows);
HWY_EXPORT(token_attention_rows);

std::int64_t packed_maps_size(const LabelAttention<float>& attention) noexcept {
  return (attention.edges.cols + attention.sources.cols) * padded(attention.edge_map.rows);
}

void pack_maps(const LabelAttention<float>& attention, float* packed) noexcept {
  const std::int64_t columns = padded(attention.edge_map.rows);
  for (const Mat<const float>& map : {attention.edge_map, attention.source_map}) {
    for (std::int64_t k = 0; k < map.cols; ++k, packed += columns) {
      for (std::int64_t c = 0; c < map.rows; ++c) packed[c] = map(c, k);
      std::fill(packed + map.rows, packed + columns, 0.0F);
    }
  }
}

std::int64_t label_scratch_size(const LabelAttention<float>& attention) noexcept {
  return LabelScratch(nullptr, attention.edge_map.rows, attention.heads).size;
}

void label_attention_rows(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                          float* shares, Mat<float> context, Mat<float> label,
                          float* scratch) noexcept {
  HWY_DYNAMIC_DISPATCH(label_attention_rows)(inputs, begin, end, shares, context, label, scratch);
}
void token_attention_rows(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                          const float* tokens, float* shares, Mat<float> context, Mat<float> label,
                          float* scratch) noexcept {
  HWY_DYNAMIC_DISPATCH(token_attention_rows)
  (inputs, begin, end, tokens, shares, context, label, scratch);
}

}  // namespace pegnn::cpu
#endif  // HWY_ONCE
