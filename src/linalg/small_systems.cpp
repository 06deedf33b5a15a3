#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/small_systems.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "linalg/small_systems.h"

HWY_BEFORE_NAMESPACE();
namespace pegnn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors run across systems, so that an instruction does the same step of each.
using Doubles = hn::CappedTag<double, kSide>;
using Vector = hn::Vec<Doubles>;
constexpr std::int64_t kLanes = HWY_MIN(HWY_LANES(double), kSide);

// kRows x kColumns elements are computed together in registers: a number loaded serves several of
// them. AVX-512 has 32 registers, the others 16.
constexpr std::int64_t kRows = 4;  // at most
#if HWY_TARGET == HWY_AVX3
constexpr std::int64_t kColumns = 4;
#else
constexpr std::int64_t kColumns = 2;
#endif

HWY_INLINE Vector load(const double* from) { return hn::Load(Doubles(), from); }
HWY_INLINE void store(Vector v, double* to) { hn::Store(v, Doubles(), to); }

// Columns [j, j + kC) of L^-1 b for kR rows b, whose columns before j are there already.
template <std::int64_t kR, std::int64_t kC>
HWY_INLINE void forward_columns(const double* a, std::int64_t j, double* const* b) {
  Vector sum[kRows][kColumns];
  for (std::int64_t r = 0; r < kR; ++r) {
    for (std::int64_t c = 0; c < kC; ++c) sum[r][c] = load(b[r] + (j + c) * kSide);
  }
  for (std::int64_t p = 0; p < j; ++p) {
    Vector known[kRows];
    for (std::int64_t r = 0; r < kR; ++r) known[r] = load(b[r] + p * kSide);
    for (std::int64_t c = 0; c < kC; ++c) {
      const Vector factor = load(a + triangle_at(j + c, p));
      for (std::int64_t r = 0; r < kR; ++r) {
        sum[r][c] = hn::NegMulAdd(factor, known[r], sum[r][c]);
      }
    }
  }
  for (std::int64_t c = 0; c < kC; ++c) {
    for (std::int64_t q = 0; q < c; ++q) {
      const Vector factor = load(a + triangle_at(j + c, j + q));
      for (std::int64_t r = 0; r < kR; ++r) {
        sum[r][c] = hn::NegMulAdd(factor, sum[r][q], sum[r][c]);
      }
    }
    for (std::int64_t r = 0; r < kR; ++r) store(sum[r][c], b[r] + (j + c) * kSide);
  }
}

template <std::int64_t kR>
HWY_INLINE void forward(const double* a, std::int64_t n, double* const* b) {
  std::int64_t j = 0;
  for (; j + kColumns <= n; j += kColumns) forward_columns<kR, kColumns>(a, j, b);
  for (; j < n; ++j) forward_columns<kR, 1>(a, j, b);
}

// Rows [i, i + kR) of the factor. Before the diagonal block a row is L D, solved like any other
// side; there it is divided by D while what it takes from the diagonal block is summed.
template <std::int64_t kR>
HWY_INLINE void factor_rows(double* a, std::int64_t i, Vector least) {
  double* row[kRows];
  for (std::int64_t r = 0; r < kR; ++r) row[r] = a + triangle_at(i + r, 0);
  forward<kR>(a, i, row);

  Vector rest[kRows][kRows];  // the lower triangle of rest
  for (std::int64_t r = 0; r < kR; ++r) {
    for (std::int64_t c = 0; c <= r; ++c) rest[r][c] = load(row[r] + (i + c) * kSide);
  }
  for (std::int64_t p = 0; p < i; ++p) {
    const Vector inverse = load(a + triangle_at(p, p));
    Vector scaled[kRows];
    for (std::int64_t r = 0; r < kR; ++r) {
      const Vector value = load(row[r] + p * kSide);
      scaled[r] = hn::Mul(value, inverse);
      store(scaled[r], row[r] + p * kSide);
      for (std::int64_t c = 0; c <= r; ++c) {
        rest[r][c] = hn::NegMulAdd(value, scaled[c], rest[r][c]);
      }
    }
  }
  for (std::int64_t c = 0; c < kR; ++c) {
    const auto needed = hn::Gt(hn::Abs(rest[c][c]), least);
    const Vector inverse = hn::IfThenElseZero(needed, hn::Div(hn::Set(Doubles(), 1.0), rest[c][c]));
    store(inverse, row[c] + (i + c) * kSide);
    for (std::int64_t r = c + 1; r < kR; ++r) {
      const Vector scaled = hn::Mul(rest[r][c], inverse);
      store(scaled, row[r] + (i + c) * kSide);
      // rest[q][c] for the rows between are L D still.
      for (std::int64_t q = c + 1; q <= r; ++q) {
        rest[r][q] = hn::NegMulAdd(scaled, rest[q][c], rest[r][q]);
      }
    }
  }
}

template <std::int64_t kR>
HWY_INLINE void forward_sides(const double* a, std::int64_t n, double* b) {
  double* row[kRows];
  for (std::int64_t r = 0; r < kR; ++r) row[r] = b + r * n * kSide;
  forward<kR>(a, n, row);
}

void eliminate(std::int64_t n, double least, double* a, std::int64_t rows, double* b) {
  const Vector small = hn::Set(Doubles(), least);
  for (std::int64_t first = 0; first < kSide; first += kLanes) {
    std::int64_t i = 0;
    for (; i + kRows <= n; i += kRows) factor_rows<kRows>(a + first, i, small);
    for (; i < n; ++i) factor_rows<1>(a + first, i, small);
    std::int64_t r = 0;
    for (; r + kRows <= rows; r += kRows)
      forward_sides<kRows>(a + first, n, b + r * n * kSide + first);
    for (; r + 2 <= rows; r += 2) forward_sides<2>(a + first, n, b + r * n * kSide + first);
    for (; r < rows; ++r) forward_sides<1>(a + first, n, b + r * n * kSide + first);
  }
}

void inverse_product(std::int64_t n, const double* a, const double* x, const double* y,
                     double* out) {
  for (std::int64_t first = 0; first < kSide; first += kLanes) {
    Vector sum = hn::Zero(Doubles());
    for (std::int64_t p = 0; p < n; ++p) {
      const std::int64_t at = p * kSide + first;
      sum =
          hn::MulAdd(hn::Mul(load(x + at), load(a + triangle_at(p, p) + first)), load(y + at), sum);
    }
    store(sum, out + first);
  }
}

void back_substitute(std::int64_t n, const double* a, double* b) {
  for (std::int64_t first = 0; first < kSide; first += kLanes) {
    double* x = b + first;
    for (std::int64_t p = 0; p < n; ++p) {
      store(hn::Mul(load(x + p * kSide), load(a + triangle_at(p, p) + first)), x + p * kSide);
    }
    // Along the rows of L, as they stand in memory: what is known is taken from all before it.
    for (std::int64_t i = n - 1; i > 0; --i) {
      const double* row = a + triangle_at(i, 0) + first;
      const Vector known = load(x + i * kSide);
      for (std::int64_t p = 0; p < i; ++p) {
        store(hn::NegMulAdd(load(row + p * kSide), known, load(x + p * kSide)), x + p * kSide);
      }
    }
  }
}

}  // namespace
}  // namespace pegnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn {

HWY_EXPORT(eliminate);
HWY_EXPORT(inverse_product);
HWY_EXPORT(back_substitute);

void eliminate(std::int64_t n, double least, double* a, std::int64_t rows, double* b) noexcept {
  if (n == 0) return;  // nor any memory
  HWY_DYNAMIC_DISPATCH(eliminate)(n, least, a, rows, b);
}
void inverse_product(std::int64_t n, const double* a, const double* x, const double* y,
                     double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(inverse_product)(n, a, x, y, out);
}
void back_substitute(std::int64_t n, const double* a, double* b) noexcept {
  if (n == 0) return;
  HWY_DYNAMIC_DISPATCH(back_substitute)(n, a, b);
}

}  // namespace pegnn
#endif  // HWY_ONCE
