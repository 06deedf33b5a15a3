#pragma once
// Attention among the edges of a row and its gradient as plain loops in the order of the formulas.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/reference/attention.h"

namespace pegnn::reference {

template <class T>
void softmax(std::vector<T>& values) {
  if (values.empty()) return;
  const T largest = *std::max_element(values.begin(), values.end());
  T sum = 0;
  for (T& v : values) sum += v = std::exp(v - largest);
  for (T& v : values) v /= sum;
}

// The tokens of one row on their way through the layers.
template <class T>
class AmongRow {
 public:
  AmongRow(const Among<const T>& among, std::int64_t heads, std::int64_t width)
      : among_(among), heads_(heads), width_(width), kept_(size(among.layers)) {}

  // Tokens from activations, one after the other.   edges: the inputs of the row's edges;
  // log_weights: theirs, or null
  void forward(Mat<const T> edges, const T* log_weights, const T* activations) {
    edges_ = edges;
    log_weights_ = log_weights;
    tokens_.assign(activations, activations + edges.rows * width_);
    for (std::int64_t l = 0; l < among_.layers; ++l) {
      const AmongLayer<const T>& layer = among_.layer[l];
      Kept& k = kept_[size(l)];
      k.tokens = tokens_;
      k.mixed = product(k.tokens, layer.mix);
      k.heard.assign(size(edges.rows * layer.join.cols), T(0));
      for (std::int64_t h = 0; h < heads_; ++h) attend(layer, h, k);
      k.middle = sum(k.tokens, product(k.heard, layer.join));
      k.hidden = product(k.middle, layer.hidden);
      add_bias(layer.hidden_bias, k.hidden);
      for (T& v : k.hidden) v = std::max(v, T(0));
      tokens_ = sum(k.middle, product(k.hidden, layer.correction));
      add_bias(layer.correction_bias, tokens_);
    }
  }
  const T* tokens() const { return tokens_.data(); }

  // Turns the gradient of the tokens into that of the activations.
  void backward(std::vector<T>& gradient, const Among<T>& d_among) {
    for (std::int64_t l = among_.layers - 1; l >= 0; --l) {
      const AmongLayer<const T>& layer = among_.layer[l];
      const AmongLayer<T>& d = d_among.layer[l];
      const Kept& k = kept_[size(l)];
      add_columns(gradient, d.correction_bias);
      std::vector<T> d_hidden =
          product_backward(k.hidden, layer.correction, gradient, d.correction);
      for (std::size_t i = 0; i < d_hidden.size(); ++i) {
        if (!(k.hidden[i] > T(0))) d_hidden[i] = 0;
      }
      add_columns(d_hidden, d.hidden_bias);
      gradient = sum(gradient, product_backward(k.middle, layer.hidden, d_hidden, d.hidden));
      const std::vector<T> d_heard = product_backward(k.heard, layer.join, gradient, d.join);
      std::vector<T> d_mixed(k.mixed.size());
      for (std::int64_t h = 0; h < heads_; ++h) attend_backward(layer, h, k, d_heard, d_mixed, d);
      gradient = sum(gradient, product_backward(k.tokens, layer.mix, d_mixed, d.mix));
    }
  }

 private:
  // Of one layer, a row for each edge.
  struct Kept {
    std::vector<T> tokens, mixed, heard, middle, hidden;
  };

  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

  // x w^T
  std::vector<T> product(const std::vector<T>& x, Mat<const T> w) const {
    std::vector<T> y(size(edges_.rows * w.rows));
    for (std::int64_t e = 0; e < edges_.rows; ++e) {
      for (std::int64_t j = 0; j < w.rows; ++j) {
        y[size(e * w.rows + j)] = dot(x.data() + e * w.cols, w.row(j), w.cols);
      }
    }
    return y;
  }
  // The gradient of x; that of w is added.
  std::vector<T> product_backward(const std::vector<T>& x, Mat<const T> w, const std::vector<T>& dy,
                                  Mat<T> dw) const {
    std::vector<T> dx(x.size());
    for (std::int64_t e = 0; e < edges_.rows; ++e) {
      for (std::int64_t j = 0; j < w.rows; ++j) {
        const T g = dy[size(e * w.rows + j)];
        for (std::int64_t c = 0; c < w.cols; ++c) {
          dx[size(e * w.cols + c)] += g * w(j, c);
          dw(j, c) += g * x[size(e * w.cols + c)];
        }
      }
    }
    return dx;
  }
  static std::vector<T> sum(std::vector<T> a, const std::vector<T>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }
  void add_bias(const T* bias, std::vector<T>& rows) const {
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += bias[i % size(width_)];
  }
  void add_columns(const std::vector<T>& rows, T* sums) const {
    for (std::size_t i = 0; i < rows.size(); ++i) sums[i % size(width_)] += rows[i];
  }

  T distance(std::int64_t e, std::int64_t f) const {
    T squares = 0;
    for (std::int64_t c = 0; c < std::min<std::int64_t>(3, edges_.cols); ++c) {
      const T step = edges_(e, c) - edges_(f, c);
      squares += step * step;
    }
    return std::sqrt(squares);
  }
  static T log_distance(T distance) { return std::log(distance + static_cast<T>(kLeastDistance)); }

  // Where what head h asks, is asked for or says begins; d numbers each.
  struct Head {
    std::int64_t d, stride, asks, answers, says, heard;
    T scale;
  };
  Head head(const AmongLayer<const T>& layer, std::int64_t h) const {
    const std::int64_t all = layer.join.cols, d = all / heads_;
    return {d,
            3 * all,
            h * d,
            all + h * d,
            2 * all + h * d,
            h * d,
            T(1) / std::sqrt(static_cast<T>(d))};
  }

  std::vector<T> shares(const AmongLayer<const T>& layer, std::int64_t h, const Kept& k,
                        std::int64_t e) const {
    const Head at = head(layer, h);
    std::vector<T> row(size(edges_.rows));
    for (std::int64_t f = 0; f < edges_.rows; ++f) {
      const T apart = distance(e, f);
      row[size(f)] = at.scale * dot(k.mixed.data() + e * at.stride + at.asks,
                                    k.mixed.data() + f * at.stride + at.answers, at.d) +
                     layer.distance(0, h) * apart + layer.distance(1, h) * log_distance(apart);
      if (log_weights_ != nullptr) row[size(f)] += log_weights_[f];
    }
    softmax(row);
    return row;
  }

  void attend(const AmongLayer<const T>& layer, std::int64_t h, Kept& k) const {
    const Head at = head(layer, h);
    for (std::int64_t e = 0; e < edges_.rows; ++e) {
      const std::vector<T> share = shares(layer, h, k, e);
      for (std::int64_t f = 0; f < edges_.rows; ++f) {
        for (std::int64_t c = 0; c < at.d; ++c) {
          k.heard[size(e * layer.join.cols + at.heard + c)] +=
              share[size(f)] * k.mixed[size(f * at.stride + at.says + c)];
        }
      }
    }
  }

  void attend_backward(const AmongLayer<const T>& layer, std::int64_t h, const Kept& k,
                       const std::vector<T>& d_heard, std::vector<T>& d_mixed,
                       const AmongLayer<T>& d) const {
    const Head at = head(layer, h);
    for (std::int64_t e = 0; e < edges_.rows; ++e) {
      const std::vector<T> share = shares(layer, h, k, e);
      const T* const d_row = d_heard.data() + e * layer.join.cols + at.heard;
      std::vector<T> d_share(share.size());
      T mean = 0;
      for (std::int64_t f = 0; f < edges_.rows; ++f) {
        d_share[size(f)] = dot(d_row, k.mixed.data() + f * at.stride + at.says, at.d);
        mean += share[size(f)] * d_share[size(f)];
      }
      for (std::int64_t f = 0; f < edges_.rows; ++f) {
        const T d_logit = share[size(f)] * (d_share[size(f)] - mean), apart = distance(e, f);
        d.distance(0, h) += d_logit * apart;
        d.distance(1, h) += d_logit * log_distance(apart);
        for (std::int64_t c = 0; c < at.d; ++c) {
          const auto asks = size(e * at.stride + at.asks + c);
          const auto answers = size(f * at.stride + at.answers + c);
          d_mixed[asks] += at.scale * d_logit * k.mixed[answers];
          d_mixed[answers] += at.scale * d_logit * k.mixed[asks];
          d_mixed[size(f * at.stride + at.says + c)] += share[size(f)] * d_row[c];
        }
      }
    }
  }

  const Among<const T>& among_;
  std::int64_t heads_, width_;
  Mat<const T> edges_;
  const T* log_weights_ = nullptr;
  std::vector<T> tokens_;
  std::vector<Kept> kept_;
};

}  // namespace pegnn::reference
