// Sums and maxima over neighbours: the fast kernels against the reference on every instruction set,
// ties included, and the same bits for any number of threads.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/agreement.h"
#include "kernels/kernels.h"
#include "support/graphs.h"
#include "support/targets.h"

namespace pegnn {
namespace {

using test::expect_near;
using test::expect_same_bits;
using test::for_every_target;
using test::values;

TEST(Kernels, FastAggregateAgreesWithReference) {
  for (const std::int64_t width : {1, 6, 32, 37, 70}) {
    for (const bool weighted : {false, true}) {
      const Graph graph = test::random_graph(700, 5, 9);
      const auto x = values<double>(graph.nodes * width, 1);
      const auto bias = values<double>(width, 2);
      const std::vector<float> xf(x.begin(), x.end()), bf(bias.begin(), bias.end());
      const std::vector<float> wf(graph.weights.begin(), graph.weights.end());
      std::vector<double> self(static_cast<std::size_t>(graph.nodes), 0.5);
      std::vector<float> selff(self.begin(), self.end());
      std::vector<double> want(x.size());
      const Dropout dropout{0.5, 3, 1, 0};
      const ThreadPool pool(1), three_threads(3);
      Schedule schedule(pool), on_three(three_threads);
      reference::kernels<double>().aggregate(
          schedule, graph.csr(), weighted ? graph.weights.data() : nullptr,
          weighted ? self.data() : nullptr, {x.data(), graph.nodes, width},
          {bias.data(), Activation::relu, dropout}, {want.data(), graph.nodes, width});
      for_every_target([&](const char*) {
        std::vector<float> one(x.size()), three(x.size());
        for (auto* got : {&one, &three}) {
          cpu::kernels().aggregate(
              got == &one ? schedule : on_three, graph.csr(), weighted ? wf.data() : nullptr,
              weighted ? selff.data() : nullptr, {xf.data(), graph.nodes, width},
              {bf.data(), Activation::relu, dropout}, {got->data(), graph.nodes, width});
        }
        schedule.run();
        on_three.run();
        expect_near(want, one, 1e-6, "aggregate");
        expect_same_bits(one, three, "aggregate");
      });
    }
  }
}

void expect_base_is_added(const Kernels<float>& kernels) {
  const ThreadPool pool(1);
  Schedule schedule(pool);
  const Graph graph = test::random_graph(300, 4, 9);
  for (const std::int64_t width : {1, 7, 33}) {
    const auto x = values<float>(graph.nodes * width, 1);
    const auto bias = values<float>(width, 2);
    const auto base = values<float>(graph.nodes * 2 * width, 3);  // its right half is the base
    const Mat<const float> base_mat(base.data() + width, graph.nodes, width, 2 * width);
    std::vector<float> plain(x.size()), got(x.size());
    const Mat<const float> xm(x.data(), graph.nodes, width);
    kernels.aggregate(schedule, graph.csr(), nullptr, nullptr, xm, {},
                      {plain.data(), graph.nodes, width});
    kernels.aggregate(schedule, graph.csr(), nullptr, nullptr, xm,
                      {bias.data(), Activation::relu, {}, base_mat},
                      {got.data(), graph.nodes, width});
    schedule.run();
    for (std::int64_t i = 0; i < graph.nodes; ++i) {
      for (std::int64_t c = 0; c < width; ++c) {
        const auto at = static_cast<std::size_t>(i * width + c);
        const float sum = plain[at] + base_mat(i, c) + bias[static_cast<std::size_t>(c)];
        ASSERT_NEAR(std::max(sum, 0.0F), got[at], 1e-5) << kernels.backend << " " << i << "," << c;
      }
    }
  }
}

TEST(Kernels, AnEpilogueAddsItsBaseBeforeItActivates) {
  expect_base_is_added(reference::kernels<float>());
  for_every_target([](const char*) { expect_base_is_added(cpu::kernels()); });
}

template <class T>
struct MaxRun {
  std::vector<T> y, dx;
};

// Values in quarters, so that neighbours are often the largest together.
template <class T>
MaxRun<T> run_max(const Kernels<T>& kernels, const Graph& graph, std::int64_t width, int threads) {
  const ThreadPool pool(threads);
  Schedule schedule(pool);
  auto x = values<T>(graph.nodes * width, 1);
  for (T& v : x) v = std::round(v * 4) / 4;
  auto dy = values<T>(graph.nodes * width, 2);
  MaxRun<T> run{std::vector<T>(x.size()), values<T>(graph.nodes * width, 3)};
  const Mat<const T> xm(x.data(), graph.nodes, width);
  const Mat<T> ym(run.y.data(), graph.nodes, width);
  kernels.aggregate_max(schedule, graph.csr(), xm, ym);
  kernels.aggregate_max_backward(schedule, graph.csr(), graph.reverse(), xm, ym,
                                 {dy.data(), graph.nodes, width},
                                 {run.dx.data(), graph.nodes, width});
  schedule.run();
  return run;
}

TEST(Kernels, FastAggregateMaxAgreesWithReferenceTiesIncluded) {
  for (const std::int64_t nodes : {0, 1, 700}) {
    const Graph graph = test::random_graph(nodes, 5, 9);
    for (const std::int64_t width : {1, 7, 33, 70}) {
      SCOPED_TRACE(std::to_string(nodes) + " nodes, width " + std::to_string(width));
      const auto want = run_max<double>(reference::kernels<double>(), graph, width, 1);
      for_every_target([&](const char*) {
        const auto one = run_max<float>(cpu::kernels(), graph, width, 1);
        const auto three = run_max<float>(cpu::kernels(), graph, width, 3);
        expect_near(want.y, one.y, 0, "y");
        expect_near(want.dx, one.dx, 1e-6, "dx");
        expect_same_bits(one.y, three.y, "y");
        expect_same_bits(one.dx, three.dx, "dx");
      });
    }
  }
}

}  // namespace
}  // namespace pegnn
