#pragma once
// Vectorised attention to labelled sources, on a range of queries and the calling thread; the
// contract is that of `label_attend` in kernels/kernels.h.

#include <cstdint>

#include "kernels/kernels.h"

namespace pegnn::cpu {

// Rows of `width` numbers are padded with zeros to whole vectors of any instruction set.
constexpr std::int64_t padded(std::int64_t width) { return (width + 15) / 16 * 16; }

// Both maps, transposed and padded: a row of padded(width) for each input, those of edges first.
std::int64_t packed_maps_size(const LabelAttention<float>& attention) noexcept;
void pack_maps(const LabelAttention<float>& attention, float* packed) noexcept;

// Numbers of work memory, whatever the number of edges, aligned to a cache line.
std::int64_t label_scratch_size(const LabelAttention<float>& attention) noexcept;

// What the two passes read, and where they work.
struct LabelInputs {
  Csr graph;
  LabelAttention<float> attention;
  const float* packed_maps;
  Mat<const float> base, probe;
};

// Queries [begin, end) of `label_attend`.
void label_attention_rows(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                          float* shares, Mat<float> context, Mat<float> label,
                          float* scratch) noexcept;

// Queries [begin, end) of `label_attend_backward`; adds the gradients of the packed maps to `maps`.
void label_attention_rows_backward(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                                   const float* shares, Mat<const float> d_context,
                                   Mat<const float> d_label, Mat<float> d_base, Mat<float> d_probe,
                                   float* maps, float* scratch) noexcept;

// The same in two steps, for what happens in between: tokens have a padded row for each edge of the
// queries [begin, end), the first of them at `tokens`.
//
// What `label_attend` calls activations and, unless null, their slopes.
void label_tokens(const LabelInputs& inputs, std::int64_t begin, std::int64_t end, float* tokens,
                  float* slopes, float* scratch) noexcept;
// Its backward; overwrites d_base and d_tokens, and adds the gradients of the packed maps to
// `maps`.
void label_tokens_backward(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                           float* d_tokens, const float* slopes, Mat<float> d_base, float* maps,
                           float* scratch) noexcept;

// The queries' attention to their tokens.
void token_attention_rows(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                          const float* tokens, float* shares, Mat<float> context, Mat<float> label,
                          float* scratch) noexcept;
// Its backward; overwrites d_probe and d_tokens.
void token_attention_rows_backward(const LabelInputs& inputs, std::int64_t begin, std::int64_t end,
                                   const float* tokens, const float* shares,
                                   Mat<const float> d_context, Mat<const float> d_label,
                                   Mat<float> d_probe, float* d_tokens, float* scratch) noexcept;

}  // namespace pegnn::cpu
