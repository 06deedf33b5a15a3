// Attention among the edges of a few rows: products of the tokens of all rows with the layers'
// matrices and, row by row, of queries, keys and values with each other.

#include "kernels/cpu/among.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/label_attention.h"
#include "kernels/cpu/product.h"
#include "kernels/cpu/simd.h"

namespace pegnn::cpu {
namespace {

// Edges of a row that attend to all others at a time, so that memory does not grow with the square
// of their number.
constexpr std::int64_t kBlockEdges = 64;

constexpr int kQueries = 0, kKeys = 1, kValues = 2;

void copy(Mat<const float> from, Mat<float> to) {
  if (from.data == to.data) return;
  for (std::int64_t r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.cols, to.row(r));
}

Epilogue<float> with_bias(const float* bias, Activation activation) {
  return {.bias = bias, .activation = activation, .dropout = {}, .base = {}};
}

}  // namespace

std::int64_t packed_layer_size(const AmongPlan& plan, bool backward) noexcept {
  const std::int64_t w = plan.width, all = plan.all;
  const auto sizes = [](std::int64_t in, std::int64_t out) { return padded(packed_size(in, out)); };
  std::int64_t size = sizes(w, 3 * all) + sizes(all, w) + 2 * sizes(w, w);
  if (backward) size += sizes(3 * all, w) + sizes(w, all) + 2 * sizes(w, w);
  return size;
}

AmongPlan::Packed pack_layer(const AmongLayer<const float>& layer, bool backward,
                             float* packed) noexcept {
  const auto forward = [&](Mat<const float> w) {
    float* const at = packed;
    pack_transposed(w, at);
    packed += padded(packed_size(w.cols, w.rows));
    return at;
  };
  const auto back = [&](Mat<const float> w) -> const float* {
    if (!backward) return nullptr;
    float* const at = packed;
    pack(w, at);
    packed += padded(packed_size(w.rows, w.cols));
    return at;
  };
  AmongPlan::Packed p{};
  p.mix = forward(layer.mix);
  p.join = forward(layer.join);
  p.hidden = forward(layer.hidden);
  p.correction = forward(layer.correction);
  p.mix_back = back(layer.mix);
  p.join_back = back(layer.join);
  p.hidden_back = back(layer.hidden);
  p.correction_back = back(layer.correction);
  return p;
}

AmongLayer<float> gradients_at(const AmongPlan& plan, float* memory) noexcept {
  AmongLayer<float> g;
  const std::int64_t w = plan.width, all = plan.all;
  g.mix = {memory, 3 * all, w};
  g.join = {g.mix.row(3 * all), w, all};
  g.hidden = {g.join.row(w), w, w};
  g.correction = {g.hidden.row(w), w, w};
  g.hidden_bias = g.correction.row(w);
  g.correction_bias = g.hidden_bias + w;
  g.distance = {g.correction_bias + w, 2, plan.heads};
  return g;
}

std::int64_t gradients_size(const AmongPlan& plan) noexcept {
  return padded(plan.width * (4 * plan.all + 2 * plan.width + 2) + 2 * plan.heads);
}

float* AmongWork::take(std::int64_t count) noexcept {
  float* const at = memory_ != nullptr ? memory_ + size_ : nullptr;
  size_ += padded(count);
  return at;
}

AmongWork::AmongWork(const AmongPlan& plan, bool backward, float* memory) noexcept
    : plan_(plan), memory_(memory) {
  const std::int64_t edges = plan.most_edges, columns = padded(plan.width), all = plan.all;
  for (std::int64_t l = 0; l < plan.among.layers; ++l) {
    if (l > 0 && !backward) {
      layers_[l] = layers_[0];
      continue;
    }
    Values& v = layers_[l];
    v.tokens = take(edges * columns);
    v.mixed = take(edges * 3 * all);
    v.heard = take(edges * all);
    v.middle = backward ? take(edges * columns) : v.tokens;
    v.hidden = take(edges * plan.width);
  }
  last_ = backward ? take(edges * columns) : layers_[0].tokens;
  const std::int64_t d = all / plan.heads, longest = plan.longest;
  keys_size_ = padded(packed_size(d, longest));
  values_size_ = padded(packed_size(longest, d));
  keys_ = take(plan.heads * keys_size_);
  values_ = take(plan.heads * std::max(keys_size_, values_size_));
  const std::int64_t pairs = std::min(kBlockEdges, longest) * padded(longest);
  places_ = take(3 * padded(longest));
  weights_ = take(longest);
  apart_ = take(pairs);
  logs_ = take(pairs);
  shares_ = take(pairs);
  if (!backward) return;
  slopes_ = take(edges * columns);
  gradient_ = take(edges * columns);
  d_mixed_ = take(edges * 3 * all);
  d_heard_ = take(edges * all);
  d_hidden_ = take(edges * plan.width);
  keys_back_ = take(plan.heads * values_size_);
  d_shares_ = take(pairs);
}

Mat<float> AmongWork::tokens_of(const AmongGroup& group, float* at) const noexcept {
  return {at, group.count(), plan_.width, padded(plan_.width)};
}

struct AmongWork::Row {
  std::int64_t first;        // edge of the group
  Mat<const float> edges;    // inputs of its own
  const float* log_weights;  // likewise, or null
};

template <class F>
void AmongWork::for_rows(const AmongGroup& group, F&& f) const noexcept {
  for (std::int64_t r = 0; r < group.rows; ++r) {
    const std::int64_t first = group.offsets[r], count = group.offsets[r + 1] - first;
    if (count == 0) continue;
    f(Row{first - group.offsets[0], group.edges.block(first, count),
          group.log_weights != nullptr ? group.log_weights + first : nullptr});
  }
}

// Calls f(first, rows, apart, logs) for blocks of the row's edges; their weights are at `weights_`.
template <class F>
void AmongWork::for_blocks(const Row& row, F&& f) const noexcept {
  const std::int64_t n = row.edges.rows, stride = padded(n);
  std::fill_n(weights_, stride, 0.0F);
  if (row.log_weights != nullptr) std::copy_n(row.log_weights, n, weights_);
  for (std::int64_t first = 0; first < n; first += kBlockEdges) {
    const std::int64_t rows = std::min(kBlockEdges, n - first);
    const Mat<float> apart(apart_, rows, n, stride), logs(logs_, rows, n, stride);
    pair_distances(row.edges, first, places_, apart, logs);
    f(first, rows, apart, logs);
  }
}

// Queries, keys or values of a head.
Mat<float> AmongWork::part(Mat<float> mixed, int which, std::int64_t head) const noexcept {
  const std::int64_t d = plan_.all / plan_.heads;
  return mixed.columns(which * plan_.all + head * d, d);
}

void AmongWork::attend(const Row& row, const AmongLayer<const float>& layer, Mat<float> mixed,
                       Mat<float> heard) const noexcept {
  const std::int64_t n = row.edges.rows, d = plan_.all / plan_.heads;
  const float scale = 1.0F / std::sqrt(static_cast<float>(d));
  for (std::int64_t h = 0; h < plan_.heads; ++h) {
    pack_transposed(part(mixed, kKeys, h), keys_ + h * keys_size_);
    pack(part(mixed, kValues, h), values_ + h * values_size_);
  }
  for_blocks(row, [&](std::int64_t first, std::int64_t rows, Mat<float> apart, Mat<float> logs) {
    const Mat<float> shares(shares_, rows, n, padded(n));
    for (std::int64_t h = 0; h < plan_.heads; ++h) {
      multiply(part(mixed, kQueries, h).block(first, rows), keys_ + h * keys_size_, shares, false);
      distance_softmax(scale, layer.distance(0, h), layer.distance(1, h), apart, logs, weights_,
                       shares);
      multiply(shares, values_ + h * values_size_, heard.columns(h * d, d).block(first, rows),
               false);
    }
  });
}

void AmongWork::attend_backward(const Row& row, const AmongLayer<const float>& layer,
                                Mat<float> mixed, Mat<float> d_heard, Mat<float> d_mixed,
                                Mat<float> d_distance) const noexcept {
  const std::int64_t n = row.edges.rows, d = plan_.all / plan_.heads;
  const float scale = 1.0F / std::sqrt(static_cast<float>(d));
  for (std::int64_t h = 0; h < plan_.heads; ++h) {
    pack_transposed(part(mixed, kKeys, h), keys_ + h * keys_size_);
    pack_transposed(part(mixed, kValues, h), values_ + h * keys_size_);
    pack(part(mixed, kKeys, h), keys_back_ + h * values_size_);
  }
  for_blocks(row, [&](std::int64_t first, std::int64_t rows, Mat<float> apart, Mat<float> logs) {
    const Mat<float> shares(shares_, rows, n, padded(n)), d_shares(d_shares_, rows, n, padded(n));
    const bool more = first > 0;
    for (std::int64_t h = 0; h < plan_.heads; ++h) {
      const Mat<float> queries = part(mixed, kQueries, h).block(first, rows);
      const Mat<float> to_heard = d_heard.columns(h * d, d).block(first, rows);
      multiply(queries, keys_ + h * keys_size_, shares, false);
      distance_softmax(scale, layer.distance(0, h), layer.distance(1, h), apart, logs, weights_,
                       shares);
      multiply_transposed(shares, to_heard, part(d_mixed, kValues, h), more);
      multiply(to_heard, values_ + h * keys_size_, d_shares, false);
      distance_softmax_backward(scale, apart, logs, shares, d_shares, &d_distance(0, h),
                                &d_distance(1, h));
      multiply(d_shares, keys_back_ + h * values_size_,
               part(d_mixed, kQueries, h).block(first, rows), false);
      multiply_transposed(d_shares, queries, part(d_mixed, kKeys, h), more);
    }
  });
}

const float* AmongWork::forward(const AmongGroup& group) const noexcept {
  const std::int64_t edges = group.count(), columns = padded(plan_.width), all = plan_.all;
  // Padding is read where the query attends to the tokens.
  for (std::int64_t e = 0; e < edges; ++e) {
    std::fill(last_ + e * columns + plan_.width, last_ + (e + 1) * columns, 0.0F);
  }
  for (std::int64_t l = 0; l < plan_.among.layers; ++l) {
    const AmongLayer<const float>& layer = plan_.among.layer[l];
    const AmongPlan::Packed& packed = plan_.packed[l];
    const Values& v = layers_[l];
    const Mat<float> tokens = tokens_of(group, v.tokens), middle = tokens_of(group, v.middle);
    const Mat<float> mixed(v.mixed, edges, 3 * all), heard(v.heard, edges, all);
    const Mat<float> hidden(v.hidden, edges, plan_.width);
    const Mat<float> next =
        tokens_of(group, l + 1 < plan_.among.layers ? layers_[l + 1].tokens : last_);
    multiply(tokens, packed.mix, mixed, false);
    for_rows(group, [&](const Row& row) {
      attend(row, layer, mixed.block(row.first, row.edges.rows),
             heard.block(row.first, row.edges.rows));
    });
    copy(tokens, middle);
    multiply(heard, packed.join, middle, true);
    multiply(middle, packed.hidden, hidden, false);
    epilogue_rows(with_bias(layer.hidden_bias, Activation::relu), 0, hidden);
    copy(middle, next);
    multiply(hidden, packed.correction, next, true);
    epilogue_rows(with_bias(layer.correction_bias, Activation::identity), 0, next);
  }
  return last_;
}

void AmongWork::backward(const AmongGroup& group, float* gradients) const noexcept {
  const std::int64_t edges = group.count(), all = plan_.all;
  const Mat<float> gradient = tokens_of(group, gradient_);
  const Mat<float> d_mixed(d_mixed_, edges, 3 * all), d_heard(d_heard_, edges, all);
  const Mat<float> d_hidden(d_hidden_, edges, plan_.width);
  for (std::int64_t l = plan_.among.layers - 1; l >= 0; --l) {
    const AmongLayer<const float>& layer = plan_.among.layer[l];
    const AmongPlan::Packed& packed = plan_.packed[l];
    const AmongLayer<float> d = gradients_at(plan_, gradients + l * gradients_size(plan_));
    const Values& v = layers_[l];
    const Mat<float> mixed(v.mixed, edges, 3 * all), heard(v.heard, edges, all);
    const Mat<float> hidden(v.hidden, edges, plan_.width);
    epilogue_rows_backward(with_bias(layer.correction_bias, Activation::identity), 0, gradient,
                           gradient, d.correction_bias);
    multiply_transposed(gradient, hidden, d.correction, true);
    multiply(gradient, packed.correction_back, d_hidden, false);
    epilogue_rows_backward(with_bias(layer.hidden_bias, Activation::relu), 0, hidden, d_hidden,
                           d.hidden_bias);
    multiply_transposed(d_hidden, tokens_of(group, v.middle), d.hidden, true);
    multiply(d_hidden, packed.hidden_back, gradient, true);
    multiply_transposed(gradient, heard, d.join, true);
    multiply(gradient, packed.join_back, d_heard, false);
    for_rows(group, [&](const Row& row) {
      const std::int64_t first = row.first, n = row.edges.rows;
      attend_backward(row, layer, mixed.block(first, n), d_heard.block(first, n),
                      d_mixed.block(first, n), d.distance);
    });
    multiply_transposed(d_mixed, tokens_of(group, v.tokens), d.mix, true);
    multiply(d_mixed, packed.mix_back, gradient, true);
  }
}

}  // namespace pegnn::cpu
