#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/substitution.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <algorithm>

#include "linalg/substitution.h"

HWY_BEFORE_NAMESPACE();
namespace pegnn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

// kRows x kVectors unknowns are computed together in registers; AVX-512 has 32, the others 16.
constexpr std::int64_t kRows = 4;
#if HWY_TARGET == HWY_AVX3
constexpr std::int64_t kVectors = 4;
#else
constexpr std::int64_t kVectors = 2;
#endif
constexpr std::int64_t kLanes = HWY_LANES(double);
constexpr std::int64_t kStrip = kVectors * kLanes;

// Solves kCount rows, `first` and those after it in the order of solving (kStep 1 or -1): less what
// the rows [begin, end), already solved, contribute; then the small triangle among themselves.
// at(i, p) is the factor of unknown p in equation i: L(i, p), or L(p, i) for the transposed system.
template <std::int64_t kCount, std::int64_t kStep, class At>
HWY_INLINE void solve_rows(const At& at, std::int64_t first, std::int64_t begin, std::int64_t end,
                           double* HWY_RESTRICT x, std::int64_t stride) {
  const Doubles d;
  Vector value[kRows][kVectors];
  for (std::int64_t r = 0; r < kCount; ++r) {
    const double* from = x + (first + kStep * r) * stride;
    for (std::int64_t v = 0; v < kVectors; ++v) value[r][v] = hn::LoadU(d, from + v * kLanes);
  }
  for (std::int64_t p = begin; p < end; ++p) {
    Vector known[kVectors];
    for (std::int64_t v = 0; v < kVectors; ++v)
      known[v] = hn::LoadU(d, x + p * stride + v * kLanes);
    for (std::int64_t r = 0; r < kCount; ++r) {
      const auto factor = hn::Set(d, at(first + kStep * r, p));
      for (std::int64_t v = 0; v < kVectors; ++v) {
        value[r][v] = hn::NegMulAdd(factor, known[v], value[r][v]);
      }
    }
  }
  for (std::int64_t r = 0; r < kCount; ++r) {
    const std::int64_t i = first + kStep * r;
    for (std::int64_t q = 0; q < r; ++q) {
      const auto factor = hn::Set(d, at(i, first + kStep * q));
      for (std::int64_t v = 0; v < kVectors; ++v) {
        value[r][v] = hn::NegMulAdd(factor, value[q][v], value[r][v]);
      }
    }
    const auto diagonal = hn::Set(d, at(i, i));
    for (std::int64_t v = 0; v < kVectors; ++v) {
      value[r][v] = hn::Div(value[r][v], diagonal);
      hn::StoreU(value[r][v], d, x + i * stride + v * kLanes);
    }
  }
}

void forward_strip(Mat<const double> l, double* x, std::int64_t stride) {
  const auto at = [&](std::int64_t i, std::int64_t p) HWY_ATTR { return l(i, p); };
  std::int64_t i = 0;
  for (; i + kRows <= l.rows; i += kRows) solve_rows<kRows, 1>(at, i, 0, i, x, stride);
  for (; i < l.rows; ++i) solve_rows<1, 1>(at, i, 0, i, x, stride);
}

void backward_strip(Mat<const double> l, double* x, std::int64_t stride) {
  const auto at = [&](std::int64_t i, std::int64_t p) HWY_ATTR { return l(p, i); };
  std::int64_t i = l.rows;
  for (; i >= kRows; i -= kRows) solve_rows<kRows, -1>(at, i - 1, i, l.rows, x, stride);
  for (; i > 0; --i) solve_rows<1, -1>(at, i - 1, i, l.rows, x, stride);
}

// Whole strips in place; the rest in a copy that is filled up with zeros.
template <class Solve>
void for_strips(Mat<double> x, const Solve& solve) {
  std::int64_t j = 0;
  for (; j + kStrip <= x.cols; j += kStrip) solve(x.data + j, x.stride);
  if (j == x.cols) return;
  HWY_ALIGN double copy[kMostRows * kStrip];
  std::fill_n(copy, x.rows * kStrip, 0.0);
  for (std::int64_t i = 0; i < x.rows; ++i) {
    std::copy(x.row(i) + j, x.row(i) + x.cols, copy + i * kStrip);
  }
  solve(copy, kStrip);
  for (std::int64_t i = 0; i < x.rows; ++i) {
    std::copy_n(copy + i * kStrip, x.cols - j, x.row(i) + j);
  }
}

void forward_substitution(Mat<const double> l, Mat<double> x) {
  for_strips(x, [&](double* strip, std::int64_t stride) { forward_strip(l, strip, stride); });
}
void backward_substitution(Mat<const double> l, Mat<double> x) {
  for_strips(x, [&](double* strip, std::int64_t stride) { backward_strip(l, strip, stride); });
}

}  // namespace
}  // namespace pegnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn {

HWY_EXPORT(forward_substitution);
HWY_EXPORT(backward_substitution);

void forward_substitution(Mat<const double> l, Mat<double> x) noexcept {
  HWY_DYNAMIC_DISPATCH(forward_substitution)(l, x);
}
void backward_substitution(Mat<const double> l, Mat<double> x) noexcept {
  HWY_DYNAMIC_DISPATCH(backward_substitution)(l, x);
}

}  // namespace pegnn
#endif  // HWY_ONCE
