// Matrix products whose sums stay in registers: a block of a few rows by a few vectors of columns
// is computed over the whole inner dimension, then stored once.

#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/product.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <algorithm>

#include "kernels/cpu/product.h"
#include "kernels/cpu/vectors.inc"

HWY_BEFORE_NAMESPACE();
namespace pegnn::cpu::HWY_NAMESPACE {
namespace {

using Vector = hn::Vec<Floats>;

constexpr std::int64_t kLanes = HWY_LANES(float);

// The sums of a block take kRows x kVectors registers, besides the kVectors of the right factor and
// one of the left. AVX-512 has 32 registers, the others 16. Sixteen sums keep two units busy whose
// results take four cycles; more rows were measured to be slower.
#if HWY_TARGET == HWY_AVX3
constexpr int kVectors = 4;
constexpr int kRows = 4, kNarrowRows = 8;
constexpr int kTransposedRows = 4;
#else
constexpr int kVectors = 2;
constexpr int kRows = 6, kNarrowRows = 6;
constexpr int kTransposedRows = 6;
#endif

std::int64_t whole_vectors(std::int64_t columns) { return (columns + kLanes - 1) / kLanes; }

// Calls f.operator()<V>(first) for groups of V vectors that cover `count`: as many of kVectors as
// fit, then halves of it.
template <class F>
HWY_INLINE void for_groups(std::int64_t count, F&& f) {
  std::int64_t v = 0;
  for (; v + kVectors <= count; v += kVectors) f.template operator()<kVectors>(v);
  if constexpr (kVectors > 2) {
    if (v + 2 <= count) {
      f.template operator()<2>(v);
      v += 2;
    }
  }
  if (v < count) f.template operator()<1>(v);
}

std::int64_t packed_size(std::int64_t inner, std::int64_t columns) {
  return inner * whole_vectors(columns) * kLanes;
}

// A single column is packed as it is, for dot products with vectors along the inner dimension.
// Otherwise groups of vectors follow each other; inside a group, row after row of b.
void pack(Mat<const float> b, float* HWY_RESTRICT packed) {
  if (b.cols == 1) {
    for (std::int64_t k = 0; k < b.rows; ++k) packed[k] = b(k, 0);
    return;
  }
  const Floats d;
  for_groups(whole_vectors(b.cols), [&]<int V>(std::int64_t group) HWY_ATTR {
    const std::int64_t first = group * kLanes;
    const std::int64_t columns = std::min<std::int64_t>(V * kLanes, b.cols - first);
    float* to = packed + first * b.rows;
    for (std::int64_t k = 0; k < b.rows; ++k, to += V * kLanes) {
      for (std::int64_t v = 0; v < V; ++v) {
        const std::int64_t left = std::max<std::int64_t>(0, columns - v * kLanes);
        hn::StoreU(hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(left)), d,
                                  b.row(k) + first + v * kLanes),
                   d, to + v * kLanes);
      }
    }
  });
}

void pack_transposed(Mat<const float> b, float* HWY_RESTRICT packed) {
  if (b.rows == 1) {
    std::copy_n(b.data, b.cols, packed);
    return;
  }
  for_groups(whole_vectors(b.rows), [&]<int V>(std::int64_t group) HWY_ATTR {
    const std::int64_t first = group * kLanes;
    const std::int64_t columns = std::min<std::int64_t>(V * kLanes, b.rows - first);
    float* to = packed + first * b.cols;
    for (std::int64_t k = 0; k < b.cols; ++k, to += V * kLanes) {
      for (std::int64_t j = 0; j < columns; ++j) to[j] = b(first + j, k);
      for (std::int64_t j = columns; j < V * kLanes; ++j) to[j] = 0;
    }
  });
}

template <int R, int V>
struct Sums {
  Vector at[std::size_t{R}][std::size_t{V}];
};

// `count` columns of c, at most V vectors.
template <int R, int V>
HWY_INLINE void store(Sums<R, V>& sums, std::int64_t count, float* HWY_RESTRICT c,
                      std::int64_t stride, bool accumulate) {
  const Floats d;
  if (count == V * kLanes) {
    for (int r = 0; r < R; ++r) {
      for (int v = 0; v < V; ++v) {
        float* to = c + r * stride + v * kLanes;
        hn::StoreU(accumulate ? hn::Add(hn::LoadU(d, to), sums.at[r][v]) : sums.at[r][v], d, to);
      }
    }
    return;
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) {
      const std::int64_t left = std::clamp<std::int64_t>(count - v * kLanes, 0, kLanes);
      const Rest io{static_cast<std::size_t>(left)};
      float* to = c + r * stride + v * kLanes;
      io.store(accumulate ? hn::Add(io.load(d, to), sums.at[r][v]) : sums.at[r][v], d, to);
    }
  }
}

template <int R, int V>
HWY_INLINE void block(const float* HWY_RESTRICT a, std::int64_t a_stride, std::int64_t inner,
                      const float* HWY_RESTRICT b, std::int64_t count, float* HWY_RESTRICT c,
                      std::int64_t c_stride, bool accumulate) {
  const Floats d;
  Sums<R, V> sums;
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) sums.at[r][v] = hn::Zero(d);
  }
  for (std::int64_t k = 0; k < inner; ++k, b += V * kLanes) {
    Vector right[std::size_t{V}];
    for (int v = 0; v < V; ++v) right[v] = hn::LoadU(d, b + v * kLanes);
    for (int r = 0; r < R; ++r) {
      const Vector left = hn::Set(d, a[r * a_stride + k]);
      for (int v = 0; v < V; ++v) sums.at[r][v] = hn::MulAdd(left, right[v], sums.at[r][v]);
    }
  }
  store<R, V>(sums, count, c, c_stride, accumulate);
}

void multiply_column(Mat<const float> a, const float* HWY_RESTRICT column, Mat<float> c,
                     bool accumulate) {
  const Floats d;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const float* const row = a.row(i);
    auto sum = hn::Zero(d);
    for_vectors(d, a.cols, [&](std::int64_t k, auto io) HWY_ATTR {
      sum = hn::MulAdd(io.load(d, row + k), io.load(d, column + k), sum);
    });
    const float dot = hn::GetLane(hn::SumOfLanes(d, sum));
    c(i, 0) = accumulate ? c(i, 0) + dot : dot;
  }
}

void multiply(Mat<const float> a, const float* HWY_RESTRICT packed, Mat<float> c, bool accumulate) {
  if (c.cols == 1) {
    multiply_column(a, packed, c, accumulate);
    return;
  }
  for_groups(whole_vectors(c.cols), [&]<int V>(std::int64_t group) HWY_ATTR {
    constexpr int R = V == kVectors ? kRows : kNarrowRows;
    const std::int64_t first = group * kLanes;
    const std::int64_t count = std::min<std::int64_t>(V * kLanes, c.cols - first);
    const float* b = packed + first * a.cols;
    std::int64_t i = 0;
    for (; i + R <= c.rows; i += R) {
      block<R, V>(a.row(i), a.stride, a.cols, b, count, c.row(i) + first, c.stride, accumulate);
    }
    for (; i + 2 <= c.rows; i += 2) {
      block<2, V>(a.row(i), a.stride, a.cols, b, count, c.row(i) + first, c.stride, accumulate);
    }
    if (i < c.rows) {
      block<1, V>(a.row(i), a.stride, a.cols, b, count, c.row(i) + first, c.stride, accumulate);
    }
  });
}

// R columns of a by `count` columns of b, at most V vectors.
template <int R, int V>
HWY_INLINE void transposed_block(const float* HWY_RESTRICT a, std::int64_t a_stride,
                                 std::int64_t inner, const float* HWY_RESTRICT b,
                                 std::int64_t b_stride, std::int64_t count, float* HWY_RESTRICT c,
                                 std::int64_t c_stride, bool accumulate) {
  const Floats d;
  Sums<R, V> sums;
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) sums.at[r][v] = hn::Zero(d);
  }
  const auto run = [&](auto load) HWY_ATTR {
    for (std::int64_t k = 0; k < inner; ++k, a += a_stride, b += b_stride) {
      Vector right[std::size_t{V}];
      for (int v = 0; v < V; ++v) right[v] = load(v);
      for (int r = 0; r < R; ++r) {
        const Vector left = hn::Set(d, a[r]);
        for (int v = 0; v < V; ++v) sums.at[r][v] = hn::MulAdd(left, right[v], sums.at[r][v]);
      }
    }
  };
  if (count == V * kLanes) {
    run([&](int v) HWY_ATTR { return hn::LoadU(d, b + v * kLanes); });
  } else {
    const auto last = hn::FirstN(d, static_cast<std::size_t>(count - (V - 1) * kLanes));
    run([&](int v) HWY_ATTR {
      return v + 1 < V ? hn::LoadU(d, b + v * kLanes) : hn::MaskedLoad(last, d, b + v * kLanes);
    });
  }
  store<R, V>(sums, count, c, c_stride, accumulate);
}

void multiply_transposed(Mat<const float> a, Mat<const float> b, Mat<float> c, bool accumulate) {
  for_groups(whole_vectors(c.cols), [&]<int V>(std::int64_t group) HWY_ATTR {
    constexpr int R = kTransposedRows;
    const std::int64_t first = group * kLanes;
    const std::int64_t count = std::min<std::int64_t>(V * kLanes, c.cols - first);
    std::int64_t i = 0;
    for (; i + R <= c.rows; i += R) {
      transposed_block<R, V>(a.data + i, a.stride, a.rows, b.data + first, b.stride, count,
                             c.row(i) + first, c.stride, accumulate);
    }
    for (; i < c.rows; ++i) {
      transposed_block<1, V>(a.data + i, a.stride, a.rows, b.data + first, b.stride, count,
                             c.row(i) + first, c.stride, accumulate);
    }
  });
}

}  // namespace
}  // namespace pegnn::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::cpu {

HWY_EXPORT(packed_size);
HWY_EXPORT(pack);
HWY_EXPORT(pack_transposed);
HWY_EXPORT(multiply);
HWY_EXPORT(multiply_transposed);

std::int64_t packed_size(std::int64_t inner, std::int64_t columns) noexcept {
  return HWY_DYNAMIC_DISPATCH(packed_size)(inner, columns);
}
void pack(Mat<const float> b, float* packed) noexcept { HWY_DYNAMIC_DISPATCH(pack)(b, packed); }
void pack_transposed(Mat<const float> b, float* packed) noexcept {
  HWY_DYNAMIC_DISPATCH(pack_transposed)(b, packed);
}
void multiply(Mat<const float> a, const float* packed, Mat<float> c, bool accumulate) noexcept {
  HWY_DYNAMIC_DISPATCH(multiply)(a, packed, c, accumulate);
}
void multiply_transposed(Mat<const float> a, Mat<const float> b, Mat<float> c,
                         bool accumulate) noexcept {
  HWY_DYNAMIC_DISPATCH(multiply_transposed)(a, b, c, accumulate);
}

}  // namespace pegnn::cpu
#endif  // HWY_ONCE
