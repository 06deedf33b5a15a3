#pragma once
// Matrix products of the layers' sizes, on the calling thread.
//
// The sums of an element are taken in an order that depends on the inner dimension and the number
// of columns alone. So a row of a result has the same bits wherever it stands and whatever stands
// beside it.

#include <cstdint>

#include "base/matrix.h"

namespace pegnn::cpu {

// Numbers that a packed right factor of inner x columns takes.
std::int64_t packed_size(std::int64_t inner, std::int64_t columns) noexcept;

// Lays out a right factor for `multiply`: b itself, or its transpose.
void pack(Mat<const float> b, float* packed) noexcept;
void pack_transposed(Mat<const float> b, float* packed) noexcept;

// c = a b, or c += a b with `accumulate`; b is packed and has a.cols rows and c.cols columns.
void multiply(Mat<const float> a, const float* packed, Mat<float> c, bool accumulate) noexcept;

// c = a^T b, or c += a^T b with `accumulate`. Meant for many rows of a and b and a c that fits into
// the cache.
void multiply_transposed(Mat<const float> a, Mat<const float> b, Mat<float> c,
                         bool accumulate) noexcept;

}  // namespace pegnn::cpu
