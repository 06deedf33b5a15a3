#pragma once
// Vectorised pieces of graph attention, each on a range of rows and the calling thread; the
// contract is that of `attend` in kernels/kernels.h.

#include <cstdint>

#include "kernels/kernels.h"

namespace pegnn::cpu {

// The scores of rows [begin, end) as senders and receivers.
void attention_scores(const Attention<float>& attention, std::int64_t begin, std::int64_t end,
                      Mat<const float> x, const AttentionState<float>& state) noexcept;

// Shares and results of the receivers [begin, end), without the epilogue; all scores are known.
void attention_rows(Csr graph, std::int64_t begin, std::int64_t end,
                    const Attention<float>& attention, Mat<const float> x,
                    const AttentionState<float>& state, Mat<float> y) noexcept;

// Gradients of the logits of the receivers [begin, end); adds those of edge . edge_map to `slope`,
// one number per head.
void attention_logits_backward(Csr graph, std::int64_t begin, std::int64_t end,
                               const Attention<float>& attention, Mat<const float> x,
                               const AttentionState<float>& state, Mat<const float> dy,
                               const AttentionGradient<float>& gradient, float* slope) noexcept;

// Gradients of the senders' rows [begin, end), when those of all logits are known; adds those of
// the vectors `source` and `target` to the given sums.
void attention_senders_backward(Csr reverse, const std::int64_t* reverse_edge, std::int64_t begin,
                                std::int64_t end, const Attention<float>& attention,
                                Mat<const float> x, const AttentionState<float>& state,
                                Mat<const float> dy, const AttentionGradient<float>& gradient,
                                Mat<float> dx, float* source, float* target) noexcept;

}  // namespace pegnn::cpu
