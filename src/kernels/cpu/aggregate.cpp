// Sums and maxima over neighbours, and their gradients.

#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/aggregate.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <algorithm>

#include "kernels/cpu/simd.h"
#include "kernels/cpu/vectors.inc"

HWY_BEFORE_NAMESPACE();
namespace pegnn::cpu::HWY_NAMESPACE {
namespace {

// Columns [c, c + V vectors) of the rows, so that an edge is looked up once for all of them.
template <int V, class Io>
HWY_INLINE void aggregate_columns(Csr graph, std::int64_t begin, std::int64_t end,
                                  const float* weight, const float* self_weight, Mat<const float> x,
                                  std::int64_t c, Io io, Mat<float> y) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = begin; i < end; ++i) {
    hn::Vec<Floats> sum[std::size_t{V}];
    const auto own = hn::Set(d, self_weight != nullptr ? self_weight[i] : 0.0F);
    const float* const self_row = x.row(self_weight != nullptr ? i : 0) + c;
    for (int v = 0; v < V; ++v) {
      sum[v] =
          self_weight != nullptr ? hn::Mul(own, io.load(d, self_row + v * lanes)) : hn::Zero(d);
    }
    for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      const auto w = hn::Set(d, weight != nullptr ? weight[e] : 1.0F);
      const float* const row = x.row(graph.columns[e]) + c;
      for (int v = 0; v < V; ++v) sum[v] = hn::MulAdd(w, io.load(d, row + v * lanes), sum[v]);
    }
    float* const out = y.row(i) + c;
    for (int v = 0; v < V; ++v) io.store(sum[v], d, out + v * lanes);
  }
}

void aggregate_rows(Csr graph, std::int64_t begin, std::int64_t end, const float* weight,
                    const float* self_weight, Mat<const float> x, Mat<float> y) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  std::int64_t c = 0;
  for (; c + 2 * lanes <= y.cols; c += 2 * lanes) {
    aggregate_columns<2>(graph, begin, end, weight, self_weight, x, c, Whole{}, y);
  }
  if (c + lanes <= y.cols) {
    aggregate_columns<1>(graph, begin, end, weight, self_weight, x, c, Whole{}, y);
    c += lanes;
  }
  if (c < y.cols) {
    const Rest rest{static_cast<std::size_t>(y.cols - c)};
    aggregate_columns<1>(graph, begin, end, weight, self_weight, x, c, rest, y);
  }
}

void aggregate_max_rows(Csr graph, std::int64_t begin, std::int64_t end, Mat<const float> x,
                        Mat<float> y) {
  const Floats d;
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t first = graph.offsets[i], last = graph.offsets[i + 1];
    float* out = y.row(i);
    for_vectors(d, y.cols, [&](std::int64_t c, auto io) HWY_ATTR {
      auto largest = hn::Zero(d);
      if (first < last) largest = io.load(d, x.row(graph.columns[first]) + c);
      for (std::int64_t e = first + 1; e < last; ++e) {
        largest = hn::Max(largest, io.load(d, x.row(graph.columns[e]) + c));
      }
      io.store(largest, d, out + c);
    });
  }
}

void share_among_largest(Csr graph, std::int64_t begin, std::int64_t end, Mat<const float> x,
                         Mat<const float> y, Mat<float> dy) {
  const Floats d;
  const auto one = hn::Set(d, 1.0F);
  for (std::int64_t i = begin; i < end; ++i) {
    const float* largest_row = y.row(i);
    float* out = dy.row(i);
    for_vectors(d, y.cols, [&](std::int64_t c, auto io) HWY_ATTR {
      const auto largest = io.load(d, largest_row + c);
      auto ties = hn::Zero(d);
      for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
        const auto tie = hn::Eq(io.load(d, x.row(graph.columns[e]) + c), largest);
        ties = hn::Add(ties, hn::IfThenElseZero(tie, one));
      }
      // At least one: a row without edges has no one to share with.
      io.store(hn::Div(io.load(d, out + c), hn::Max(ties, one)), d, out + c);
    });
  }
}

void aggregate_max_rows_backward(Csr reverse, std::int64_t begin, std::int64_t end,
                                 Mat<const float> x, Mat<const float> y, Mat<const float> dy,
                                 Mat<float> dx) {
  const Floats d;
  for (std::int64_t j = begin; j < end; ++j) {
    const float* row = x.row(j);
    float* out = dx.row(j);
    for_vectors(d, x.cols, [&](std::int64_t c, auto io) HWY_ATTR {
      const auto value = io.load(d, row + c);
      auto sum = io.load(d, out + c);
      for (std::int64_t e = reverse.offsets[j]; e < reverse.offsets[j + 1]; ++e) {
        const std::int64_t i = reverse.columns[e];
        const auto largest = hn::Eq(value, io.load(d, y.row(i) + c));
        sum = hn::Add(sum, hn::IfThenElseZero(largest, io.load(d, dy.row(i) + c)));
      }
      io.store(sum, d, out + c);
    });
  }
}

}  // namespace
}  // namespace pegnn::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::cpu {

HWY_EXPORT(aggregate_rows);
HWY_EXPORT(aggregate_max_rows);
HWY_EXPORT(share_among_largest);
HWY_EXPORT(aggregate_max_rows_backward);

void aggregate_rows(Csr graph, std::int64_t begin, std::int64_t end, const float* weight,
                    const float* self_weight, Mat<const float> x, Mat<float> y) noexcept {
  HWY_DYNAMIC_DISPATCH(aggregate_rows)(graph, begin, end, weight, self_weight, x, y);
}
void aggregate_max_rows(Csr graph, std::int64_t begin, std::int64_t end, Mat<const float> x,
                        Mat<float> y) noexcept {
  HWY_DYNAMIC_DISPATCH(aggregate_max_rows)(graph, begin, end, x, y);
}
void share_among_largest(Csr graph, std::int64_t begin, std::int64_t end, Mat<const float> x,
                         Mat<const float> y, Mat<float> dy) noexcept {
  HWY_DYNAMIC_DISPATCH(share_among_largest)(graph, begin, end, x, y, dy);
}
void aggregate_max_rows_backward(Csr reverse, std::int64_t begin, std::int64_t end,
                                 Mat<const float> x, Mat<const float> y, Mat<const float> dy,
                                 Mat<float> dx) noexcept {
  HWY_DYNAMIC_DISPATCH(aggregate_max_rows_backward)(reverse, begin, end, x, y, dy, dx);
}

}  // namespace pegnn::cpu
#endif  // HWY_ONCE
