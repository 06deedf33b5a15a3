// The cpu backend: what is done with a block of rows, as products and vectorised rows.

#include <algorithm>
#include <cmath>

#include "kernels/cpu/attention.h"
#include "kernels/cpu/labels.h"
#include "kernels/cpu/product.h"
#include "kernels/cpu/rows.h"
#include "kernels/cpu/simd.h"
#include "kernels/cpu/slab_sums.h"
#include "kernels/kernels.h"
#include "kernels/plain.h"

namespace pegnn::cpu {
namespace {

void linear(Schedule& schedule, Mat<const float> x, Mat<const float> w,
            const Epilogue<float>& epilogue, Mat<float> y) {
  float* const packed = schedule.hold<float>(packed_size(w.cols, w.rows));
  pack_transposed(w, packed);
  schedule.rows(y.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    const Mat<float> block = y.block(begin, end - begin);
    multiply(x.block(begin, end - begin), packed, block, false);
    epilogue_rows(epilogue, begin, block);
  });
}

void epilogue_backward(Schedule& schedule, Mat<const float> y, const Epilogue<float>& epilogue,
                       Mat<float> dy, float* db) {
  const std::int64_t out = dy.cols;
  const SlabSums sums(schedule, dy.rows, db == nullptr ? 0 : out);
  schedule.rows(dy.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    float* const slab = db == nullptr ? nullptr : sums.of(begin);
    if (slab != nullptr && sums.first(begin)) std::fill_n(slab, out, 0.0F);
    epilogue_rows_backward(epilogue, begin, y.block(begin, end - begin),
                           dy.block(begin, end - begin), slab);
  });
  if (db != nullptr) sums.add_to(schedule, 0, out, db);
}

void linear_backward(Schedule& schedule, Mat<const float> x, Mat<const float> w, Mat<const float> y,
                     const Epilogue<float>& epilogue, Mat<float> dy, Mat<float> dx, bool add_to_dx,
                     Mat<float> dw, float* db) {
  const std::int64_t in = w.cols, out = w.rows;
  float* packed = nullptr;
  if (dx.data != nullptr) {
    packed = schedule.hold<float>(packed_size(out, in));
    pack(w, packed);
  }
  const SlabSums sums(schedule, dy.rows, out * in + out);  // dw, then db
  schedule.rows(dy.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    const std::int64_t rows = end - begin;
    const Mat<float> dy_block = dy.block(begin, rows);
    const bool first = sums.first(begin);
    float* const slab = sums.of(begin);
    if (first) std::fill_n(slab + out * in, out, 0.0F);
    epilogue_rows_backward(epilogue, begin, y.block(begin, rows), dy_block,
                           db != nullptr ? slab + out * in : nullptr);
    if (packed != nullptr) multiply(dy_block, packed, dx.block(begin, rows), add_to_dx);
    multiply_transposed(dy_block, x.block(begin, rows), {slab, out, in}, !first);
  });
  sums.add_to(schedule, 0, out * in, dw.data);
  if (db != nullptr) sums.add_to(schedule, out * in, out, db);
}

void aggregate(Schedule& schedule, Csr graph, const float* weight, const float* self_weight,
               Mat<const float> x, const Epilogue<float>& epilogue, Mat<float> y) {
  schedule.gather(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    aggregate_rows(graph, begin, end, weight, self_weight, x, y);
    epilogue_rows(epilogue, begin, y.block(begin, end - begin));
  });
}

void aggregate_max(Schedule& schedule, Csr graph, Mat<const float> x, Mat<float> y) {
  schedule.gather(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    aggregate_max_rows(graph, begin, end, x, y);
  });
}

void aggregate_max_backward(Schedule& schedule, Csr graph, Csr reverse, Mat<const float> x,
                            Mat<const float> y, Mat<float> dy, Mat<float> dx) {
  schedule.gather(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    share_among_largest(graph, begin, end, x, y, dy);
  });
  schedule.gather(reverse.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    aggregate_max_rows_backward(reverse, begin, end, x, y, dy, dx);
  });
}

void attend(Schedule& schedule, Csr graph, const Attention<float>& attention, Mat<const float> x,
            const Epilogue<float>& epilogue, const AttentionState<float>& state, Mat<float> y) {
  schedule.rows(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    attention_scores(attention, begin, end, x, state);
  });
  schedule.gather(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    attention_rows(graph, begin, end, attention, x, state, y);
    epilogue_rows(epilogue, begin, y.block(begin, end - begin));
  });
}

// Adds the gradient of the heads' edge slopes to those of the two vectors they are made of.
void edge_slopes_backward(const Attention<float>& attention, std::int64_t width,
                          const float* slopes, const AttentionGradient<float>& gradient) {
  const std::int64_t columns = width / attention.heads;
  for (std::int64_t c = 0; c < width; ++c) {
    gradient.edge[c] += slopes[c / columns] * attention.edge_map[c];
    gradient.edge_map[c] += slopes[c / columns] * attention.edge[c];
  }
}

void attend_backward(Schedule& schedule, Csr graph, Csr reverse, const std::int64_t* reverse_edge,
                     const Attention<float>& attention, Mat<const float> x,
                     const AttentionState<float>& state, Mat<const float> dy,
                     const AttentionGradient<float>& gradient, Mat<float> dx) {
  const std::int64_t n = graph.rows, width = x.cols, heads = attention.heads;
  const SlabSums sums(schedule, n, 2 * width + heads);  // source, target, edge slopes
  schedule.gather(n, [=](std::int64_t begin, std::int64_t end) noexcept {
    float* const slab = sums.of(begin);
    if (sums.first(begin)) std::fill_n(slab, 2 * width + heads, 0.0F);
    attention_logits_backward(graph, begin, end, attention, x, state, dy, gradient,
                              slab + 2 * width);
  });
  schedule.gather(n, [=](std::int64_t begin, std::int64_t end) noexcept {
    float* const slab = sums.of(begin);
    attention_senders_backward(reverse, reverse_edge, begin, end, attention, x, state, dy, gradient,
                               dx, slab, slab + width);
  });
  sums.add_to(schedule, 0, width, gradient.source);
  sums.add_to(schedule, width, width, gradient.target);
  if (attention.edge == nullptr) return;
  schedule.at_the_end(1, [=](std::int64_t, std::int64_t) noexcept {
    sums.for_each([&](const float* slab) {
      edge_slopes_backward(attention, width, slab + 2 * width, gradient);
    });
  });
}

void sinusoidal(const ThreadPool& pool, Mat<const double> coordinates,
                std::span<const double> scales, Mat<float> out) noexcept {
  pool.for_blocks(coordinates.rows, Schedule::kBlockRows,
                  [&](std::int64_t begin, std::int64_t end) {
                    sinusoidal_rows(coordinates.block(begin, end - begin), scales,
                                    out.block(begin, end - begin));
                  });
}

// Parameters per block of Adam: 16 K floats in four arrays are 256 KB. Networks of this kind have
// about 24,000 parameters, for which starting threads costs more than the pass itself.
constexpr std::int64_t kAdamBlock = 16384;

void adam(const ThreadPool& pool, const AdamStep& s, std::span<const float> gradient,
          std::span<float> first_moment, std::span<float> second_moment,
          std::span<float> parameters) noexcept {
  const double correction1 = 1.0 - std::pow(s.beta1, static_cast<double>(s.step));
  const double correction2 = 1.0 - std::pow(s.beta2, static_cast<double>(s.step));
  const AdamConstants constants{
      .rate = static_cast<float>(s.learning_rate / correction1),
      .root2 = static_cast<float>(std::sqrt(correction2)),
      .beta1 = static_cast<float>(s.beta1),
      .beta2 = static_cast<float>(s.beta2),
      .epsilon = static_cast<float>(s.epsilon),
      .coupled = static_cast<float>(s.decoupled ? 0.0 : s.weight_decay),
      .shrink = static_cast<float>(s.decoupled ? 1.0 - s.learning_rate * s.weight_decay : 1.0)};
  const auto n = static_cast<std::int64_t>(parameters.size());
  pool.for_blocks(n, kAdamBlock, [&](std::int64_t begin, std::int64_t end) {
    adam_range(constants, end - begin, gradient.data() + begin, first_moment.data() + begin,
               second_moment.data() + begin, parameters.data() + begin);
  });
}

// A pass over some 50,000 parameters takes less than waking a thread.
void clip(const ThreadPool&, double longest, std::span<float> gradient) noexcept {
  plain::clip(longest, gradient);
}

void average(const ThreadPool&, double kept, std::span<const float> values,
             std::span<float> mean) noexcept {
  plain::average(kept, values, mean);
}

bool all_finite(const ThreadPool&, std::span<const float> values) noexcept {
  return plain::all_finite(values);
}

constexpr Kernels<float> kTable{.backend = "cpu",
                                .linear = linear,
                                .linear_backward = linear_backward,
                                .aggregate = aggregate,
                                .aggregate_max = aggregate_max,
                                .aggregate_max_backward = aggregate_max_backward,
                                .attend = attend,
                                .attend_backward = attend_backward,
                                .label_attend = label_attend,
                                .label_attend_backward = label_attend_backward,
                                .among_attend = among_attend,
                                .among_attend_backward = among_attend_backward,
                                .epilogue_backward = epilogue_backward,
                                .fill = fill,
                                .copy = copy,
                                .add = add,
                                .normalise_symmetric = normalise_symmetric,
                                .normalise_mean = normalise_mean,
                                .weigh_loops = weigh_loops,
                                .sinusoidal = sinusoidal,
                                .adam = adam,
                                .clip = clip,
                                .average = average,
                                .all_finite = all_finite};

}  // namespace

const Kernels<float>& kernels() { return kTable; }

}  // namespace pegnn::cpu
