// Kernels that move rows and weigh edges, and those over the flat parameters beside Adam: by hand,
// and cpu against the reference to the bit.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/agreement.h"
#include "kernels/kernels.h"
#include "support/graphs.h"

namespace pegnn {
namespace {

using test::expect_same_bits;
using test::values;

// Edges of rows 0, 1, 2: 0 <- 1, 0 <- 2, 1 <- 2; row 2 has none.
constexpr std::int64_t kOffsets[] = {0, 2, 3, 3}, kReverseOffsets[] = {0, 0, 1, 3};
constexpr std::int32_t kColumns[] = {1, 2, 2}, kReverseColumns[] = {0, 0, 1};
constexpr std::int64_t kReverseEdge[] = {0, 1, 2};
constexpr double kWeight[] = {1, 2, 8};
const Csr kGraph{3, kOffsets, kColumns}, kReverse{3, kReverseOffsets, kReverseColumns};

template <class T>
void expect_hand_made_weights(const Kernels<T>& kernels) {
  SCOPED_TRACE(kernels.backend);
  const ThreadPool pool(1);
  Schedule schedule(pool);
  std::vector<T> root(3), self(3), forward(3), backward(3), mean(3), mean_back(3), edge(3), loop(3);
  kernels.normalise_symmetric(schedule, kGraph, kWeight, kReverse, kReverseEdge,
                              {root.data(), self.data(), forward.data(), backward.data()});
  kernels.normalise_mean(schedule, kGraph, kReverse, mean.data(), mean_back.data());
  kernels.weigh_loops(schedule, kGraph, kWeight, edge.data(), loop.data());
  schedule.run();
  // Degrees 4, 9 and 1.
  test::expect_near(std::vector<double>{0.25, 1.0 / 9, 1}, self, 1e-7, "self");
  const std::vector<double> want{1.0 / 6, 1, 8.0 / 3};
  test::expect_near(want, forward, 1e-7, "forward");
  test::expect_near(want, backward, 1e-7, "backward");
  EXPECT_EQ((std::vector<T>{0.5, 0.5, 1}), mean);
  EXPECT_EQ((std::vector<T>{0.5, 0.5, 1}), mean_back);
  EXPECT_EQ((std::vector<T>{1, 2, 8}), edge);
  EXPECT_EQ((std::vector<T>{1.5, 8, 0}), loop);
}

TEST(Kernels, WeightsOfEdgesMadeByHand) {
  expect_hand_made_weights(reference::kernels<double>());
  expect_hand_made_weights(reference::kernels<float>());
  expect_hand_made_weights(cpu::kernels());
}

// All that the kernels make of the weights of a graph, one after the other.
std::vector<float> weigh(const Kernels<float>& kernels, const Graph& graph, bool training,
                         int threads) {
  const ThreadPool pool(threads);
  Schedule schedule(pool);
  const std::int64_t n = graph.nodes, e = graph.edges();
  std::vector<float> out(static_cast<std::size_t>(3 * n + 5 * e), -1.0F);
  float *const nodes = out.data(), *const edges = nodes + 3 * n;
  kernels.normalise_symmetric(schedule, graph.csr(), graph.weights.data(), graph.reverse(),
                              graph.reverse_edge.data(),
                              {nodes, nodes + n, edges, training ? edges + e : nullptr});
  kernels.normalise_mean(schedule, graph.csr(), graph.reverse(), edges + 2 * e,
                         training ? edges + 3 * e : nullptr);
  kernels.weigh_loops(schedule, graph.csr(), graph.weights.data(), edges + 4 * e, nodes + 2 * n);
  schedule.run();
  return out;
}

TEST(Kernels, FastWeightsOfEdgesAreThoseOfTheReference) {
  for (const std::int64_t n : {1, 2, 129, 700}) {
    Graph graph = test::random_graph(n, n == 1 ? 0 : 5, 9);
    for (const bool training : {false, true}) {
      if (training) add_reverse(graph);
      const auto want = weigh(reference::kernels<float>(), graph, training, 1);
      for (const int threads : {1, 3}) {
        expect_same_bits(want, weigh(cpu::kernels(), graph, training, threads),
                         std::to_string(n) + " nodes, threads: " + std::to_string(threads));
      }
    }
  }
}

// Fills columns 0-1, copies x to 2-4 and adds it to 4-6, of seven in rows of nine.
std::vector<float> move_rows(const Kernels<float>& kernels, std::int64_t n, int threads) {
  const ThreadPool pool(threads);
  Schedule schedule(pool);
  const std::vector<float> x = values<float>(n * 5, 3);
  std::vector<float> y = values<float>(n * 9, 4);
  const Mat<const float> from = Mat<const float>(x.data(), n, 5).columns(1, 3);
  const Mat<float> to(y.data(), n, 7, 9);
  kernels.fill(schedule, 2.5F, to.columns(0, 2));
  kernels.copy(schedule, from, to.columns(2, 3));
  kernels.add(schedule, from, to.columns(4, 3));
  schedule.run();
  return y;
}

TEST(Kernels, RowsAreFilledCopiedAndAddedTo) {
  for (const std::int64_t n : {0, 1, 128, 300}) {
    const std::vector<float> x = values<float>(n * 5, 3);
    std::vector<float> want = values<float>(n * 9, 4);
    for (std::int64_t i = 0; i < n; ++i) {
      float* const y = want.data() + i * 9;
      const float* const from = x.data() + i * 5 + 1;
      y[0] = y[1] = 2.5F;
      for (std::int64_t c = 0; c < 3; ++c) y[2 + c] = from[c];
      for (std::int64_t c = 0; c < 3; ++c) y[4 + c] += from[c];
    }
    expect_same_bits(want, move_rows(reference::kernels<float>(), n, 1), "reference");
    expect_same_bits(want, move_rows(cpu::kernels(), n, 1), "cpu");
    expect_same_bits(want, move_rows(cpu::kernels(), n, 3), "cpu on three threads");
  }
}

template <class T>
void expect_hand_made_steps(const Kernels<T>& kernels) {
  SCOPED_TRACE(kernels.backend);
  const ThreadPool pool(1);
  std::vector<T> gradient{3, 0, -4};
  kernels.clip(pool, 5, gradient);
  EXPECT_EQ((std::vector<T>{3, 0, -4}), gradient) << "no longer than allowed";
  kernels.clip(pool, 2.5, gradient);
  EXPECT_EQ((std::vector<T>{1.5, 0, -2}), gradient);
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  constexpr T kInfinite = std::numeric_limits<T>::infinity();
  std::vector<T> lost{kNan, 100};
  kernels.clip(pool, 1, lost);
  EXPECT_EQ(T(100), lost[1]) << "of a length that is no number";

  std::vector<T> mean{1, -2};
  kernels.average(pool, 0.75, std::vector<T>{5, 2}, mean);
  EXPECT_EQ((std::vector<T>{2, -1}), mean);

  EXPECT_TRUE(kernels.all_finite(pool, {}));
  EXPECT_TRUE(kernels.all_finite(pool, mean));
  EXPECT_FALSE(kernels.all_finite(pool, lost));
  EXPECT_FALSE(kernels.all_finite(pool, std::vector<T>{1, -kInfinite}));
}

TEST(Kernels, ClippingAveragingAndFiniteNumbersByHand) {
  expect_hand_made_steps(reference::kernels<double>());
  expect_hand_made_steps(reference::kernels<float>());
  expect_hand_made_steps(cpu::kernels());
}

TEST(Kernels, FastClippingAndAveragingAreThoseOfTheReference) {
  const auto start = values<float>(40001, 7), more = values<float>(40001, 8);
  const auto run = [&](const Kernels<float>& kernels, int threads) {
    const ThreadPool pool(threads);
    std::vector<float> gradient = start;
    kernels.clip(pool, 1, gradient);
    kernels.average(pool, 0.99, more, gradient);
    return gradient;
  };
  const auto want = run(reference::kernels<float>(), 1);
  for (const int threads : {1, 3}) expect_same_bits(want, run(cpu::kernels(), threads), "cpu");
}

}  // namespace
}  // namespace pegnn
