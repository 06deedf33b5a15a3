#pragma once
// Work memory of the attention to labelled sources: the edges of a query are taken in pieces that
// stay in the first-level cache.

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/label_attention.h"

namespace pegnn::cpu {

// The most edges of a block, and how many there are for a width: 4,096 activations are 16 KB.
inline constexpr std::int64_t kMostBlockEdges = 256;
constexpr std::int64_t block_edges(std::int64_t width) {
  return std::clamp<std::int64_t>(4096 / padded(width) / 8 * 8, 8, kMostBlockEdges);
}

// Rows are padded; vectors may be stored up to kSlack numbers beyond the end of what is `per head`.
struct LabelScratch {
  static constexpr std::int64_t kSlack = 64;

  // A null memory: only the size is told.
  LabelScratch(float* memory, std::int64_t width, std::int64_t heads) : memory_(memory) {
    const std::int64_t columns = padded(width), edges = block_edges(width);
    activations = take(edges * columns);
    slopes = take(edges * columns);
    weights = take(edges * heads + kSlack);
    logits = take(edges * heads + kSlack);
    base = take(columns);
    d_base = take(columns);
    probe = take(heads * columns);
    context = take(heads * columns);
    d_context = take(heads * columns);
    for (float** const one : {&largest, &sum, &factor}) *one = take(heads + kSlack);
    bytes = reinterpret_cast<std::uint8_t*>(take((edges * columns + kSlack * 16) / 4));
  }

  float *activations, *slopes;  // a row for each edge of a piece
  float *weights, *logits;      // per head of each edge of a piece
  float *base, *d_base;         // one row
  float *probe, *context;       // a row for each head
  float* d_context;
  float *largest, *sum, *factor;  // per head
  std::uint8_t* bytes;            // of dropout, one for each activation
  std::int64_t size = 0;

 private:
  float* take(std::int64_t count) {
    float* const at = memory_ != nullptr ? memory_ + size : nullptr;
    size += padded(count);
    return at;
  }
  float* memory_;
};

}  // namespace pegnn::cpu
