#pragma once
// Symmetric positive definite systems of any size, in double.
//
// The matrix is cut into square tiles of a fixed size; each tile is computed by one thread in a
// fixed order of operations, so that results do not depend on the number of threads. Factor and
// inverse are computed in place, with work memory of 4 KB per row.

#include <cstdint>
#include <functional>

#include "base/matrix.h"
#include "base/thread_pool.h"

namespace pegnn {

// Replaces the lower triangle of the n x n matrix `a` by its Cholesky factor L, a = L L^T; what
// stands above the diagonal is neither read nor written. Returns true, or false when a is not
// positive definite (a is then partly overwritten). `between` is called before every panel and may
// throw, to stop.
[[nodiscard]] bool cholesky(const ThreadPool& pool, Mat<double> a,
                            const std::function<void()>& between = {});

// b <- L^-1 b, and b <- L^-T b.   l: n x n with the factor in its lower triangle, b: n x m
void solve_lower(const ThreadPool& pool, Mat<const double> l, Mat<double> b);
void solve_lower_transposed(const ThreadPool& pool, Mat<const double> l, Mat<double> b);

// Replaces the factor in the lower triangle by the lower triangle of (L L^T)^-1.
void invert_from_cholesky(const ThreadPool& pool, Mat<double> l);

// sum of log L_ii, twice: the logarithm of the determinant of L L^T.
double log_determinant(Mat<const double> l);

}  // namespace pegnn
