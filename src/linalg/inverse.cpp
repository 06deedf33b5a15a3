#include <algorithm>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "linalg/cholesky.h"
#include "linalg/packed.h"
#include "linalg/substitution.h"
#include "linalg/tile.h"

namespace pegnn {
namespace {

using packed::kDepth;
using packed::kTileColumns;

struct Work {
  AlignedBuffer<double> left, right, tile;
};

// L <- L^-1. With the rows above panel k inverted, row k is L_kk^-1 times what has gathered in it;
// each later row i gathers -L_ik times that row, and -L_ik L_kk^-1 in column k itself.
void invert_triangle(const ThreadPool& pool, Mat<double> l, Work& work) {
  const std::int64_t n = l.rows;
  for (std::int64_t k = 0; k < n; k += kDepth) {
    const std::int64_t width = std::min(kDepth, n - k), next = k + width;
    const Mat<double> row = l.block(k, width), diagonal = row.columns(k, width);
    const Mat<double> later = l.block(next, n - next), below = later.columns(k, width);
    pool.for_blocks(k, kTileColumns, [&](std::int64_t begin, std::int64_t end) {
      const Mat<double> some = row.columns(begin, end - begin);
      forward_substitution(diagonal, some);
      packed::pack_right(some, Form::plain, work.right.data() + begin * width);
    });
    pool.for_blocks(below.rows, kTileColumns, [&](std::int64_t begin, std::int64_t end) {
      const Mat<double> some = below.block(begin, end - begin);
      packed::pack_left(some, Form::plain, work.left.data() + begin * width);
      solve_from_right(diagonal, Form::plain, some);
      for (std::int64_t i = 0; i < some.rows; ++i) {
        for (std::int64_t j = 0; j < width; ++j) some(i, j) = -some(i, j);
      }
    });
    packed::multiply(pool, -1, work.left.data(), work.right.data(), width, 1, later.columns(0, k),
                     packed::kEverything);
    invert_tile(diagonal);
  }
}

// X <- X^T X for a lower triangular X, of the result the lower triangle. Panel k of X adds to all
// products of columns before it, and what it held itself is packed and may be written over.
void square_triangle(const ThreadPool& pool, Mat<double> x, Work& work) {
  const std::int64_t n = x.rows;
  for (std::int64_t k = 0; k < n; k += kDepth) {
    const std::int64_t width = std::min(kDepth, n - k);
    const Mat<double> row = x.block(k, width), before = row.columns(0, k);
    const Mat<double> diagonal = row.columns(k, width);
    double *left = work.left.data(), *right = work.right.data();
    packed::pack_left(pool, before, Form::transposed, left);
    packed::pack_right(pool, before, Form::plain, right);
    packed::multiply(pool, 1, left, right, width, 1, x.block(0, k).columns(0, k), 0);

    const Mat<double> corner(work.tile.data(), width, width);
    for (std::int64_t i = 0; i < width; ++i) {
      std::copy_n(diagonal.row(i), i + 1, corner.row(i));
      std::fill(corner.row(i) + i + 1, corner.row(i) + width, 0.0);
    }
    packed::pack_left(pool, corner, Form::transposed, left);
    packed::multiply(pool, 1, left, right, width, 0, before, packed::kEverything);
    packed::pack_right(pool, corner, Form::plain, right);
    packed::multiply(pool, 1, left, right, width, 0, diagonal, 0);
  }
}

}  // namespace

void invert_from_cholesky(const ThreadPool& pool, Mat<double> l) {
  const std::int64_t depth = std::min(kDepth, l.rows), room = packed::padded(l.rows) * depth;
  Work work{AlignedBuffer<double>(room), AlignedBuffer<double>(room),
            AlignedBuffer<double>(depth * depth)};
  invert_triangle(pool, l, work);
  square_triangle(pool, l, work);
}

}  // namespace pegnn
