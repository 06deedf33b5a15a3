#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/vectors.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "linalg/vectors.h"

HWY_BEFORE_NAMESPACE();
namespace pegnn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
constexpr std::int64_t kLanes = HWY_LANES(double);

double dot(std::int64_t n, const double* HWY_RESTRICT x, const double* HWY_RESTRICT y) {
  const Doubles d;
  // Four sums: an addition takes four cycles and the next one need not wait for it.
  auto s0 = hn::Zero(d), s1 = hn::Zero(d), s2 = hn::Zero(d), s3 = hn::Zero(d);
  std::int64_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    s0 = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), s0);
    s1 = hn::MulAdd(hn::LoadU(d, x + i + kLanes), hn::LoadU(d, y + i + kLanes), s1);
    s2 = hn::MulAdd(hn::LoadU(d, x + i + 2 * kLanes), hn::LoadU(d, y + i + 2 * kLanes), s2);
    s3 = hn::MulAdd(hn::LoadU(d, x + i + 3 * kLanes), hn::LoadU(d, y + i + 3 * kLanes), s3);
  }
  for (; i + kLanes <= n; i += kLanes) {
    s0 = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), s0);
  }
  const auto sum = hn::Add(hn::Add(s0, s1), hn::Add(s2, s3));
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < n; ++i) total += x[i] * y[i];
  return total;
}

void add_weighted_rows(Mat<const double> a, const double* weight, double* HWY_RESTRICT y) {
  const Doubles d;
  std::int64_t i = 0;
  // Four rows for one reading and writing of y.
  for (; i + 4 <= a.rows; i += 4) {
    const double *r0 = a.row(i), *r1 = a.row(i + 1), *r2 = a.row(i + 2), *r3 = a.row(i + 3);
    const auto w0 = hn::Set(d, weight[i]), w1 = hn::Set(d, weight[i + 1]);
    const auto w2 = hn::Set(d, weight[i + 2]), w3 = hn::Set(d, weight[i + 3]);
    std::int64_t j = 0;
    for (; j + kLanes <= a.cols; j += kLanes) {
      auto s = hn::MulAdd(w0, hn::LoadU(d, r0 + j), hn::LoadU(d, y + j));
      s = hn::MulAdd(w1, hn::LoadU(d, r1 + j), s);
      s = hn::MulAdd(w2, hn::LoadU(d, r2 + j), s);
      hn::StoreU(hn::MulAdd(w3, hn::LoadU(d, r3 + j), s), d, y + j);
    }
    for (; j < a.cols; ++j) {
      y[j] +=
          weight[i] * r0[j] + weight[i + 1] * r1[j] + weight[i + 2] * r2[j] + weight[i + 3] * r3[j];
    }
  }
  for (; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.cols; ++j) y[j] += weight[i] * a(i, j);
  }
}

}  // namespace
}  // namespace pegnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn {

HWY_EXPORT(dot);
HWY_EXPORT(add_weighted_rows);

double dot(std::int64_t n, const double* x, const double* y) noexcept {
  return HWY_DYNAMIC_DISPATCH(dot)(n, x, y);
}
void add_weighted_rows(Mat<const double> a, const double* weight, double* y) noexcept {
  HWY_DYNAMIC_DISPATCH(add_weighted_rows)(a, weight, y);
}

}  // namespace pegnn
#endif  // HWY_ONCE
