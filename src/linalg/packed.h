#pragma once
// Products of packed factors on all threads, tile by tile; what `product` and the factorisation
// are made of.

#include <cstdint>

#include "base/matrix.h"
#include "base/thread_pool.h"
#include "linalg/packed_kernel.h"

namespace pegnn::packed {

// Packs the rows of op(x) as a left factor, or its columns as a right one, on all threads.
void pack_left(const ThreadPool& pool, Mat<const double> x, Form form, double* out);
void pack_right(const ThreadPool& pool, Mat<const double> x, Form form, double* out);

// c <- beta c + alpha left right, for the elements (i, j) of c with j <= i + diagonal.
void multiply(const ThreadPool& pool, double alpha, const double* left, const double* right,
              std::int64_t depth, double beta, Mat<double> c, std::int64_t diagonal);

}  // namespace pegnn::packed
