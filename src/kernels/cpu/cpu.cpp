// The cpu backend: blocks of rows over the pool; inside a block a matrix product and vectorised
// rows.

#include <algorithm>
#include <cmath>

#include "kernels/cpu/attention.h"
#include "kernels/cpu/gemm.h"
#include "kernels/cpu/simd.h"
#include "kernels/kernels.h"

namespace pegnn::cpu {
namespace {

void linear(const ThreadPool& pool, Mat<const float> x, Mat<const float> w,
            const Epilogue<float>& epilogue, Mat<float> y) noexcept {
  pool.for_blocks(y.rows, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
    const Mat<float> block = y.block(begin, end - begin);
    gemm(false, true, x.block(begin, end - begin), w, block, false);
    epilogue_rows(epilogue, begin, block);
  });
}

// Calls f(slab, begin, end) for every slab of n rows and returns their number.
template <class F>
std::int64_t for_slabs(const ThreadPool& pool, std::int64_t n, F&& f) {
  const std::int64_t rows = slab_rows(n);
  const std::int64_t slabs = n == 0 ? 0 : (n + rows - 1) / rows;
  pool.for_each(slabs, [&](std::int64_t s) { f(s, s * rows, std::min(n, (s + 1) * rows)); });
  return slabs;
}

void epilogue_backward(const ThreadPool& pool, Mat<const float> y, const Epilogue<float>& epilogue,
                       Mat<float> dy, float* db, std::span<float> partial) noexcept {
  const std::int64_t out = dy.cols;
  const std::int64_t slabs =
      for_slabs(pool, dy.rows, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
        float* sums = db == nullptr ? nullptr : partial.data() + s * out;
        if (sums != nullptr) std::fill_n(sums, out, 0.0F);
        epilogue_rows_backward(epilogue, begin, y.block(begin, end - begin),
                               dy.block(begin, end - begin), sums);
      });
  if (db == nullptr) return;
  for (std::int64_t s = 0; s < slabs; ++s) add(out, partial.data() + s * out, db);
}

void linear_backward(const ThreadPool& pool, Mat<const float> x, Mat<const float> w,
                     Mat<const float> y, const Epilogue<float>& epilogue, Mat<float> dy,
                     Mat<float> dx, bool add_to_dx, Mat<float> dw, float* db,
                     std::span<float> partial) noexcept {
  const std::int64_t in = w.cols, out = w.rows;
  const std::int64_t per_slab = out * in + out;  // the slab's dw, then its db
  const std::int64_t slabs =
      for_slabs(pool, dy.rows, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
        const Mat<float> slab_dw(partial.data() + s * per_slab, out, in);
        float* slab_db = slab_dw.data + out * in;
        std::fill_n(slab_db, out, 0.0F);
        for (std::int64_t first = begin; first < end; first += kRowBlock) {
          const std::int64_t rows = std::min(kRowBlock, end - first);
          const Mat<float> dy_block = dy.block(first, rows);
          epilogue_rows_backward(epilogue, first, y.block(first, rows), dy_block,
                                 db != nullptr ? slab_db : nullptr);
          if (dx.data != nullptr) {
            gemm(false, false, dy_block, w, dx.block(first, rows), add_to_dx);
          }
          gemm(true, false, dy_block, x.block(first, rows), slab_dw, first != begin);
        }
      });
  for (std::int64_t s = 0; s < slabs; ++s) {
    const float* slab = partial.data() + s * per_slab;
    for (std::int64_t j = 0; j < out; ++j) add(in, slab + j * in, dw.row(j));
    if (db != nullptr) add(out, slab + out * in, db);
  }
}

void aggregate(const ThreadPool& pool, Csr graph, const float* weight, const float* self_weight,
               Mat<const float> x, const Epilogue<float>& epilogue, Mat<float> y) noexcept {
  pool.for_blocks(graph.rows, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
    aggregate_rows(graph, begin, end, weight, self_weight, x, y);
    epilogue_rows(epilogue, begin, y.block(begin, end - begin));
  });
}

void aggregate_max(const ThreadPool& pool, Csr graph, Mat<const float> x, Mat<float> y) noexcept {
  pool.for_blocks(graph.rows, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
    aggregate_max_rows(graph, begin, end, x, y);
  });
}

void aggregate_max_backward(const ThreadPool& pool, Csr graph, Csr reverse, Mat<const float> x,
                            Mat<const float> y, Mat<float> dy, Mat<float> dx) noexcept {
  pool.for_blocks(graph.rows, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
    share_among_largest(graph, begin, end, x, y, dy);
  });
  pool.for_blocks(reverse.rows, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
    aggregate_max_rows_backward(reverse, begin, end, x, y, dy, dx);
  });
}

void attend(const ThreadPool& pool, Csr graph, const Attention<float>& attention,
            Mat<const float> x, const Epilogue<float>& epilogue, const AttentionState<float>& state,
            Mat<float> y) noexcept {
  pool.for_blocks(graph.rows, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
    attention_scores(attention, begin, end, x, state);
  });
  pool.for_blocks(graph.rows, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
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

void attend_backward(const ThreadPool& pool, Csr graph, Csr reverse,
                     const std::int64_t* reverse_edge, const Attention<float>& attention,
                     Mat<const float> x, const AttentionState<float>& state, Mat<const float> dy,
                     const AttentionGradient<float>& gradient, Mat<float> dx,
                     std::span<float> partial) noexcept {
  const std::int64_t width = x.cols;
  const std::int64_t per_slab = 2 * width + attention.heads;  // source, target, edge slopes
  const auto slab_sums = [&](std::int64_t s) { return partial.data() + s * per_slab; };
  for_slabs(pool, graph.rows, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
    float* sums = slab_sums(s);
    std::fill_n(sums, per_slab, 0.0F);
    for (std::int64_t first = begin; first < end; first += kRowBlock) {
      attention_logits_backward(graph, first, std::min(first + kRowBlock, end), attention, x, state,
                                dy, gradient, sums + 2 * width);
    }
  });
  const std::int64_t slabs =
      for_slabs(pool, graph.rows, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
        float* sums = slab_sums(s);
        for (std::int64_t first = begin; first < end; first += kRowBlock) {
          attention_senders_backward(reverse, reverse_edge, first, std::min(first + kRowBlock, end),
                                     attention, x, state, dy, gradient, dx, sums, sums + width);
        }
      });
  for (std::int64_t s = 0; s < slabs; ++s) {
    const float* sums = slab_sums(s);
    add(width, sums, gradient.source);
    add(width, sums + width, gradient.target);
    if (attention.edge != nullptr) {
      edge_slopes_backward(attention, width, sums + 2 * width, gradient);
    }
  }
}

void sinusoidal(const ThreadPool& pool, Mat<const double> coordinates,
                std::span<const double> scales, Mat<float> out) noexcept {
  pool.for_blocks(coordinates.rows, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
    sinusoidal_rows(coordinates.block(begin, end - begin), scales, out.block(begin, end - begin));
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

constexpr Kernels<float> kTable{.backend = "cpu",
                                .linear = linear,
                                .linear_backward = linear_backward,
                                .aggregate = aggregate,
                                .aggregate_max = aggregate_max,
                                .aggregate_max_backward = aggregate_max_backward,
                                .attend = attend,
                                .attend_backward = attend_backward,
                                .epilogue_backward = epilogue_backward,
                                .sinusoidal = sinusoidal,
                                .adam = adam};

}  // namespace

const Kernels<float>& kernels() { return kTable; }

}  // namespace pegnn::cpu
