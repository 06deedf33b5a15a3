// Distances between the edges of a row, and the softmax that sees them.

#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/among_softmax.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/cpu/among.h"
#include "kernels/cpu/label_attention.h"
#include "kernels/cpu/label_scratch.h"
#include "kernels/cpu/vectors.inc"
#include "kernels/cpu/vectors_dropout.inc"
#include "kernels/cpu/vectors_tiles.inc"

HWY_BEFORE_NAMESPACE();
namespace pegnn::cpu::HWY_NAMESPACE {
namespace {

// Calls f(e, inside) for whole vectors that cover [0, n); `inside` are the lanes below n.
template <class F>
HWY_INLINE void for_padded(std::int64_t n, F&& f) {
  const Floats d;
  for (std::int64_t e = 0; e < n; e += kLanes) {
    f(e, hn::FirstN(d, static_cast<std::size_t>(n - e)));
  }
}

void pair_distances(Mat<const float> edges, std::int64_t first, float* places, Mat<float> apart,
                    Mat<float> logs) {
  const Floats d;
  const std::int64_t n = edges.rows, axes = std::min<std::int64_t>(3, edges.cols);
  const std::int64_t stride = padded(n);
  for (std::int64_t a = 0; a < axes; ++a) {
    for (std::int64_t e = 0; e < n; ++e) places[a * stride + e] = edges(e, a);
    std::fill(places + a * stride + n, places + (a + 1) * stride, 0.0F);
  }
  const Vector least = hn::Set(d, static_cast<float>(kLeastDistance));
  for (std::int64_t r = 0; r < apart.rows; ++r) {
    for (std::int64_t e = 0; e < n; e += kLanes) {
      Vector squares = hn::Zero(d);
      for (std::int64_t a = 0; a < axes; ++a) {
        const Vector from = hn::Set(d, places[a * stride + first + r]);
        const Vector step = hn::Sub(from, hn::LoadU(d, places + a * stride + e));
        squares = hn::MulAdd(step, step, squares);
      }
      const Vector distance = hn::Sqrt(squares);
      hn::StoreU(distance, d, apart.row(r) + e);
      hn::StoreU(hn::Log(d, hn::Add(distance, least)), d, logs.row(r) + e);
    }
  }
}

HWY_INLINE float total(Vector v) { return hn::GetLane(hn::SumOfLanes(Floats(), v)); }

void distance_softmax(float scale, float by_distance, float by_log, Mat<const float> apart,
                      Mat<const float> logs, const float* log_weights, Mat<float> products) {
  const Floats d;
  const Vector of_product = hn::Set(d, scale), of_distance = hn::Set(d, by_distance);
  const Vector of_log = hn::Set(d, by_log);
  const Vector lowest = hn::Set(d, std::numeric_limits<float>::lowest());
  for (std::int64_t r = 0; r < products.rows; ++r) {
    float* const row = products.row(r);
    Vector most = lowest;
    for_padded(products.cols, [&](std::int64_t e, auto inside) HWY_ATTR {
      Vector logit = hn::Mul(of_product, hn::LoadU(d, row + e));
      logit = hn::MulAdd(of_distance, hn::LoadU(d, apart.row(r) + e), logit);
      logit = hn::MulAdd(of_log, hn::LoadU(d, logs.row(r) + e), logit);
      logit = hn::Add(logit, hn::LoadU(d, log_weights + e));
      most = hn::Max(most, hn::IfThenElse(inside, logit, lowest));
      hn::StoreU(logit, d, row + e);
    });
    const Vector largest = hn::MaxOfLanes(d, most);
    Vector sum = hn::Zero(d);
    for_padded(products.cols, [&](std::int64_t e, auto inside) HWY_ATTR {
      const Vector x = hn::Sub(hn::LoadU(d, row + e), largest);
      const Vector weight = hn::IfThenElse(hn::IsNaN(x), x, exponential(x));
      sum = hn::Add(sum, hn::IfThenElseZero(inside, weight));
      hn::StoreU(weight, d, row + e);
    });
    const Vector share = hn::Set(d, 1.0F / total(sum));  // the largest term is 1
    for (std::int64_t e = 0; e < products.cols; e += kLanes) {
      hn::StoreU(hn::Mul(hn::LoadU(d, row + e), share), d, row + e);
    }
  }
}

void distance_softmax_backward(float scale, Mat<const float> apart, Mat<const float> logs,
                               Mat<const float> shares, Mat<float> gradients, float* d_by_distance,
                               float* d_by_log) {
  const Floats d;
  const Vector of_product = hn::Set(d, scale);
  Vector to_distance = hn::Zero(d), to_log = hn::Zero(d);
  for (std::int64_t r = 0; r < gradients.rows; ++r) {
    float* const row = gradients.row(r);
    const float* const share = shares.row(r);
    Vector sum = hn::Zero(d);
    for_padded(gradients.cols, [&](std::int64_t e, auto inside) HWY_ATTR {
      const Vector term = hn::Mul(hn::LoadU(d, share + e), hn::LoadU(d, row + e));
      sum = hn::Add(sum, hn::IfThenElseZero(inside, term));
    });
    const Vector mean = hn::SumOfLanes(d, sum);
    for_padded(gradients.cols, [&](std::int64_t e, auto inside) HWY_ATTR {
      const Vector from_mean = hn::Sub(hn::LoadU(d, row + e), mean);
      const Vector logit = hn::IfThenElseZero(inside, hn::Mul(hn::LoadU(d, share + e), from_mean));
      to_distance = hn::MulAdd(logit, hn::LoadU(d, apart.row(r) + e), to_distance);
      to_log = hn::MulAdd(logit, hn::LoadU(d, logs.row(r) + e), to_log);
      hn::StoreU(hn::Mul(of_product, logit), d, row + e);
    });
  }
  *d_by_distance += total(to_distance);
  *d_by_log += total(to_log);
}

}  // namespace
}  // namespace pegnn::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::cpu {

HWY_EXPORT(pair_distances);
HWY_EXPORT(distance_softmax);
HWY_EXPORT(distance_softmax_backward);

void pair_distances(Mat<const float> edges, std::int64_t first, float* places, Mat<float> apart,
                    Mat<float> logs) noexcept {
  HWY_DYNAMIC_DISPATCH(pair_distances)(edges, first, places, apart, logs);
}
void distance_softmax(float scale, float by_distance, float by_log, Mat<const float> apart,
                      Mat<const float> logs, const float* log_weights,
                      Mat<float> products) noexcept {
  HWY_DYNAMIC_DISPATCH(distance_softmax)
  (scale, by_distance, by_log, apart, logs, log_weights, products);
}
void distance_softmax_backward(float scale, Mat<const float> apart, Mat<const float> logs,
                               Mat<const float> shares, Mat<float> gradients, float* d_by_distance,
                               float* d_by_log) noexcept {
  HWY_DYNAMIC_DISPATCH(distance_softmax_backward)
  (scale, apart, logs, shares, gradients, d_by_distance, d_by_log);
}

}  // namespace pegnn::cpu
#endif  // HWY_ONCE
