#include "linalg/tile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "linalg/packed_kernel.h"
#include "linalg/substitution.h"

namespace pegnn {
namespace {

static_assert(packed::kDepth <= kMostRows);

// Right-hand sides solved together: four AVX-512 registers.
constexpr std::int64_t kStrip = 32;

// to <- from^T, in small squares: both sides are read or written a cache line at a time.
void transpose(Mat<const double> from, Mat<double> to) {
  constexpr std::int64_t kSquare = 8;
  for (std::int64_t first = 0; first < from.rows; first += kSquare) {
    const std::int64_t last = std::min(first + kSquare, from.rows);
    for (std::int64_t begin = 0; begin < from.cols; begin += kSquare) {
      const std::int64_t end = std::min(begin + kSquare, from.cols);
      for (std::int64_t i = first; i < last; ++i) {
        for (std::int64_t j = begin; j < end; ++j) to(j, i) = from(i, j);
      }
    }
  }
}

// The textbook loop, row by row; `a` has at most kStrip rows.
bool factor_small(Mat<double> a) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      double s = a(i, j);
      for (std::int64_t p = 0; p < j; ++p) s -= a(i, p) * a(j, p);
      if (j < i) {
        a(i, j) = s / a(j, j);
      } else if (s > 0 && std::isfinite(s)) {
        a(i, i) = std::sqrt(s);
      } else {
        return false;
      }
    }
  }
  return true;
}

// a <- a - rows rows^T, lower triangle.   rows: a.rows x at most kDepth, at most kStrip of them
void subtract_square(Mat<const double> rows, Mat<double> a) {
  using namespace packed;
  constexpr std::int64_t kLines = 48;  // kStrip in whole slivers: at most 24 lines, a factor of 48
  static_assert(kStrip <= kLines && kTileColumns % kLines == 0);
  alignas(kAlignment) double left[kLines * kDepth], right[kLines * kDepth];
  pack_left(rows, Form::plain, left);
  pack_right(rows, Form::transposed, right);
  multiply(-1, left, right, rows.cols, 1, a, 0);
}

}  // namespace

void solve_from_right(Mat<const double> l, Form form, Mat<double> rows) noexcept {
  alignas(kAlignment) double memory[packed::kDepth * kStrip];
  for (std::int64_t first = 0; first < rows.rows; first += kStrip) {
    const Mat<double> some = rows.block(first, std::min(kStrip, rows.rows - first));
    // The transposed system has its right-hand sides side by side.
    const Mat<double> x(memory, rows.cols, some.rows);
    transpose(some, x);
    form == Form::plain ? backward_substitution(l, x) : forward_substitution(l, x);
    transpose(x, some);
  }
}

bool factor_tile(Mat<double> a) noexcept {
  for (std::int64_t i = 0; i < a.rows; i += kStrip) {
    const Mat<double> rows = a.block(i, std::min(kStrip, a.rows - i));
    const Mat<double> before = rows.columns(0, i), diagonal = rows.columns(i, rows.rows);
    if (i > 0) {
      solve_from_right(a.block(0, i).columns(0, i), Form::transposed, before);
      subtract_square(before, diagonal);
    }
    if (!factor_small(diagonal)) return false;
  }
  return true;
}

void invert_tile(Mat<double> l) noexcept {
  alignas(kAlignment) double memory[packed::kDepth * kStrip];
  // Columns from left to right: those of the inverse depend on the columns to their right only.
  for (std::int64_t j = 0; j < l.cols; j += kStrip) {
    const Mat<double> rest = l.block(j, l.rows - j).columns(j, l.cols - j);
    const Mat<double> x(memory, rest.rows, std::min(kStrip, rest.cols));
    for (std::int64_t i = 0; i < x.rows; ++i) {
      for (std::int64_t c = 0; c < x.cols; ++c) x(i, c) = i == c ? 1.0 : 0.0;
    }
    forward_substitution(rest, x);
    for (std::int64_t i = 0; i < x.rows; ++i) {
      std::copy_n(x.row(i), std::min(i + 1, x.cols), rest.row(i));
    }
  }
}

}  // namespace pegnn
