#pragma once
// Graph attention and its gradient as plain loops in the order of the formulas.

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/reference/epilogue.h"

namespace pegnn::reference {

template <class T>
T dot(const T* a, const T* b, std::int64_t n) {
  T sum = 0;
  for (std::int64_t c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

// The slope of LeakyReLU at v: LeakyReLU(v) = v leaky_slope(v).
template <class T>
T leaky_slope(T v) {
  return v > T(0) ? T(1) : static_cast<T>(kLeakySlope);
}

// One head of an attention: where its numbers stand, and the logits of its edges.
template <class T>
struct AttentionHead {
  AttentionHead(const Attention<T>& attention, std::int64_t head, std::int64_t width)
      : a(attention),
        h(head),
        columns(width / attention.heads),
        first(head * columns),
        edge_slope(a.edge != nullptr ? dot(a.edge + first, a.edge_map + first, columns) : T(0)) {}

  // Where the head's number of a node or an edge stands.
  std::int64_t at(std::int64_t node_or_edge) const { return node_or_edge * a.heads + h; }

  // Logits before LeakyReLU: of edge e = (i <- j), and of the self loop of i.
  T edge_logit(const AttentionState<T>& s, std::int64_t i, std::int64_t j, std::int64_t e) const {
    const T score = s.source_score[at(j)] + s.target_score[at(i)];
    return a.edge != nullptr ? score + edge_slope * a.edge_weight[e] : score;
  }
  T loop_logit(const AttentionState<T>& s, std::int64_t i) const {
    const T score = s.source_score[at(i)] + s.target_score[at(i)];
    return a.edge != nullptr ? score + edge_slope * a.loop_weight[i] : score;
  }

  const Attention<T>& a;
  std::int64_t h;
  std::int64_t columns, first;  // the head's columns of a row
  T edge_slope;                 // how much the weight of an edge counts
};

// The shares of row i: logits first, then the softmax with the largest logit taken off.
template <class T>
void attention_shares(Csr graph, const AttentionHead<T>& head, std::int64_t i,
                      const AttentionState<T>& s) {
  const std::int64_t first = graph.offsets[i], last = graph.offsets[i + 1];
  const T loop = head.loop_logit(s, i);
  s.loop_share[head.at(i)] = loop * leaky_slope(loop);
  T largest = s.loop_share[head.at(i)];
  for (std::int64_t e = first; e < last; ++e) {
    const T logit = head.edge_logit(s, i, graph.columns[e], e);
    s.edge_share[head.at(e)] = logit * leaky_slope(logit);
    largest = std::max(largest, s.edge_share[head.at(e)]);
  }
  T& loop_share = s.loop_share[head.at(i)];
  loop_share = std::exp(loop_share - largest);
  T sum = loop_share;
  for (std::int64_t e = first; e < last; ++e) {
    T& share = s.edge_share[head.at(e)];
    share = std::exp(share - largest);
    sum += share;
  }
  loop_share /= sum;
  for (std::int64_t e = first; e < last; ++e) s.edge_share[head.at(e)] /= sum;
}

template <class T>
void attend(Schedule& schedule, Csr graph, const Attention<T>& attention, Mat<const T> x,
            const Epilogue<T>& epilogue, const AttentionState<T>& s, Mat<T> y) {
  const ThreadPool& pool = now(schedule);
  for (std::int64_t h = 0; h < attention.heads; ++h) {
    const AttentionHead<T> head(attention, h, x.cols);
    for (std::int64_t i = 0; i < graph.rows; ++i) {
      const T* row = x.row(i) + head.first;
      s.source_score[head.at(i)] = dot(row, attention.source + head.first, head.columns);
      s.target_score[head.at(i)] = dot(row, attention.target + head.first, head.columns);
    }
  }
  pool.for_blocks(graph.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t h = 0; h < attention.heads; ++h) {
      const AttentionHead<T> head(attention, h, x.cols);
      for (std::int64_t i = begin; i < end; ++i) {
        attention_shares(graph, head, i, s);
        for (std::int64_t c = head.first; c < head.first + head.columns; ++c) {
          T sum = s.loop_share[head.at(i)] * x(i, c);
          for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
            sum += s.edge_share[head.at(e)] * x(graph.columns[e], c);
          }
          y(i, c) = sum;
        }
      }
    }
    for (std::int64_t i = begin; i < end; ++i) apply(epilogue, i, y);
  });
}

// Gradients of the logits of row i. Returns that of the head's edge slope.
template <class T>
T attention_logits_backward(Csr graph, const AttentionHead<T>& head, std::int64_t i, Mat<const T> x,
                            const AttentionState<T>& s, Mat<const T> dy,
                            const AttentionGradient<T>& g) {
  const std::int64_t first = graph.offsets[i], last = graph.offsets[i + 1];
  const T* dy_row = dy.row(i) + head.first;
  const auto share_gradient = [&](std::int64_t j) {
    return dot(dy_row, x.row(j) + head.first, head.columns);
  };
  T mean = s.loop_share[head.at(i)] * share_gradient(i);
  for (std::int64_t e = first; e < last; ++e) {
    mean += s.edge_share[head.at(e)] * share_gradient(graph.columns[e]);
  }
  const T loop =
      s.loop_share[head.at(i)] * (share_gradient(i) - mean) * leaky_slope(head.loop_logit(s, i));
  g.node_loop[head.at(i)] = loop;
  T target = loop;
  T slope = head.a.edge != nullptr ? loop * head.a.loop_weight[i] : T(0);
  for (std::int64_t e = first; e < last; ++e) {
    const std::int64_t j = graph.columns[e];
    const T logit = s.edge_share[head.at(e)] * (share_gradient(j) - mean) *
                    leaky_slope(head.edge_logit(s, i, j, e));
    g.per_edge[head.at(e)] = logit;
    target += logit;
    if (head.a.edge != nullptr) slope += logit * head.a.edge_weight[e];
  }
  g.node_target[head.at(i)] = target;
  return slope;
}

// The gradient of row j of x, through the rows that attend to it and through its own scores.
template <class T>
void attention_source_backward(Csr reverse, const std::int64_t* reverse_edge,
                               const AttentionHead<T>& head, std::int64_t j, Mat<const T> x,
                               const AttentionState<T>& s, Mat<const T> dy,
                               const AttentionGradient<T>& g, Mat<T> dx) {
  const std::int64_t first = reverse.offsets[j], last = reverse.offsets[j + 1];
  T source = g.node_loop[head.at(j)];
  for (std::int64_t e = first; e < last; ++e) source += g.per_edge[head.at(reverse_edge[e])];
  const T target = g.node_target[head.at(j)];
  for (std::int64_t c = head.first; c < head.first + head.columns; ++c) {
    T sum = s.loop_share[head.at(j)] * dy(j, c);
    for (std::int64_t e = first; e < last; ++e) {
      sum += s.edge_share[head.at(reverse_edge[e])] * dy(reverse.columns[e], c);
    }
    dx(j, c) = sum + source * head.a.source[c] + target * head.a.target[c];
    g.source[c] += source * x(j, c);
    g.target[c] += target * x(j, c);
  }
}

template <class T>
void attend_backward(Schedule& schedule, Csr graph, Csr reverse, const std::int64_t* reverse_edge,
                     const Attention<T>& attention, Mat<const T> x, const AttentionState<T>& s,
                     Mat<const T> dy, const AttentionGradient<T>& g, Mat<T> dx) {
  const ThreadPool& pool = now(schedule);
  // Heads touch different columns: one block each.
  pool.for_each(attention.heads, [&](std::int64_t h) {
    const AttentionHead<T> head(attention, h, x.cols);
    T slope = 0;
    for (std::int64_t i = 0; i < graph.rows; ++i) {
      slope += attention_logits_backward(graph, head, i, x, s, dy, g);
    }
    for (std::int64_t j = 0; j < graph.rows; ++j) {
      attention_source_backward(reverse, reverse_edge, head, j, x, s, dy, g, dx);
    }
    if (attention.edge == nullptr) return;
    for (std::int64_t c = head.first; c < head.first + head.columns; ++c) {
      g.edge[c] += slope * attention.edge_map[c];
      g.edge_map[c] += slope * attention.edge[c];
    }
  });
}

}  // namespace pegnn::reference
