#pragma once
// Triangular systems of at most kMostRows rows, solved on the calling thread for several right-hand
// sides side by side. The instruction set is chosen at run time (Highway).

#include <cstdint>

#include "base/matrix.h"

namespace pegnn {

inline constexpr std::int64_t kMostRows = 256;

// x <- L^-1 x, and x <- L^-T x.   l: n x n, of which the lower triangle is read; x: n x m
// Fastest when m is a multiple of 32.
void forward_substitution(Mat<const double> l, Mat<double> x) noexcept;
void backward_substitution(Mat<const double> l, Mat<double> x) noexcept;

}  // namespace pegnn
