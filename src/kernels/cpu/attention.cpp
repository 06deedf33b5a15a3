// Graph attention with vectors across the columns of a row, or across the heads of an edge. Sums
// over edges stay in registers; nothing that was just stored is read back soon after.

#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/attention.cpp"
// In this order: foreach_target.h before highway.h, and that before math-inl.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#include <algorithm>

#include "kernels/cpu/attention.h"
#include "kernels/cpu/vectors.inc"

HWY_BEFORE_NAMESPACE();
namespace pegnn::cpu::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kMostLanes = HWY_MAX_BYTES / 4;

HWY_INLINE float vector_dot(const float* a, const float* b, std::int64_t n) {
  const Floats d;
  auto sum = hn::Zero(d);
  for_vectors(d, n, [&](std::int64_t c, auto io) HWY_ATTR {
    sum = hn::MulAdd(io.load(d, a + c), io.load(d, b + c), sum);
  });
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// Products of narrow heads wait here to be summed: many heads to a vector, no lane left empty.
constexpr std::int64_t kProducts = 256;

// dots[h] = the dot product of a and b over the columns of head h.
HWY_INLINE void head_dots(const float* a, const float* b, std::int64_t heads, std::int64_t columns,
                          float* dots) {
  const Floats d;
  if (columns >= static_cast<std::int64_t>(hn::Lanes(d))) {
    for (std::int64_t h = 0; h < heads; ++h) {
      dots[h] = vector_dot(a + h * columns, b + h * columns, columns);
    }
    return;
  }
  float products[kProducts + kMostLanes];
  const std::int64_t step = kProducts / columns;
  for (std::int64_t h = 0; h < heads; h += step) {
    const std::int64_t count = std::min(step, heads - h);
    const float* first = a + h * columns;
    const float* second = b + h * columns;
    for_vectors(d, count * columns, [&](std::int64_t c, auto io) HWY_ATTR {
      hn::StoreU(hn::Mul(io.load(d, first + c), io.load(d, second + c)), d, products + c);
    });
    for (std::int64_t l = 0; l < count; ++l) {
      float sum = 0;
      for (std::int64_t c = 0; c < columns; ++c) sum += products[l * columns + c];
      dots[h + l] = sum;
    }
  }
}

void attention_scores(const Attention<float>& attention, std::int64_t begin, std::int64_t end,
                      Mat<const float> x, const AttentionState<float>& s) {
  const std::int64_t heads = attention.heads, columns = x.cols / heads;
  for (std::int64_t i = begin; i < end; ++i) {
    head_dots(x.row(i), attention.source, heads, columns, s.source_score + i * heads);
    head_dots(x.row(i), attention.target, heads, columns, s.target_score + i * heads);
  }
}

// The logits of a vector of heads, from head `h` on, before LeakyReLU.
template <class D, class Io>
class Logits {
  using V = hn::Vec<D>;

 public:
  HWY_INLINE Logits(D, const Attention<float>& attention, const AttentionState<float>& state,
                    std::int64_t width, std::int64_t head, Io vector_io)
      : a(attention), s(state), h(head), io(vector_io) {
    float slopes[kMostLanes] = {};
    const std::int64_t columns = width / a.heads;
    const std::int64_t last = std::min(a.heads, h + static_cast<std::int64_t>(hn::Lanes(d)));
    for (std::int64_t l = h; l < last && a.edge != nullptr; ++l) {
      slopes[l - h] = vector_dot(a.edge + l * columns, a.edge_map + l * columns, columns);
    }
    edge_slope = hn::LoadU(d, slopes);
  }

  // Where the heads' numbers of a node or an edge stand.
  std::int64_t at(std::int64_t node_or_edge) const { return node_or_edge * a.heads + h; }

  HWY_INLINE V target(std::int64_t i) const { return io.load(d, s.target_score + at(i)); }
  HWY_INLINE V loop(std::int64_t i, V target_score) const {
    const V score = hn::Add(io.load(d, s.source_score + at(i)), target_score);
    if (a.edge == nullptr) return score;
    return hn::MulAdd(edge_slope, hn::Set(d, a.loop_weight[i]), score);
  }
  HWY_INLINE V edge(std::int64_t e, std::int64_t j, V target_score) const {
    const V score = hn::Add(io.load(d, s.source_score + at(j)), target_score);
    if (a.edge == nullptr) return score;
    return hn::MulAdd(edge_slope, hn::Set(d, a.edge_weight[e]), score);
  }

 private:
  const D d;
  const Attention<float>& a;
  const AttentionState<float>& s;
  std::int64_t h;
  Io io;
  V edge_slope;
};

template <class D, class V>
HWY_INLINE V leaky(D d, V v) {
  return hn::Max(v, hn::Mul(v, hn::Set(d, static_cast<float>(kLeakySlope))));
}

// g times the slope of LeakyReLU at v.
template <class D, class V>
HWY_INLINE V leaky_backward(D d, V v, V g) {
  const V lower = hn::Mul(g, hn::Set(d, static_cast<float>(kLeakySlope)));
  return hn::IfThenElse(hn::Gt(v, hn::Zero(d)), g, lower);
}

// Logits of the receivers [begin, end), less the largest of each row. They are computed twice:
// reading back what was stored a moment ago would take longer.
void attention_logits(Csr graph, std::int64_t begin, std::int64_t end,
                      const Attention<float>& attention, std::int64_t width,
                      const AttentionState<float>& s) {
  for_heads(attention.heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    const Logits logits(d, attention, s, width, h, io);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = graph.offsets[i], last = graph.offsets[i + 1];
      const auto target = logits.target(i);
      const auto loop = leaky(d, logits.loop(i, target));
      auto largest = loop;
      for (std::int64_t e = first; e < last; ++e) {
        largest = hn::Max(largest, leaky(d, logits.edge(e, graph.columns[e], target)));
      }
      io.store(hn::Sub(loop, largest), d, s.loop_share + logits.at(i));
      for (std::int64_t e = first; e < last; ++e) {
        const auto logit = leaky(d, logits.edge(e, graph.columns[e], target));
        io.store(hn::Sub(logit, largest), d, s.edge_share + logits.at(e));
      }
    }
  });
}

void exponentials(float* values, std::int64_t n) {
  const Floats d;
  for_vectors(d, n, [&](std::int64_t j, auto io) HWY_ATTR {
    io.store(hn::Exp(d, io.load(d, values + j)), d, values + j);
  });
}

void normalise_shares(Csr graph, std::int64_t begin, std::int64_t end, std::int64_t heads,
                      const AttentionState<float>& s) {
  for_heads(heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    for (std::int64_t i = begin; i < end; ++i) {
      float* loop_share = s.loop_share + i * heads + h;
      const auto loop = io.load(d, loop_share);
      auto sum = loop;
      for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
        sum = hn::Add(sum, io.load(d, s.edge_share + e * heads + h));
      }
      const auto scale = hn::Div(hn::Set(d, 1.0F), sum);  // the largest term is 1
      io.store(hn::Mul(loop, scale), d, loop_share);
      for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
        float* share = s.edge_share + e * heads + h;
        io.store(hn::Mul(io.load(d, share), scale), d, share);
      }
    }
  });
}

// Gives every column of a vector the number of its head.
class HeadsToColumns {
 public:
  HWY_INLINE HeadsToColumns(std::int64_t heads, std::int64_t columns, std::int64_t first_column)
      : heads_(heads),
        first_head_(first_column / columns),
        known_(hn::FirstN(Floats(), static_cast<std::size_t>(heads - first_head_))),
        head_(heads_of_lanes(columns, first_column)) {}

  // `values` holds the numbers of each node's or edge's heads.
  HWY_INLINE hn::Vec<Floats> operator()(const float* values, std::int64_t node_or_edge) const {
    const Floats d;
    if (heads_ == 1) return hn::Set(d, values[node_or_edge]);
    const float* from = values + node_or_edge * heads_ + first_head_;
    return hn::TableLookupLanes(hn::MaskedLoad(known_, d, from), head_);
  }

 private:
  using Lanes = decltype(hn::IndicesFromVec(Floats(), hn::Zero(hn::RebindToSigned<Floats>())));

  static HWY_INLINE Lanes heads_of_lanes(std::int64_t columns, std::int64_t first_column) {
    std::int32_t head[kMostLanes];
    for (std::int64_t l = 0; l < kMostLanes; ++l) {
      head[l] = static_cast<std::int32_t>((first_column + l) / columns - first_column / columns);
    }
    return hn::SetTableIndices(Floats(), head);
  }

  std::int64_t heads_, first_head_;
  hn::Mask<Floats> known_;
  Lanes head_;
};

void attention_rows(Csr graph, std::int64_t begin, std::int64_t end,
                    const Attention<float>& attention, Mat<const float> x,
                    const AttentionState<float>& s, Mat<float> y) {
  const Floats d;
  const std::int64_t heads = attention.heads;
  attention_logits(graph, begin, end, attention, x.cols, s);
  // All rows at once: the few edges of one row would leave most of a vector empty.
  exponentials(s.loop_share + begin * heads, (end - begin) * heads);
  exponentials(s.edge_share + graph.offsets[begin] * heads,
               (graph.offsets[end] - graph.offsets[begin]) * heads);
  normalise_shares(graph, begin, end, heads, s);
  for_vectors(d, x.cols, [&](std::int64_t c, auto io) HWY_ATTR {
    const HeadsToColumns by_column(heads, x.cols / heads, c);
    for (std::int64_t i = begin; i < end; ++i) {
      auto sum = hn::Mul(by_column(s.loop_share, i), io.load(d, x.row(i) + c));
      for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
        const auto sender = io.load(d, x.row(graph.columns[e]) + c);
        sum = hn::MulAdd(by_column(s.edge_share, e), sender, sum);
      }
      io.store(sum, d, y.row(i) + c);
    }
  });
}

// Gradients of the shares of the receivers [begin, end), left where those of the logits will be.
void shares_backward(Csr graph, std::int64_t begin, std::int64_t end, std::int64_t heads,
                     Mat<const float> x, Mat<const float> dy, const AttentionGradient<float>& g) {
  const std::int64_t columns = x.cols / heads;
  for (std::int64_t i = begin; i < end; ++i) {
    head_dots(dy.row(i), x.row(i), heads, columns, g.node_loop + i * heads);
    for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      head_dots(dy.row(i), x.row(graph.columns[e]), heads, columns, g.per_edge + e * heads);
    }
  }
}

void attention_logits_backward(Csr graph, std::int64_t begin, std::int64_t end,
                               const Attention<float>& attention, Mat<const float> x,
                               const AttentionState<float>& s, Mat<const float> dy,
                               const AttentionGradient<float>& g, float* slope) {
  shares_backward(graph, begin, end, attention.heads, x, dy, g);
  for_heads(attention.heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    const Logits logits(d, attention, s, x.cols, h, io);
    auto slope_sum = io.load(d, slope + h);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = graph.offsets[i], last = graph.offsets[i + 1], at = logits.at(i);
      const auto own_share = io.load(d, s.loop_share + at);
      const auto own_gradient = io.load(d, g.node_loop + at);
      auto mean = hn::Mul(own_share, own_gradient);
      for (std::int64_t e = first; e < last; ++e) {
        mean = hn::MulAdd(io.load(d, s.edge_share + logits.at(e)),
                          io.load(d, g.per_edge + logits.at(e)), mean);
      }
      const auto target = logits.target(i);
      const auto loop = leaky_backward(d, logits.loop(i, target),
                                       hn::Mul(own_share, hn::Sub(own_gradient, mean)));
      auto target_sum = loop;
      if (attention.edge != nullptr) {
        slope_sum = hn::MulAdd(loop, hn::Set(d, attention.loop_weight[i]), slope_sum);
      }
      for (std::int64_t e = first; e < last; ++e) {
        float* gradient = g.per_edge + logits.at(e);
        const auto share = io.load(d, s.edge_share + logits.at(e));
        const auto logit = leaky_backward(d, logits.edge(e, graph.columns[e], target),
                                          hn::Mul(share, hn::Sub(io.load(d, gradient), mean)));
        target_sum = hn::Add(target_sum, logit);
        if (attention.edge != nullptr) {
          slope_sum = hn::MulAdd(logit, hn::Set(d, attention.edge_weight[e]), slope_sum);
        }
        io.store(logit, d, gradient);
      }
      io.store(loop, d, g.node_loop + at);
      io.store(target_sum, d, g.node_target + at);
    }
    io.store(slope_sum, d, slope + h);
  });
}

// Turns node_loop into the gradient of source_score, for the senders [begin, end).
void source_scores_backward(Csr reverse, const std::int64_t* reverse_edge, std::int64_t begin,
                            std::int64_t end, std::int64_t heads,
                            const AttentionGradient<float>& g) {
  for_heads(heads, [&](auto d, std::int64_t h, auto io) HWY_ATTR {
    for (std::int64_t j = begin; j < end; ++j) {
      auto sum = io.load(d, g.node_loop + j * heads + h);
      for (std::int64_t e = reverse.offsets[j]; e < reverse.offsets[j + 1]; ++e) {
        sum = hn::Add(sum, io.load(d, g.per_edge + reverse_edge[e] * heads + h));
      }
      io.store(sum, d, g.node_loop + j * heads + h);
    }
  });
}

void attention_senders_backward(Csr reverse, const std::int64_t* reverse_edge, std::int64_t begin,
                                std::int64_t end, const Attention<float>& attention,
                                Mat<const float> x, const AttentionState<float>& s,
                                Mat<const float> dy, const AttentionGradient<float>& g,
                                Mat<float> dx, float* source, float* target) {
  const Floats d;
  const std::int64_t heads = attention.heads;
  source_scores_backward(reverse, reverse_edge, begin, end, heads, g);
  for_vectors(d, x.cols, [&](std::int64_t c, auto io) HWY_ATTR {
    const HeadsToColumns by_column(heads, x.cols / heads, c);
    const auto source_vector = io.load(d, attention.source + c);
    const auto target_vector = io.load(d, attention.target + c);
    auto source_sum = io.load(d, source + c), target_sum = io.load(d, target + c);
    for (std::int64_t j = begin; j < end; ++j) {
      auto sum = hn::Mul(by_column(s.loop_share, j), io.load(d, dy.row(j) + c));
      for (std::int64_t e = reverse.offsets[j]; e < reverse.offsets[j + 1]; ++e) {
        const auto receiver = io.load(d, dy.row(reverse.columns[e]) + c);
        sum = hn::MulAdd(by_column(s.edge_share, reverse_edge[e]), receiver, sum);
      }
      const auto as_source = by_column(g.node_loop, j), as_target = by_column(g.node_target, j);
      sum = hn::MulAdd(as_source, source_vector, sum);
      io.store(hn::MulAdd(as_target, target_vector, sum), d, dx.row(j) + c);
      const auto value = io.load(d, x.row(j) + c);
      source_sum = hn::MulAdd(as_source, value, source_sum);
      target_sum = hn::MulAdd(as_target, value, target_sum);
    }
    io.store(source_sum, d, source + c);
    io.store(target_sum, d, target + c);
  });
}

}  // namespace
}  // namespace pegnn::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn::cpu {

HWY_EXPORT(attention_scores);
HWY_EXPORT(attention_rows);
HWY_EXPORT(attention_logits_backward);
HWY_EXPORT(attention_senders_backward);

void attention_scores(const Attention<float>& attention, std::int64_t begin, std::int64_t end,
                      Mat<const float> x, const AttentionState<float>& state) noexcept {
  HWY_DYNAMIC_DISPATCH(attention_scores)(attention, begin, end, x, state);
}
void attention_rows(Csr graph, std::int64_t begin, std::int64_t end,
                    const Attention<float>& attention, Mat<const float> x,
                    const AttentionState<float>& state, Mat<float> y) noexcept {
  HWY_DYNAMIC_DISPATCH(attention_rows)(graph, begin, end, attention, x, state, y);
}
void attention_logits_backward(Csr graph, std::int64_t begin, std::int64_t end,
                               const Attention<float>& attention, Mat<const float> x,
                               const AttentionState<float>& state, Mat<const float> dy,
                               const AttentionGradient<float>& gradient, float* slope) noexcept {
  HWY_DYNAMIC_DISPATCH(attention_logits_backward)
  (graph, begin, end, attention, x, state, dy, gradient, slope);
}
void attention_senders_backward(Csr reverse, const std::int64_t* reverse_edge, std::int64_t begin,
                                std::int64_t end, const Attention<float>& attention,
                                Mat<const float> x, const AttentionState<float>& state,
                                Mat<const float> dy, const AttentionGradient<float>& gradient,
                                Mat<float> dx, float* source, float* target) noexcept {
  HWY_DYNAMIC_DISPATCH(attention_senders_backward)
  (reverse, reverse_edge, begin, end, attention, x, state, dy, gradient, dx, source, target);
}

}  // namespace pegnn::cpu
#endif  // HWY_ONCE
