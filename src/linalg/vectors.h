#pragma once
// Sums over vectors, on the calling thread: what a product with one column is made of. The
// instruction set is chosen at run time (Highway).

#include <cstdint>

#include "base/matrix.h"

namespace pegnn {

// sum of x_i y_i, added in an order that depends on n alone.
double dot(std::int64_t n, const double* x, const double* y) noexcept;

// y_j += sum_i weight_i a_ij.   a: rows x cols, weight: rows, y: cols
void add_weighted_rows(Mat<const double> a, const double* weight, double* y) noexcept;

}  // namespace pegnn
