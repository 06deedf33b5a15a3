// Attention: the fast kernels against the reference on every instruction set, the same bits for any
// number of threads, and a row's result that does not depend on the other rows.

#include <cstring>
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

template <class T>
struct AttentionRun {
  std::vector<T> y, shares, dx, vectors;  // the last: gradients of the four vectors
};

template <class T>
AttentionRun<T> run_attention(const Kernels<T>& kernels, const Graph& graph, std::int64_t width,
                              std::int64_t heads, bool sees_edges, int threads) {
  const ThreadPool pool(threads);
  Schedule schedule(pool);
  const std::int64_t n = graph.nodes;
  const auto size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  const auto x = values<T>(n * width, 1), dy = values<T>(n * width, 2);
  const auto vectors = values<T>(4 * width, 3), bias = values<T>(width, 4);
  const auto loops = values<T>(n, 5);
  const std::vector<T> weights(graph.weights.begin(), graph.weights.end());
  AttentionRun<T> run{std::vector<T>(size(n * width)),
                      std::vector<T>(size((n + graph.edges()) * heads)),
                      std::vector<T>(size(n * width)), values<T>(4 * width, 6)};
  std::vector<T> nodes(size(4 * n * heads)), edges(size(graph.edges() * heads));
  Attention<T> attention{
      .heads = heads, .source = vectors.data(), .target = vectors.data() + width};
  AttentionGradient<T> gradient{.source = run.vectors.data(),
                                .target = run.vectors.data() + width,
                                .node_target = nodes.data() + 2 * n * heads,
                                .node_loop = nodes.data() + 3 * n * heads,
                                .per_edge = edges.data()};
  if (sees_edges) {
    attention.edge = vectors.data() + 2 * width;
    attention.edge_map = vectors.data() + 3 * width;
    attention.edge_weight = weights.data();
    attention.loop_weight = loops.data();
    gradient.edge = run.vectors.data() + 2 * width;
    gradient.edge_map = run.vectors.data() + 3 * width;
  }
  const AttentionState<T> state{nodes.data(), nodes.data() + n * heads, run.shares.data(),
                                run.shares.data() + n * heads};
  const Mat<const T> xm(x.data(), n, width);
  kernels.attend(schedule, graph.csr(), attention, xm, {bias.data(), Activation::tanh, {}}, state,
                 {run.y.data(), n, width});
  kernels.attend_backward(schedule, graph.csr(), graph.reverse(), graph.reverse_edge.data(),
                          attention, xm, state, {dy.data(), n, width}, gradient,
                          {run.dx.data(), n, width});
  schedule.run();
  return run;
}

struct AttentionCase {
  std::int64_t width, heads;
};
// Heads narrower and wider than a vector, one and many to a vector, and no multiples of it.
const AttentionCase kAttentionCases[] = {{1, 1},  {7, 1},  {33, 1}, {32, 2},  {33, 3},    {32, 4},
                                         {35, 7}, {32, 8}, {9, 9},  {36, 12}, {300, 300}, {40, 2}};

TEST(Kernels, FastAttentionAgreesWithReference) {
  for (const std::int64_t nodes : {0, 1, 700}) {
    const Graph graph = test::random_graph(nodes, 5, 9);
    for (const AttentionCase& each : kAttentionCases) {
      const auto width = each.width, heads = each.heads;
      for (const bool sees_edges : {false, true}) {
        SCOPED_TRACE(std::to_string(nodes) + " nodes, width " + std::to_string(width) + ", heads " +
                     std::to_string(heads) + (sees_edges ? ", edges" : ""));
        const auto want =
            run_attention<double>(reference::kernels<double>(), graph, width, heads, sees_edges, 1);
        for_every_target([&](const char*) {
          const auto one = run_attention<float>(cpu::kernels(), graph, width, heads, sees_edges, 1);
          const auto three =
              run_attention<float>(cpu::kernels(), graph, width, heads, sees_edges, 3);
          expect_near(want.y, one.y, 1e-5, "y");
          expect_near(want.shares, one.shares, 1e-5, "shares");
          expect_near(want.dx, one.dx, 1e-5, "dx");
          expect_near(want.vectors, one.vectors, 1e-5, "gradients of the vectors");
          expect_same_bits(one.y, three.y, "y");
          expect_same_bits(one.dx, three.dx, "dx");
          expect_same_bits(one.vectors, three.vectors, "gradients of the vectors");
        });
      }
    }
  }
}

TEST(Kernels, SharesOfARowSumToOne) {
  const Graph graph = test::random_graph(50, 5, 9);
  const auto run = run_attention<double>(reference::kernels<double>(), graph, 6, 2, true, 1);
  for (std::int64_t i = 0; i < graph.nodes; ++i) {
    for (std::int64_t h = 0; h < 2; ++h) {
      double sum = run.shares[static_cast<std::size_t>(i * 2 + h)];
      for (std::int64_t e = graph.csr().offsets[i]; e < graph.csr().offsets[i + 1]; ++e) {
        sum += run.shares[static_cast<std::size_t>((graph.nodes + e) * 2 + h)];
      }
      EXPECT_NEAR(1.0, sum, 1e-14) << "row " << i << ", head " << h;
    }
  }
}

// Rows and edges put before the others move them to other lanes and blocks, no more.
void expect_attention_rows_stand_alone(const Graph& graph, std::int64_t width, std::int64_t heads) {
  const auto alone = run_attention<float>(cpu::kernels(), graph, width, heads, false, 1);
  for (const std::int32_t before : {1, 3, 100}) {
    Graph moved = test::make_graph(before, {{0, 0, 1.0}, {0, 0, 1.0}, {0, 0, 1.0}});
    for (std::size_t i = 0; i < static_cast<std::size_t>(graph.nodes); ++i) {
      moved.offsets.push_back(moved.offsets[static_cast<std::size_t>(before)] +
                              graph.offsets[i + 1]);
    }
    for (const std::int32_t j : graph.columns) moved.columns.push_back(j + before);
    moved.nodes = graph.nodes + before;
    const auto x = values<float>(graph.nodes * width, 1);
    std::vector<float> longer(static_cast<std::size_t>(before * width), 0.5F);
    longer.insert(longer.end(), x.begin(), x.end());
    const auto vectors = values<float>(4 * width, 3), bias = values<float>(width, 4);
    std::vector<float> nodes(static_cast<std::size_t>(3 * moved.nodes * heads));
    std::vector<float> edges(as_size(moved.columns.size() * heads));
    std::vector<float> y(longer.size());
    const ThreadPool pool(1);
    Schedule schedule(pool);
    cpu::kernels().attend(
        schedule, moved.csr(),
        {.heads = heads, .source = vectors.data(), .target = vectors.data() + width},
        {longer.data(), moved.nodes, width}, {bias.data(), Activation::tanh, {}},
        {nodes.data(), nodes.data() + moved.nodes * heads, nodes.data() + 2 * moved.nodes * heads,
         edges.data()},
        {y.data(), moved.nodes, width});
    schedule.run();
    ASSERT_EQ(
        0, std::memcmp(alone.y.data(), y.data() + before * width, alone.y.size() * sizeof(float)))
        << before << " rows before, width " << width << ", heads " << heads;
  }
}

TEST(Kernels, ARowOfAttentionDoesNotDependOnTheOtherRows) {
  const Graph graph = test::random_graph(300, 5, 9);
  for_every_target([&](const char*) {
    for (const auto& [width, heads] : kAttentionCases) {
      expect_attention_rows_stand_alone(graph, width, heads);
    }
  });
}

}  // namespace
}  // namespace pegnn
