#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "baseline/side_correlations.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <algorithm>

#include "baseline/side_correlations.h"

HWY_BEFORE_NAMESPACE();
namespace pegnn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, kSide>;
using Vector = hn::Vec<Doubles>;
constexpr std::int64_t kLanes = HWY_MIN(HWY_LANES(double), kSide);

HWY_INLINE Vector constant(double value) { return hn::Set(Doubles(), value); }

// exp(-v) for v from 0 on, to 3e-13 of itself: with v = n log 2 + r, |r| <= log 2 / 2, it is
// 2^-n exp(-r), and ten terms of the series are enough for a matrix whose diagonal has a jitter of
// 1e-8. Half the instructions of an exponential to the last bit, which would be most of the work.
HWY_INLINE Vector exp_of_minus(Vector v) {
  const Doubles d;
  const hn::Rebind<std::int64_t, Doubles> whole;
  // Added to a number below 2^51 this leaves its nearest integer in the lowest bits.
  const Vector shift = constant(0x1.8p52);
  const Vector shifted = hn::NegMulAdd(v, constant(1.4426950408889634), shift);  // 1 / log 2
  const Vector n = hn::Sub(shifted, shift);
  // log 2 in two parts, the first with zeros at the end, so that its multiples are exact.
  Vector r = hn::NegMulAdd(n, constant(0x1.62e42fefap-1), hn::Neg(v));
  r = hn::NegMulAdd(n, constant(0x1.cf79abc9e3b3ap-40), r);
  Vector sum = constant(1.0 / 3628800);
  for (const double term : {1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24,
                            1.0 / 6, 1.0 / 2, 1.0, 1.0}) {
    sum = hn::MulAdd(sum, r, constant(term));
  }
  // n goes into the exponent; below 2^-1022 there is none, and what is so small is zero here.
  const auto power = hn::ShiftLeft<52>(hn::BitCast(whole, shifted));
  const Vector scaled = hn::BitCast(d, hn::Add(hn::BitCast(whole, sum), power));
  return hn::IfThenElseZero(hn::Lt(v, constant(708)), scaled);
}

// The correlation at a squared distance in units in which the exponent is simplest: u^2, 3 u^2,
// 5 u^2 and u^2 / 2 with u as in baseline/covariance.h.
template <Covariance kKernel>
HWY_INLINE Vector correlation_at(Vector square) {
  // From here on all is zero in double; infinity times zero would not be.
  square = hn::Min(square, constant(4e6));
  if constexpr (kKernel == Covariance::gaussian) return exp_of_minus(square);
  const Vector v = hn::Sqrt(square);
  const Vector fall = exp_of_minus(v);
  if constexpr (kKernel == Covariance::matern32) return hn::MulAdd(v, fall, fall);
  if constexpr (kKernel == Covariance::matern52) {
    return hn::MulAdd(hn::MulAdd(square, constant(1.0 / 3), v), fall, fall);
  }
  return fall;
}

constexpr double unit_of(Covariance kernel) {
  switch (kernel) {
    case Covariance::exponential:
      return 1;
    case Covariance::matern32:
      return 3;
    case Covariance::matern52:
      return 5;
    case Covariance::gaussian:
      return 0.5;
  }
  return 1;
}

template <Covariance kKernel>
void fill(double range, double part, std::int64_t count, const double* HWY_RESTRICT places,
          double* HWY_RESTRICT triangle) {
  const Doubles d;
  // Finite, for two rows at one place.
  const Vector unit = constant(std::min(unit_of(kKernel) / range / range, 1e300));
  const Vector whole = constant(part);
  for (std::int64_t i = 1; i < count; ++i) {
    const double* own = places + i * 3 * kSide;
    const Vector x = hn::Load(d, own), y = hn::Load(d, own + kSide);
    const Vector z = hn::Load(d, own + 2 * kSide);
    double* row = triangle + triangle_at(i, 0);
    for (std::int64_t j = 0; j < i; ++j) {
      const double* other = places + j * 3 * kSide;
      const Vector dx = hn::Sub(x, hn::Load(d, other));
      const Vector dy = hn::Sub(y, hn::Load(d, other + kSide));
      const Vector dz = hn::Sub(z, hn::Load(d, other + 2 * kSide));
      const Vector square = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
      const Vector rho = correlation_at<kKernel>(hn::Mul(square, unit));
      hn::Store(hn::Mul(whole, rho), d, row + j * kSide);
    }
  }
}

void side_correlations(const SpatialModel& model, std::int64_t count, const double* places,
                       double* triangle) {
  if (count < 2) return;  // no pair, and perhaps no triangle
  const double part = 1 - model.share();
  for (std::int64_t first = 0; first < kSide; first += kLanes) {
    const auto with = [&]<Covariance kKernel>() {
      fill<kKernel>(model.range, part, count, places + first, triangle + first);
    };
    switch (model.kernel) {
      case Covariance::exponential:
        with.template operator()<Covariance::exponential>();
        break;
      case Covariance::matern32:
        with.template operator()<Covariance::matern32>();
        break;
      case Covariance::matern52:
        with.template operator()<Covariance::matern52>();
        break;
      case Covariance::gaussian:
        with.template operator()<Covariance::gaussian>();
        break;
    }
  }
}

}  // namespace
}  // namespace pegnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn {

HWY_EXPORT(side_correlations);

void side_correlations(const SpatialModel& model, std::int64_t count, const double* places,
                       double* triangle) noexcept {
  HWY_DYNAMIC_DISPATCH(side_correlations)(model, count, places, triangle);
}

}  // namespace pegnn
#endif  // HWY_ONCE
