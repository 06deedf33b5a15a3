#pragma once
// Queries whose edges attend to each other first, for tests of the kernels: layers of any shape
// beside a LabelProblem, and what a backend makes of them.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/label_problem.h"

namespace pegnn::test {

// The numbers of the layers, one layer after the other.
template <class T>
struct AmongNumbers {
  std::int64_t layers, width, heads, all;
  std::vector<T> numbers;

  AmongNumbers(std::int64_t layers_, const LabelShape& s, std::int64_t per_head, std::uint64_t seed)
      : layers(layers_), width(s.width), heads(s.heads), all(s.heads * per_head) {
    numbers = values<T>(layers * of_layer(), seed);
    // As large as weights are: what a token becomes is then about as large as what it was.
    const T scale = T(1) / static_cast<T>(std::sqrt(static_cast<double>(s.width)));
    for (T& v : numbers) v *= scale;
  }

  std::int64_t of_layer() const { return width * (4 * all + 2 * width + 2) + 2 * heads; }

  template <class U>
  Among<U> view(U* at) const {
    Among<U> among;
    among.layers = layers;
    const auto take = [&](std::int64_t rows, std::int64_t cols) {
      return Mat<U>(std::exchange(at, at + rows * cols), rows, cols);
    };
    for (std::int64_t l = 0; l < layers; ++l) {
      AmongLayer<U>& layer = among.layer[l];
      layer.mix = take(3 * all, width);
      layer.distance = take(2, heads);
      layer.join = take(width, all);
      layer.hidden = take(width, width);
      layer.correction = take(width, width);
      layer.hidden_bias = take(1, width).data;
      layer.correction_bias = take(1, width).data;
    }
    return among;
  }
};

template <class T>
struct AmongProblem {
  LabelProblem<T> labels;
  AmongNumbers<T> among;

  AmongProblem(const LabelShape& s, const std::vector<std::int64_t>& degrees, std::int64_t layers,
               std::int64_t per_head, double rate = 0)
      : labels(s, degrees, rate), among(layers, s, per_head, 11) {
    // Some neighbours in one place.
    for (std::int64_t e = 1; e < labels.offsets.back(); e += 3) {
      for (std::int64_t c = 0; c < s.edge_inputs; ++c) {
        labels.edges[size(e * s.edge_inputs + c)] = labels.edges[size((e - 1) * s.edge_inputs + c)];
      }
    }
  }
};

template <class T>
struct AmongResults {
  LabelResults<T> labels;
  std::vector<T> d_among;
};

// Gradients of maps and layers are added to what is there.
template <class T>
AmongResults<T> run(const Kernels<T>& kernels, const AmongProblem<T>& problem, int threads = 1,
                    bool keep_shares = true) {
  const LabelProblem<T>& p = problem.labels;
  const ThreadPool pool(threads);
  Schedule schedule(pool);
  const auto& [width, heads, edge_inputs, source_inputs] = p.shape;
  const std::int64_t n = p.rows();
  AmongResults<T> result{empty_results(p),
                         values<T>(static_cast<std::int64_t>(problem.among.numbers.size()), 12)};
  LabelResults<T>& r = result.labels;
  const Mat<const T> base = p.per_query(p.base), probe = p.per_query(p.probe);
  const Among<const T> among = problem.among.view(problem.among.numbers.data());
  kernels.among_attend(schedule, p.csr(), p.attention(), among, base, probe,
                       keep_shares ? r.shares.data() : nullptr,
                       {r.context.data(), n, heads * width}, {r.label.data(), n, heads});
  if (keep_shares) {
    kernels.among_attend_backward(
        schedule, p.csr(), p.attention(), among, base, probe, r.shares.data(),
        p.per_query(p.d_context), p.per_query(p.d_label), {r.d_base.data(), n, width},
        {r.d_probe.data(), n, heads * width}, {r.d_edge_map.data(), width, edge_inputs},
        {r.d_source_map.data(), width, source_inputs}, problem.among.view(result.d_among.data()));
  }
  schedule.run();
  return result;
}

}  // namespace pegnn::test
