// Attention to labelled sources: a batch, and one so much larger that memory which grew with it
// would show (`held` is what the schedule holds).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench.h"
#include "bench/data.h"
#include "bench/kernel_loop.h"
#include "kernels/kernels.h"

namespace pegnn::bench {
namespace {

// Queries that attend to 24 labelled sources each, four heads on 64 columns, with seven inputs of
// an edge and seven of a source.
struct OnLabels {
  static constexpr std::int64_t kEdges = 24, kHeads = 4, kColumns = 64, kInputs = 7;

  OnLabels(std::int64_t rows, double rate) : queries(rows), dropout_rate(rate) {
    const Owned picks(1, rows * kEdges, 0, static_cast<float>(kRows));
    for (std::int64_t e = 0; e < rows * kEdges; ++e) {
      columns.push_back(static_cast<std::int32_t>(picks.mat.data[e]));
    }
    for (std::int64_t i = 0; i <= rows; ++i) offsets.push_back(i * kEdges);
  }

  std::int64_t queries;
  double dropout_rate;
  ThreadPool pool{threads()};
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
  Owned edges{queries * kEdges, kInputs, -1, 1}, sources{kRows, kInputs, -1, 1, 2};
  Owned edge_map{kColumns, kInputs, -1, 1, 3}, source_map{kColumns, kInputs, -1, 1, 4};
  Owned base{queries, kColumns, -1, 1, 5}, probe{queries, kHeads*kColumns, -1, 1, 6};
  Owned shares{queries * kEdges, kHeads, 0, 1};
  Owned context{queries, kHeads*kColumns, -1, 1, 7}, label{queries, kHeads, -1, 1, 8};
  Owned d_base{queries, kColumns, 0, 0}, d_probe{queries, kHeads*kColumns, 0, 0};
  Owned d_edge_map{kColumns, kInputs, 0, 0}, d_source_map{kColumns, kInputs, 0, 0};

  Csr csr() const { return {queries, offsets.data(), columns.data()}; }
  LabelAttention<float> attention() const {
    Dropout dropout = kDropout;
    dropout.rate = dropout_rate;
    return {.heads = kHeads,
            .edges = edges.mat,
            .sources = sources.mat,
            .edge_map = edge_map.mat,
            .source_map = source_map.mat,
            .dropout = dropout};
  }
  void attend(Schedule& schedule, bool keep_shares) const {
    best_kernels<float>().label_attend(schedule, csr(), attention(), base.mat, probe.mat,
                                       keep_shares ? shares.mat.data : nullptr, context.mat,
                                       label.mat);
  }
  // Multiplications and additions: so many products of heads and columns for every edge, and so
  // many of inputs and columns.
  double flops(std::int64_t of_heads, std::int64_t of_inputs) const {
    return 2.0 * static_cast<double>(queries * kEdges * kColumns *
                                     (of_heads * kHeads + of_inputs * 2 * kInputs));
  }
};

void measure_label_attend(benchmark::State& state, std::int64_t queries, bool keep_shares,
                          double dropout_rate) {
  const OnLabels l(queries, dropout_rate);
  loop(state, l.pool, [&](Schedule& schedule) { l.attend(schedule, keep_shares); });
  count_flops(state, l.flops(2, 1));
  count_rows(state, queries);
}

void measure_label_attend_backward(benchmark::State& state, std::int64_t queries,
                                   double dropout_rate) {
  const OnLabels l(queries, dropout_rate);
  Schedule once(l.pool);
  l.attend(once, true);
  once.run();
  // The gradients of context and label are the numbers themselves.
  loop(state, l.pool, [&](Schedule& schedule) {
    best_kernels<float>().label_attend_backward(
        schedule, l.csr(), l.attention(), l.base.mat, l.probe.mat, l.shares.mat.data, l.context.mat,
        l.label.mat, l.d_base.mat, l.d_probe.mat, l.d_edge_map.mat, l.d_source_map.mat);
  });
  count_flops(state, l.flops(4, 2));
  count_rows(state, queries);
}

// A layer of attention among the sources of a query, before it attends to them.
struct OnAmong : OnLabels {
  using OnLabels::OnLabels;
  static constexpr std::int64_t kNumbers = kColumns * (6 * kColumns + 2) + 2 * kHeads;
  Owned numbers{1, kNumbers, -0.1F, 0.1F, 9}, gradients{1, kNumbers, 0, 0};

  template <class T>
  static Among<T> layer(T* at) {
    const auto take = [&](std::int64_t rows, std::int64_t cols) {
      return Mat<T>(std::exchange(at, at + rows * cols), rows, cols);
    };
    Among<T> among;
    among.layers = 1;
    among.layer[0].mix = take(3 * kColumns, kColumns);
    among.layer[0].distance = take(2, kHeads);
    among.layer[0].join = take(kColumns, kColumns);
    among.layer[0].hidden = take(kColumns, kColumns);
    among.layer[0].correction = take(kColumns, kColumns);
    among.layer[0].hidden_bias = take(1, kColumns).data;
    among.layer[0].correction_bias = take(1, kColumns).data;
    return among;
  }
  void attend_among(Schedule& schedule, bool keep_shares) const {
    best_kernels<float>().among_attend(
        schedule, csr(), attention(), layer<const float>(numbers.mat.data), base.mat, probe.mat,
        keep_shares ? shares.mat.data : nullptr, context.mat, label.mat);
  }
  // The layer's products alone: with its matrices, and of the edges of a query with each other.
  double layer_flops() const {
    return 2.0 * static_cast<double>(queries * kEdges * kColumns * (6 * kColumns + 2 * kEdges));
  }
};

void measure_among_attend(benchmark::State& state, std::int64_t queries) {
  const OnAmong l(queries, 0);
  loop(state, l.pool, [&](Schedule& schedule) { l.attend_among(schedule, false); });
  count_flops(state, l.flops(2, 1) + l.layer_flops());
  count_rows(state, queries);
}

void measure_among_attend_backward(benchmark::State& state, std::int64_t queries) {
  const OnAmong l(queries, 0);
  Schedule once(l.pool);
  l.attend_among(once, true);
  once.run();
  loop(state, l.pool, [&](Schedule& schedule) {
    best_kernels<float>().among_attend_backward(
        schedule, l.csr(), l.attention(), OnAmong::layer<const float>(l.numbers.mat.data),
        l.base.mat, l.probe.mat, l.shares.mat.data, l.context.mat, l.label.mat, l.d_base.mat,
        l.d_probe.mat, l.d_edge_map.mat, l.d_source_map.mat, OnAmong::layer(l.gradients.mat.data));
  });
  // The layer is computed again, then its two gradients.
  count_flops(state, l.flops(4, 2) + 3 * l.layer_flops());
  count_rows(state, queries);
}

}  // namespace

void add_label_attention_cases() {
  const auto unit = benchmark::kMicrosecond;
  for (const std::int64_t queries : {1'024, 65'536}) {
    const std::string size = "/" + std::to_string(queries);
    add_case("kernel/label_attend" + size, unit,
             [=](benchmark::State& state) { measure_label_attend(state, queries, true, 0); });
    add_case("kernel/label_attend_dropout" + size, unit, [=](benchmark::State& state) {
      measure_label_attend(state, queries, true, kDropout.rate);
    });
    add_case("kernel/label_attend_unkept" + size, unit,
             [=](benchmark::State& state) { measure_label_attend(state, queries, false, 0); });
    add_case("kernel/label_attend_backward" + size, unit,
             [=](benchmark::State& state) { measure_label_attend_backward(state, queries, 0); });
    add_case("kernel/label_attend_backward_dropout" + size, unit, [=](benchmark::State& state) {
      measure_label_attend_backward(state, queries, kDropout.rate);
    });
    add_case("kernel/among_attend" + size, unit,
             [=](benchmark::State& state) { measure_among_attend(state, queries); });
    add_case("kernel/among_attend_backward" + size, unit,
             [=](benchmark::State& state) { measure_among_attend_backward(state, queries); });
  }
}

}  // namespace pegnn::bench
