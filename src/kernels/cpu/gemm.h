#pragma once
// Dense products of float matrices on the calling thread: the only door to the matrix library.

#include <cstdint>

#include "base/matrix.h"

namespace pegnn::cpu {

// c = alpha-free product of op(a) and op(b), plus c when `accumulate`: c = op(a) op(b) [+ c].
// op transposes when the flag is set; shapes must agree after that. Runs on one thread whatever the
// library would like, so that its result depends on the operands alone. Every element is summed
// over the inner dimension in the same order wherever its row stands in the matrix.
void gemm(bool transpose_a, bool transpose_b, Mat<const float> a, Mat<const float> b, Mat<float> c,
          bool accumulate) noexcept;

}  // namespace pegnn::cpu
