#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/packed_kernel.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>
// clang-format on

#include <algorithm>

#include "linalg/packed_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace pegnn::packed::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

// The sums of one block of c stay in registers: kRows x kVectors of them, besides kVectors of the
// right factor and one of the left. AVX-512 has 32 registers, the others 16.
#if HWY_TARGET == HWY_AVX3
constexpr std::int64_t kRows = 8;
#else
constexpr std::int64_t kRows = 4;
#endif
constexpr std::int64_t kVectors = 3;
constexpr std::int64_t kLanes = HWY_LANES(double);
constexpr std::int64_t kColumns = kVectors * kLanes;
static_assert(kTileRows % kRows == 0 && kTileColumns % kColumns == 0);

// Lines stand `line` apart in memory and the numbers of a line `step` apart; one of the two is 1.
template <std::int64_t kWidth>
void pack_sliver(const double* HWY_RESTRICT x, std::int64_t line, std::int64_t step,
                 std::int64_t lines, std::int64_t depth, double* HWY_RESTRICT out) {
  if (lines < kWidth) std::fill_n(out, kWidth * depth, 0.0);
  if (line == 1) {
    for (std::int64_t p = 0; p < depth; ++p) {
      std::copy_n(x + p * step, lines == kWidth ? kWidth : lines, out + p * kWidth);
    }
    return;
  }
  // A cache line at a time: rows whose distance is a power of two would throw each other out.
  constexpr std::int64_t kAtATime = 8;
  std::int64_t p = 0;
  for (; p + kAtATime <= depth; p += kAtATime) {
    for (std::int64_t r = 0; r < lines; ++r) {
      for (std::int64_t q = p; q < p + kAtATime; ++q) out[q * kWidth + r] = x[r * line + q];
    }
  }
  for (; p < depth; ++p) {
    for (std::int64_t r = 0; r < lines; ++r) out[p * kWidth + r] = x[r * line + p];
  }
}

template <std::int64_t kWidth>
void pack(Mat<const double> x, bool lines_are_rows, double* out) {
  const std::int64_t lines = lines_are_rows ? x.rows : x.cols;
  const std::int64_t depth = lines_are_rows ? x.cols : x.rows;
  const std::int64_t line = lines_are_rows ? x.stride : 1, step = lines_are_rows ? 1 : x.stride;
  for (std::int64_t first = 0; first < lines; first += kWidth) {
    pack_sliver<kWidth>(x.data + first * line, line, step, std::min(kWidth, lines - first), depth,
                        out + first * depth);
  }
}

void pack_left(Mat<const double> x, Form form, double* out) {
  pack<kRows>(x, form == Form::plain, out);
}
void pack_right(Mat<const double> x, Form form, double* out) {
  pack<kColumns>(x, form == Form::transposed, out);
}

// c <- beta c + alpha left right for one whole block, `stride` between the rows of c.
void block(double alpha, const double* HWY_RESTRICT left, const double* HWY_RESTRICT right,
           std::int64_t depth, double beta, double* HWY_RESTRICT c, std::int64_t stride) {
  const Doubles d;
  Vector sum[kRows][kVectors];
  for (auto& row : sum) {
    for (auto& s : row) s = hn::Zero(d);
  }
  if (beta != 0) {
    for (std::int64_t i = 0; i < kRows; ++i) {
      for (std::int64_t v = 0; v < kVectors; ++v) hwy::Prefetch(c + i * stride + v * kLanes);
    }
  }
  for (std::int64_t p = 0; p < depth; ++p, left += kRows, right += kColumns) {
    Vector b[kVectors];
    for (std::int64_t v = 0; v < kVectors; ++v) b[v] = hn::LoadU(d, right + v * kLanes);
    for (std::int64_t i = 0; i < kRows; ++i) {
      const auto a = hn::Set(d, left[i]);
      for (std::int64_t v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(a, b[v], sum[i][v]);
    }
  }
  const auto factor = hn::Set(d, alpha), keep = hn::Set(d, beta);
  for (std::int64_t i = 0; i < kRows; ++i) {
    for (std::int64_t v = 0; v < kVectors; ++v) {
      double* to = c + i * stride + v * kLanes;
      const auto old = beta == 0 ? hn::Zero(d) : hn::Mul(keep, hn::LoadU(d, to));
      hn::StoreU(hn::MulAdd(factor, sum[i][v], old), d, to);
    }
  }
}

// The same for a block that reaches beyond c or above the diagonal.
void partial_block(double alpha, const double* left, const double* right, std::int64_t depth,
                   double beta, Mat<double> c, std::int64_t diagonal) {
  HWY_ALIGN double whole[kRows * kColumns];
  block(alpha, left, right, depth, 0, whole, kColumns);
  for (std::int64_t i = 0; i < c.rows; ++i) {
    const std::int64_t end = std::min(c.cols, i + diagonal + 1);
    for (std::int64_t j = 0; j < end; ++j) {
      c(i, j) = (beta == 0 ? 0.0 : beta * c(i, j)) + whole[i * kColumns + j];
    }
  }
}

void multiply(double alpha, const double* left, const double* right, std::int64_t depth,
              double beta, Mat<double> c, std::int64_t diagonal) {
  for (std::int64_t j = 0; j < c.cols; j += kColumns) {
    const std::int64_t cols = std::min(kColumns, c.cols - j);
    for (std::int64_t i = 0; i < c.rows; i += kRows) {
      const std::int64_t rows = std::min(kRows, c.rows - i);
      const std::int64_t last =
          i + diagonal - j;  // column of the diagonal in the block's first row
      if (last + rows <= 0) continue;
      const double *a = left + i * depth, *b = right + j * depth;
      if (rows == kRows && cols == kColumns && last >= kColumns - 1) {
        block(alpha, a, b, depth, beta, &c(i, j), c.stride);
      } else {
        partial_block(alpha, a, b, depth, beta, {&c(i, j), rows, cols, c.stride}, last);
      }
    }
  }
}

}  // namespace
}  // namespace pegnn::packed::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::packed {

HWY_EXPORT(pack_left);
HWY_EXPORT(pack_right);
HWY_EXPORT(multiply);

void pack_left(Mat<const double> x, Form form, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(pack_left)(x, form, out);
}
void pack_right(Mat<const double> x, Form form, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(pack_right)(x, form, out);
}
void multiply(double alpha, const double* left, const double* right, std::int64_t depth,
              double beta, Mat<double> c, std::int64_t diagonal) noexcept {
  HWY_DYNAMIC_DISPATCH(multiply)(alpha, left, right, depth, beta, c, diagonal);
}

}  // namespace pegnn::packed
#endif  // HWY_ONCE
