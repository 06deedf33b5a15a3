#pragma once
// What is done to single tiles of a triangular matrix, on the calling thread. Tiles have at most
// packed::kDepth rows and columns.

#include "base/matrix.h"
#include "linalg/product.h"

namespace pegnn {

// rows <- rows op(L)^-1.   l: n x n, of which the lower triangle is read; rows: m x n, any m
void solve_from_right(Mat<const double> l, Form form, Mat<double> rows) noexcept;

// Replaces the lower triangle by its Cholesky factor; false where it is not positive definite.
[[nodiscard]] bool factor_tile(Mat<double> a) noexcept;

// Replaces the lower triangle L by that of L^-1.
void invert_tile(Mat<double> l) noexcept;

}  // namespace pegnn
