#pragma once
// Attention to labelled sources and its gradient as plain loops in the order of the formulas.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/array.h"
#include "kernels/dropout.h"
#include "kernels/kernels.h"
#include "kernels/reference/among.h"
#include "kernels/reference/attention.h"
#include "kernels/reference/epilogue.h"

namespace pegnn::reference {

template <class T>
T label_of(Csr graph, const LabelAttention<T>& attention, std::int64_t edge) {
  return attention.sources(graph.columns[edge], attention.sources.cols - 1);
}

// The activations of one query's edges, and their slopes where those are wanted.
template <class T>
class LabelActivations {
 public:
  LabelActivations(Csr graph, const LabelAttention<T>& attention, Mat<const T> base)
      : graph_(graph), a_(attention), base_(base) {}

  void compute(std::int64_t i) {
    first_ = graph_.offsets[i];
    edges_ = graph_.offsets[i + 1] - first_;
    values_.resize(edges_ * base_.cols);
    slopes_.resize(values_.size());
    const T scale = static_cast<T>(1.0 / dropout_share(a_.dropout.rate));
    for (std::int64_t e = 0; e < edges_; ++e) {
      const T* const edge = a_.edges.row(first_ + e);
      const T* const source = a_.sources.row(graph_.columns[first_ + e]);
      for (std::int64_t c = 0; c < base_.cols; ++c) {
        const T v = base_(i, c) + dot(a_.edge_map.row(c), edge, a_.edges.cols) +
                    dot(a_.source_map.row(c), source, a_.sources.cols);
        const T sigmoid = activate(Activation::sigmoid, v);
        const bool kept = !(a_.dropout.rate > 0) || dropout_keeps(a_.dropout, first_ + e, c);
        const std::int64_t at = e * base_.cols + c;
        values_[at] = kept ? v * sigmoid * scale : T(0);
        slopes_[at] = kept ? sigmoid * (T(1) + v * (T(1) - sigmoid)) * scale : T(0);
      }
    }
  }

  // Of the query's edges, counted from zero.
  std::int64_t edges() const { return edges_; }
  const T* value(std::int64_t e) const { return values_.data() + e * base_.cols; }
  const T* slope(std::int64_t e) const { return slopes_.data() + e * base_.cols; }
  const T* source(std::int64_t e) const { return a_.sources.row(graph_.columns[first_ + e]); }
  Mat<const T> edge_inputs() const { return a_.edges.block(first_, edges_); }
  const T* log_weights() const {
    return a_.log_weights != nullptr ? a_.log_weights + first_ : nullptr;
  }

 private:
  Csr graph_;
  const LabelAttention<T>& a_;
  Mat<const T> base_;
  std::int64_t first_ = 0, edges_ = 0;
  Array<T> values_, slopes_;
};

// Query i, whose edges have the tokens given, one after the other.
template <class T>
void attend_row(Csr graph, const LabelAttention<T>& attention, std::int64_t i, const T* tokens,
                Mat<const T> probe, T* shares, Mat<T> context, Mat<T> label) {
  const std::int64_t heads = attention.heads, width = probe.cols / heads;
  const std::int64_t first = graph.offsets[i], edges = graph.offsets[i + 1] - first;
  Array<T> row(edges);
  for (std::int64_t h = 0; h < heads; ++h) {
    for (std::int64_t e = 0; e < edges; ++e) {
      row[e] = dot(probe.row(i) + h * width, tokens + e * width, width);
      if (attention.log_weights != nullptr) row[e] += attention.log_weights[first + e];
    }
    softmax(row);
    std::fill_n(context.row(i) + h * width, width, T(0));
    label(i, h) = 0;
    for (std::int64_t e = 0; e < edges; ++e) {
      const T share = row[e];
      if (shares != nullptr) shares[(first + e) * heads + h] = share;
      label(i, h) += share * label_of(graph, attention, first + e);
      for (std::int64_t c = 0; c < width; ++c) {
        context(i, h * width + c) += share * tokens[e * width + c];
      }
    }
  }
}

// The gradient of the tokens; that of the probe is overwritten.
template <class T>
Array<T> attend_row_backward(Csr graph, const LabelAttention<T>& attention, std::int64_t i,
                             const T* tokens, Mat<const T> probe, const T* shares,
                             Mat<const T> d_context, Mat<const T> d_label, Mat<T> d_probe) {
  const std::int64_t heads = attention.heads, width = probe.cols / heads;
  const std::int64_t first = graph.offsets[i], edges = graph.offsets[i + 1] - first;
  Array<T> gradient(edges * width);
  for (std::int64_t h = 0; h < heads; ++h) {
    const T* const dc = d_context.row(i) + h * width;
    const auto share = [&](std::int64_t e) { return shares[(first + e) * heads + h]; };
    const auto d_share = [&](std::int64_t e) {
      return dot(dc, tokens + e * width, width) +
             d_label(i, h) * label_of(graph, attention, first + e);
    };
    T mean = 0;
    for (std::int64_t e = 0; e < edges; ++e) mean += share(e) * d_share(e);
    std::fill_n(d_probe.row(i) + h * width, width, T(0));
    for (std::int64_t e = 0; e < edges; ++e) {
      const T d_logit = share(e) * (d_share(e) - mean);
      for (std::int64_t c = 0; c < width; ++c) {
        d_probe(i, h * width + c) += d_logit * tokens[e * width + c];
        gradient[e * width + c] += share(e) * dc[c] + d_logit * probe(i, h * width + c);
      }
    }
  }
  return gradient;
}

template <class T>
void among_attend(Schedule& schedule, Csr graph, const LabelAttention<T>& attention,
                  const Among<const T>& among, Mat<const T> base, Mat<const T> probe, T* shares,
                  Mat<T> context, Mat<T> label) {
  const ThreadPool& pool = now(schedule);
  pool.for_blocks(graph.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
    LabelActivations<T> activations(graph, attention, base);
    AmongRow<T> row(among, attention.heads, base.cols);
    for (std::int64_t i = begin; i < end; ++i) {
      activations.compute(i);
      row.forward(activations.edge_inputs(), activations.log_weights(), activations.value(0));
      attend_row(graph, attention, i, row.tokens(), probe, shares, context, label);
    }
  });
}

template <class T>
void among_attend_backward(Schedule& schedule, Csr graph, const LabelAttention<T>& attention,
                           const Among<const T>& among, Mat<const T> base, Mat<const T> probe,
                           const T* shares, Mat<const T> d_context, Mat<const T> d_label,
                           Mat<T> d_base, Mat<T> d_probe, Mat<T> d_edge_map, Mat<T> d_source_map,
                           const Among<T>& d_among) {
  now(schedule);
  const std::int64_t width = base.cols;
  LabelActivations<T> activations(graph, attention, base);
  AmongRow<T> row(among, attention.heads, width);
  for (std::int64_t i = 0; i < graph.rows; ++i) {
    activations.compute(i);
    row.forward(activations.edge_inputs(), activations.log_weights(), activations.value(0));
    Array<T> gradient = attend_row_backward(graph, attention, i, row.tokens(), probe, shares,
                                            d_context, d_label, d_probe);
    row.backward(gradient, d_among);
    std::fill_n(d_base.row(i), width, T(0));
    for (std::int64_t e = 0; e < activations.edges(); ++e) {
      for (std::int64_t c = 0; c < width; ++c) {
        const T g = gradient[e * width + c] * activations.slope(e)[c];
        d_base(i, c) += g;
        for (std::int64_t k = 0; k < d_edge_map.cols; ++k) {
          d_edge_map(c, k) += g * activations.edge_inputs()(e, k);
        }
        for (std::int64_t k = 0; k < d_source_map.cols; ++k) {
          d_source_map(c, k) += g * activations.source(e)[k];
        }
      }
    }
  }
}

// Without layers in between, that is all there is.
template <class T>
void label_attend(Schedule& schedule, Csr graph, const LabelAttention<T>& attention,
                  Mat<const T> base, Mat<const T> probe, T* shares, Mat<T> context, Mat<T> label) {
  among_attend(schedule, graph, attention, {}, base, probe, shares, context, label);
}

template <class T>
void label_attend_backward(Schedule& schedule, Csr graph, const LabelAttention<T>& attention,
                           Mat<const T> base, Mat<const T> probe, const T* shares,
                           Mat<const T> d_context, Mat<const T> d_label, Mat<T> d_base,
                           Mat<T> d_probe, Mat<T> d_edge_map, Mat<T> d_source_map) {
  among_attend_backward(schedule, graph, attention, {}, base, probe, shares, d_context, d_label,
                        d_base, d_probe, d_edge_map, d_source_map, {});
}

}  // namespace pegnn::reference
