// The sinusoidal transform, Adam and sums: what needs neither graph nor epilogue.

#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd.cpp"
// In this order: foreach_target.h before highway.h, and that before math-inl.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#include <algorithm>
#include <cmath>

#include "base/flush_subnormals.h"
#include "kernels/cpu/simd.h"
#include "kernels/cpu/vectors.inc"

HWY_BEFORE_NAMESPACE();
namespace pegnn::cpu::HWY_NAMESPACE {
namespace {

// Largest angle for which Highway's argument reduction was measured to be exact to 2e-16.
constexpr double kLargestAngle = 1.8e8;

void sinusoidal_rows(Mat<const double> coordinates, std::span<const double> scales,
                     Mat<float> out) {
  const hn::ScalableTag<double> d;
  const auto count = static_cast<std::int64_t>(scales.size());
  double sines[HWY_MAX_BYTES / 8], cosines[HWY_MAX_BYTES / 8];
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < coordinates.rows; ++i) {
    for (std::int64_t v = 0; v < 2; ++v) {
      const double c = coordinates(i, v);
      float* to = out.row(i) + v * 2 * count;
      for (std::int64_t s = 0; s < count; s += lanes) {
        const std::int64_t n = std::min(lanes, count - s);
        double angles[HWY_MAX_BYTES / 8] = {};
        bool large = false;
        for (std::int64_t l = 0; l < n; ++l) {
          angles[l] = c / scales[static_cast<std::size_t>(s + l)];
          large = large || std::abs(angles[l]) > kLargestAngle;
        }
        if (large) {
          for (std::int64_t l = 0; l < n; ++l) {
            sines[l] = std::sin(angles[l]);
            cosines[l] = std::cos(angles[l]);
          }
        } else {
          const auto a = hn::LoadU(d, angles);
          hn::StoreU(hn::Sin(d, a), d, sines);
          hn::StoreU(hn::Cos(d, a), d, cosines);
        }
        for (std::int64_t l = 0; l < n; ++l) {
          to[2 * (s + l)] = static_cast<float>(sines[l]);
          to[2 * (s + l) + 1] = static_cast<float>(cosines[l]);
        }
      }
    }
  }
}

void adam_range(const AdamConstants& k, std::int64_t n, const float* gradient, float* first_moment,
                float* second_moment, float* parameters) {
  const Floats d;
  const auto rate = hn::Set(d, k.rate), epsilon = hn::Set(d, k.epsilon);
  const auto root2 = hn::Set(d, 1.0F / k.root2);
  const auto beta2 = hn::Set(d, k.beta2);
  const auto rest1 = hn::Set(d, 1.0F - k.beta1), rest2 = hn::Set(d, 1.0F - k.beta2);
  const auto coupled = hn::Set(d, k.coupled), shrink = hn::Set(d, k.shrink);
  for_vectors(d, n, [&](std::int64_t i, auto io) HWY_ATTR {
    const auto p = io.load(d, parameters + i);
    const auto g = hn::MulAdd(coupled, p, io.load(d, gradient + i));
    auto m = io.load(d, first_moment + i);
    m = hn::MulAdd(hn::Sub(g, m), rest1, m);
    const auto v = hn::MulAdd(hn::Mul(rest2, g), g, hn::Mul(beta2, io.load(d, second_moment + i)));
    const auto root = hn::MulAdd(hn::Sqrt(v), root2, epsilon);
    io.store(m, d, first_moment + i);
    io.store(v, d, second_moment + i);
    io.store(hn::Sub(hn::Mul(p, shrink), hn::Div(hn::Mul(rate, m), root)), d, parameters + i);
  });
}

void add(std::int64_t n, const float* addend, float* sum) {
  const Floats d;
  for_vectors(d, n, [&](std::int64_t i, auto io) HWY_ATTR {
    io.store(hn::Add(io.load(d, sum + i), io.load(d, addend + i)), d, sum + i);
  });
}

}  // namespace
}  // namespace pegnn::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::cpu {

HWY_EXPORT(sinusoidal_rows);
HWY_EXPORT(adam_range);
HWY_EXPORT(add);

void sinusoidal_rows(Mat<const double> coordinates, std::span<const double> scales,
                     Mat<float> out) noexcept {
  HWY_DYNAMIC_DISPATCH(sinusoidal_rows)(coordinates, scales, out);
}
void adam_range(const AdamConstants& constants, std::int64_t n, const float* gradient,
                float* first_moment, float* second_moment, float* parameters) noexcept {
  const FlushSubnormals flush;
  HWY_DYNAMIC_DISPATCH(adam_range)
  (constants, n, gradient, first_moment, second_moment, parameters);
}
void add(std::int64_t n, const float* addend, float* sum) noexcept {
  HWY_DYNAMIC_DISPATCH(add)(n, addend, sum);
}

}  // namespace pegnn::cpu
#endif  // HWY_ONCE
