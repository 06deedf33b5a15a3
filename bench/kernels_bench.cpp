// Every entry of the table of kernels at the sizes of the reference network and a batch of 2,048.
//
// A backward kernel works in place, again and again on the same numbers. Values are chosen so that
// they neither grow nor vanish under it: y = 0 where the activation is tanh, y > 0 where it is
// relu, and dropout of a rate near zero, which costs what any other does.

#include <string>
#include <utility>
#include <vector>

#include "bench/bench.h"
#include "bench/data.h"
#include "bench/kernel_loop.h"
#include "graph/graph.h"
#include "kernels/kernels.h"

namespace pegnn::bench {
namespace {

constexpr std::int64_t kWidth = 32;  // of the graph layers

// One fully connected layer of the network, and how often a step of PE-GCN runs such a one.
struct LayerCase {
  std::int64_t in, out;
  bool bias;
  Activation activation;
  bool dropout;
  bool input_gradient;
  double calls;
};

constexpr LayerCase kLayers[] = {
    {64, 128, true, Activation::relu, true, false, 1},      // encoder
    {128, 64, true, Activation::tanh, false, true, 1},      // encoder
    {64, 32, true, Activation::tanh, false, true, 1},       // encoder
    {32, 64, true, Activation::identity, false, true, 1},   // encoder
    {70, 32, false, Activation::identity, false, true, 1},  // first graph layer
    {32, 32, false, Activation::identity, false, true, 1},  // second graph layer
    {32, 1, true, Activation::identity, false, true, 2},    // both heads
};

Epilogue<float> epilogue_of(const LayerCase& layer, const float* bias) {
  return {.bias = layer.bias ? bias : nullptr,
          .activation = layer.activation,
          .dropout = layer.dropout ? kDropout : Dropout{}};
}

double product_flops(const LayerCase& layer) {
  return 2.0 * static_cast<double>(kBatch * layer.in * layer.out);
}

void measure_linear(benchmark::State& state, const LayerCase& layer) {
  const ThreadPool pool(threads());
  const Owned x(kBatch, layer.in, -1, 1), w(layer.out, layer.in, -1, 1, 2);
  const Owned y(kBatch, layer.out, 0, 1), bias(1, layer.out, -1, 1, 3);
  loop(state, pool, [&](Schedule& schedule) {
    best_kernels<float>().linear(schedule, x.mat, w.mat, epilogue_of(layer, bias.mat.data), y.mat);
  });
  count_flops(state, product_flops(layer));
  calls_per_step(state, layer.calls);
}

void measure_linear_backward(benchmark::State& state, const LayerCase& layer) {
  const ThreadPool pool(threads());
  const Owned x(kBatch, layer.in, -1, 1), w(layer.out, layer.in, -1, 1, 2);
  const float y_value = layer.activation == Activation::relu ? 1.0F : 0.0F;
  const Owned y(kBatch, layer.out, y_value, y_value), dy(kBatch, layer.out, -1, 1, 4);
  const Owned dx(kBatch, layer.in, 0, 0), dw(layer.out, layer.in, 0, 0);
  const Owned bias(1, layer.out, -1, 1, 3), db(1, layer.out, 0, 0);
  loop(state, pool, [&](Schedule& schedule) {
    best_kernels<float>().linear_backward(schedule, x.mat, w.mat, y.mat,
                                          epilogue_of(layer, bias.mat.data), dy.mat,
                                          layer.input_gradient ? dx.mat : Mat<float>(), false,
                                          dw.mat, layer.bias ? db.mat.data : nullptr);
  });
  count_flops(state, (layer.input_gradient ? 2 : 1) * product_flops(layer));
  calls_per_step(state, layer.calls);
}

// The graph of a batch with a weight per edge and node, and matrices as wide as a graph layer.
struct OnGraph {
  ThreadPool pool{threads()};
  Graph graph = batch_graph(pool);
  Owned weight{1, graph.edges(), 0, 1}, self{1, kBatch, 0, 1};
  Owned x{kBatch, kWidth, -1, 1, 2}, y{kBatch, kWidth, 0, 1, 3};
  Owned dx{kBatch, kWidth, 0, 0}, dy{kBatch, kWidth, -1, 1, 4};
  Owned bias{1, kWidth, -1, 1, 5}, db{1, kWidth, 0, 0};
  Epilogue<float> epilogue{
      .bias = bias.mat.data, .activation = Activation::relu, .dropout = kDropout};

  static Graph batch_graph(const ThreadPool& pool) {
    NearestIndex index;
    Neighbours neighbours;
    Graph graph;
    knn_graph(make_points(kBatch, Places::uniform), Space::sphere, kNeighbours, pool, index,
              neighbours, graph);
    add_reverse(graph);
    return graph;
  }

  // Multiplications and additions along the edges and self loops.
  double flops() const { return 2.0 * static_cast<double>((graph.edges() + kBatch) * kWidth); }
};

void measure_aggregate(benchmark::State& state) {
  const OnGraph g;
  loop(state, g.pool, [&](Schedule& schedule) {
    best_kernels<float>().aggregate(schedule, g.graph.csr(), g.weight.mat.data, g.self.mat.data,
                                    g.x.mat, g.epilogue, g.y.mat);
  });
  count_flops(state, g.flops());
  calls_per_step(state, 2);
}

void measure_aggregate_backward(benchmark::State& state) {
  const OnGraph g;
  loop(state, g.pool, [&](Schedule& schedule) {
    best_kernels<float>().aggregate(schedule, g.graph.reverse(), g.weight.mat.data, g.self.mat.data,
                                    g.dy.mat, {}, g.dx.mat);
  });
  count_flops(state, g.flops());
  calls_per_step(state, 2);
}

void measure_aggregate_max(benchmark::State& state) {
  const OnGraph g;
  loop(state, g.pool, [&](Schedule& schedule) {
    best_kernels<float>().aggregate_max(schedule, g.graph.csr(), g.x.mat, g.y.mat);
  });
}

void measure_aggregate_max_backward(benchmark::State& state) {
  const OnGraph g;
  Schedule once(g.pool);
  best_kernels<float>().aggregate_max(once, g.graph.csr(), g.x.mat, g.y.mat);
  once.run();
  loop(state, g.pool, [&](Schedule& schedule) {
    best_kernels<float>().aggregate_max_backward(schedule, g.graph.csr(), g.graph.reverse(),
                                                 g.x.mat, g.y.mat, g.dy.mat, g.dx.mat);
  });
}

void measure_epilogue_backward(benchmark::State& state) {
  const OnGraph g;
  loop(state, g.pool, [&](Schedule& schedule) {
    best_kernels<float>().epilogue_backward(schedule, g.y.mat, g.epilogue, g.dy.mat, g.db.mat.data);
  });
  calls_per_step(state, 2);
}

// What attention leaves behind and adds to, for one head.
struct OnAttention : OnGraph {
  Owned source{1, kWidth, -1, 1, 6}, target{1, kWidth, -1, 1, 7};
  Owned dsource{1, kWidth, 0, 0}, dtarget{1, kWidth, 0, 0};
  Owned per_node{5, kBatch, 0, 0}, per_edge{2, graph.edges(), 0, 0};

  Attention<float> attention() const {
    return {.heads = 1, .source = source.mat.data, .target = target.mat.data};
  }
  AttentionState<float> state() const {
    return {.source_score = per_node.mat.row(0),
            .target_score = per_node.mat.row(1),
            .loop_share = per_node.mat.row(2),
            .edge_share = per_edge.mat.row(0)};
  }
  AttentionGradient<float> gradient() const {
    return {.source = dsource.mat.data,
            .target = dtarget.mat.data,
            .node_target = per_node.mat.row(3),
            .node_loop = per_node.mat.row(4),
            .per_edge = per_edge.mat.row(1)};
  }
  void attend(Schedule& schedule) const {
    best_kernels<float>().attend(schedule, graph.csr(), attention(), x.mat, epilogue, state(),
                                 y.mat);
  }
};

void measure_attend(benchmark::State& state) {
  const OnAttention a;
  loop(state, a.pool, [&](Schedule& schedule) { a.attend(schedule); });
  count_flops(state, a.flops());
}

void measure_attend_backward(benchmark::State& state) {
  const OnAttention a;
  Schedule once(a.pool);
  a.attend(once);
  once.run();
  loop(state, a.pool, [&](Schedule& schedule) {
    best_kernels<float>().attend_backward(schedule, a.graph.csr(), a.graph.reverse(),
                                          a.graph.reverse_edge.data(), a.attention(), a.x.mat,
                                          a.state(), a.dy.mat, a.gradient(), a.dx.mat);
  });
  count_flops(state, a.flops());
}

void measure_sinusoidal(benchmark::State& state) {
  const ThreadPool pool(threads());
  const std::vector<Point> points = make_points(kBatch, Places::uniform);
  // Neighbouring scales differ by the factor of the published ones, (360 / 1e-6)^(1/15).
  std::vector<double> scales(16, 1e-6);
  for (std::size_t s = 1; s < scales.size(); ++s) scales[s] = scales[s - 1] * 3.72;
  const Owned out(kBatch, 64, 0, 0);
  for (auto _ : state) {
    best_kernels<float>().sinusoidal(pool, {&points.data()->x, kBatch, 2}, scales, out.mat);
    benchmark::ClobberMemory();
  }
  count_rows(state, kBatch);
}

void measure_adam(benchmark::State& state) {
  const ThreadPool pool(threads());
  constexpr std::int64_t kParameters = 24'192;  // those of PE-GCN, gaps included
  AlignedBuffer<float> first(kParameters), second(kParameters);
  AlignedBuffer<float> parameters = random_floats(kParameters, -1, 1, 1);
  const AlignedBuffer<float> gradient = random_floats(kParameters, -1, 1, 2);
  AdamStep step{.learning_rate = 1e-3,
                .beta1 = 0.9,
                .beta2 = 0.999,
                .epsilon = 1e-8,
                .weight_decay = 0,
                .decoupled = false,
                .step = 0};
  for (auto _ : state) {
    ++step.step;
    best_kernels<float>().adam(pool, step, gradient.span(), first.span(), second.span(),
                               parameters.span());
    benchmark::ClobberMemory();
  }
  calls_per_step(state, 1);
}

}  // namespace

void add_kernel_cases() {
  const auto unit = benchmark::kMicrosecond;
  for (const LayerCase& layer : kLayers) {
    const std::string size = std::to_string(layer.in) + "x" + std::to_string(layer.out);
    add_case("kernel/linear/" + size, unit,
             [&layer](benchmark::State& state) { measure_linear(state, layer); });
    add_case("kernel/linear_backward/" + size, unit,
             [&layer](benchmark::State& state) { measure_linear_backward(state, layer); });
  }
  const std::pair<const char*, void (*)(benchmark::State&)> others[] = {
      {"aggregate/32", measure_aggregate},
      {"aggregate_backward/32", measure_aggregate_backward},
      {"aggregate_max/32", measure_aggregate_max},
      {"aggregate_max_backward/32", measure_aggregate_max_backward},
      {"epilogue_backward/32", measure_epilogue_backward},
      {"attend/32", measure_attend},
      {"attend_backward/32", measure_attend_backward},
      {"sinusoidal/16", measure_sinusoidal},
      {"adam/24192", measure_adam},
  };
  for (const auto& [name, run] : others) add_case(std::string("kernel/") + name, unit, run);
}

}  // namespace pegnn::bench
