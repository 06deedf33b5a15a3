// Bias, activation and dropout of a block of rows, and their gradients.

#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/epilogue.cpp"
// In this order: foreach_target.h before highway.h, and that before math-inl.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#include <algorithm>
#include <cmath>

#include "kernels/cpu/simd.h"
#include "kernels/cpu/vectors.inc"
#include "kernels/cpu/vectors_dropout.inc"
#include "kernels/dropout.h"

HWY_BEFORE_NAMESPACE();
namespace pegnn::cpu::HWY_NAMESPACE {
namespace {

// tanh(v) = v P(v^2) / Q(v^2) with the least largest relative error up to 8, found by Lawson's
// iteration: 6e-9, and 3e-7 when computed in float. Beyond 8 the result is within 3e-7 of 1, and it
// is never above.
template <class V>
HWY_INLINE V hyperbolic_tangent(Floats d, V v) {
  const auto c = [d](double value) HWY_ATTR { return hn::Set(d, static_cast<float>(value)); };
  const auto nan = hn::IsNaN(v);  // the clamp would lose it on some targets
  const V x = hn::Min(hn::Max(v, c(-8)), c(8));
  const V z = hn::Mul(x, x);
  V p = hn::MulAdd(c(1.5230632393e-08), z, c(2.1894813162e-05));
  p = hn::MulAdd(p, z, c(3.5716070995e-03));
  p = hn::MulAdd(p, z, c(1.3444505595e-01));
  p = hn::MulAdd(p, z, c(9.9999999358e-01));
  V q = hn::MulAdd(c(8.5225332989e-07), z, c(3.4113069303e-04));
  q = hn::MulAdd(q, z, c(2.6164477376e-02));
  q = hn::MulAdd(q, z, c(4.6777832917e-01));
  q = hn::MulAdd(q, z, c(1));
  return hn::IfThenElse(nan, v, hn::Div(hn::Mul(x, p), q));
}

template <Activation kActivation, class V>
HWY_INLINE V activated(Floats d, V v) {
  if constexpr (kActivation == Activation::relu) {
    return hn::Max(v, hn::Zero(d));
  } else if constexpr (kActivation == Activation::tanh) {
    return hyperbolic_tangent(d, v);
  } else if constexpr (kActivation == Activation::sigmoid) {
    const auto one = hn::Set(d, 1.0F);
    const V y = hn::Div(one, hn::Add(one, hn::Exp(d, hn::Neg(v))));
    return hn::IfThenElse(hn::IsNaN(v), v, y);  // Exp makes a number of a NaN
  } else {
    return v;
  }
}

template <Activation kActivation, class V>
HWY_INLINE V slope_times(Floats d, V value, V gradient) {
  if constexpr (kActivation == Activation::relu) {
    return hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), gradient);
  } else if constexpr (kActivation == Activation::tanh) {
    return hn::Mul(gradient, hn::NegMulAdd(value, value, hn::Set(d, 1.0F)));
  } else if constexpr (kActivation == Activation::sigmoid) {
    return hn::Mul(gradient, hn::NegMulAdd(value, value, value));
  } else {
    return gradient;
  }
}

// Draws for a few rows at a time stay on the stack: 16 KB.
constexpr std::int64_t kDraws = 1024;

std::int64_t rows_per_draw(std::int64_t groups) {
  return std::max<std::int64_t>(1, kDraws / groups);
}

template <Activation kActivation>
void epilogue_impl(const Epilogue<float>& e, std::int64_t first_row, Mat<float> y) {
  const Floats d;
  const std::int64_t groups = (y.cols + kColumnsPerDraw - 1) / kColumnsPerDraw;
  const bool drop = e.dropout.rate > 0;
  const std::uint32_t threshold = dropout_threshold(e.dropout.rate);
  const auto scale = hn::Set(d, static_cast<float>(1.0 / dropout_share(e.dropout.rate)));
  const std::int64_t step = drop ? rows_per_draw(groups) : y.rows;
  alignas(64) std::uint8_t bytes[(kDraws + HWY_MAX_BYTES / 4) * kColumnsPerDraw];
  for (std::int64_t first = 0; first < y.rows; first += step) {
    const std::int64_t rows = std::min(step, y.rows - first);
    if (drop) dropout_bytes(e.dropout, first_row + first, rows, groups, bytes);
    for (std::int64_t r = 0; r < rows; ++r) {
      float* row = y.row(first + r);
      const float* base = e.base.data != nullptr ? e.base.row(first_row + first + r) : nullptr;
      const std::uint8_t* row_bytes = bytes + r * groups * kColumnsPerDraw;
      for_vectors(d, y.cols, [&](std::int64_t j, auto io) HWY_ATTR {
        auto v = io.load(d, row + j);
        if (base != nullptr) v = hn::Add(v, io.load(d, base + j));
        if (e.bias != nullptr) v = hn::Add(v, io.load(d, e.bias + j));
        v = activated<kActivation>(d, v);
        if (drop) v = hn::IfThenElseZero(kept(io, row_bytes + j, threshold), hn::Mul(v, scale));
        io.store(v, d, row + j);
      });
    }
  }
}

template <Activation kActivation>
void backward_impl(const Epilogue<float>& e, std::int64_t first_row, Mat<const float> y,
                   Mat<float> dy, float* db) {
  const Floats d;
  const std::int64_t groups = (y.cols + kColumnsPerDraw - 1) / kColumnsPerDraw;
  const bool drop = e.dropout.rate > 0;
  // A dropped element of a ReLU is zero and so is its slope: no need to draw again.
  const bool redraw = drop && kActivation != Activation::relu;
  const std::uint32_t threshold = dropout_threshold(e.dropout.rate);
  const auto keep = hn::Set(d, static_cast<float>(dropout_share(e.dropout.rate)));
  const auto scale = hn::Set(d, static_cast<float>(1.0 / dropout_share(e.dropout.rate)));
  const std::int64_t step = redraw ? rows_per_draw(groups) : dy.rows;
  alignas(64) std::uint8_t bytes[(kDraws + HWY_MAX_BYTES / 4) * kColumnsPerDraw];
  for (std::int64_t first = 0; first < dy.rows; first += step) {
    const std::int64_t rows = std::min(step, dy.rows - first);
    if (redraw) dropout_bytes(e.dropout, first_row + first, rows, groups, bytes);
    for (std::int64_t r = 0; r < rows; ++r) {
      const float* value_row = y.row(first + r);
      float* row = dy.row(first + r);
      const std::uint8_t* row_bytes = bytes + r * groups * kColumnsPerDraw;
      for_vectors(d, dy.cols, [&](std::int64_t j, auto io) HWY_ATTR {
        auto value = io.load(d, value_row + j);
        auto g = io.load(d, row + j);
        if (drop) {
          value = hn::Mul(value, keep);
          g = hn::Mul(g, scale);
          if (redraw) g = hn::IfThenElseZero(kept(io, row_bytes + j, threshold), g);
        }
        g = slope_times<kActivation>(d, value, g);
        io.store(g, d, row + j);
        if (db != nullptr) io.store(hn::Add(io.load(d, db + j), g), d, db + j);
      });
    }
  }
}

// A head's single column: rows lie side by side, and a bias is all there is to it.
bool is_column(const Epilogue<float>& e, Mat<float> y) {
  return y.cols == 1 && y.stride == 1 && e.bias != nullptr && e.base.data == nullptr &&
         e.activation == Activation::identity && e.dropout.rate == 0;
}

void epilogue_rows(const Epilogue<float>& e, std::int64_t first_row, Mat<float> y) {
  const bool unchanged = e.activation == Activation::identity && e.dropout.rate == 0 &&
                         e.bias == nullptr && e.base.data == nullptr;
  if (unchanged) return;
  if (is_column(e, y)) {
    const Floats d;
    const auto bias = hn::Set(d, *e.bias);
    for_vectors(d, y.rows, [&](std::int64_t i, auto io) HWY_ATTR {
      io.store(hn::Add(io.load(d, y.data + i), bias), d, y.data + i);
    });
    return;
  }
  switch (e.activation) {
    case Activation::identity:
      return epilogue_impl<Activation::identity>(e, first_row, y);
    case Activation::relu:
      return epilogue_impl<Activation::relu>(e, first_row, y);
    case Activation::tanh:
      return epilogue_impl<Activation::tanh>(e, first_row, y);
    case Activation::sigmoid:
      return epilogue_impl<Activation::sigmoid>(e, first_row, y);
  }
}

void epilogue_rows_backward(const Epilogue<float>& e, std::int64_t first_row, Mat<const float> y,
                            Mat<float> dy, float* db) {
  const bool unchanged = e.activation == Activation::identity && e.dropout.rate == 0;
  if (unchanged && db == nullptr) return;
  if (unchanged && is_column(e, dy)) {
    const Floats d;
    auto sum = hn::Zero(d);
    for_vectors(d, dy.rows, [&](std::int64_t i, auto io) HWY_ATTR {
      sum = hn::Add(sum, io.load(d, dy.data + i));
    });
    *db += hn::GetLane(hn::SumOfLanes(d, sum));
    return;
  }
  switch (e.activation) {
    case Activation::identity:
      return backward_impl<Activation::identity>(e, first_row, y, dy, db);
    case Activation::relu:
      return backward_impl<Activation::relu>(e, first_row, y, dy, db);
    case Activation::tanh:
      return backward_impl<Activation::tanh>(e, first_row, y, dy, db);
    case Activation::sigmoid:
      return backward_impl<Activation::sigmoid>(e, first_row, y, dy, db);
  }
}

}  // namespace
}  // namespace pegnn::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::cpu {

HWY_EXPORT(epilogue_rows);
HWY_EXPORT(epilogue_rows_backward);

void epilogue_rows(const Epilogue<float>& epilogue, std::int64_t first_row, Mat<float> y) noexcept {
  HWY_DYNAMIC_DISPATCH(epilogue_rows)(epilogue, first_row, y);
}
void epilogue_rows_backward(const Epilogue<float>& epilogue, std::int64_t first_row,
                            Mat<const float> y, Mat<float> dy, float* db) noexcept {
  HWY_DYNAMIC_DISPATCH(epilogue_rows_backward)(epilogue, first_row, y, dy, db);
}

}  // namespace pegnn::cpu
#endif  // HWY_ONCE
