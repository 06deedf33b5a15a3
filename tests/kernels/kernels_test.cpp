// The fast kernels against the reference kernels over one list of cases, and the promises of the
// contract: same bits for any number of threads, a row's result independent of the other rows.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/aligned_buffer.h"
#include "kernels/dropout.h"
#include "kernels/kernels.h"
#include "support/gradient.h"
#include "support/graphs.h"

namespace pegnn {
namespace {

struct Case {
  const char* name;
  std::int64_t rows, in, out;
  Activation activation;
  double dropout;
};

// Shapes of the reference network, widths that are no multiple of a vector, and the ends of the
// domain.
const Case kCases[] = {
    {"one_row_one_column", 1, 1, 1, Activation::identity, 0},
    {"no_rows", 0, 7, 5, Activation::relu, 0.5},
    {"width_not_multiple", 257, 37, 19, Activation::tanh, 0.3},
    {"encoder_hidden", 2048, 64, 128, Activation::relu, 0.5},
    {"encoder_tanh", 2048, 128, 64, Activation::tanh, 0},
    {"shallow_sigmoid", 513, 64, 64, Activation::sigmoid, 0.25},
    {"backbone_input", 2048, 70, 32, Activation::relu, 0.5},
    {"head", 2048, 32, 1, Activation::identity, 0},
    {"many_slabs", 20000, 5, 3, Activation::relu, 0.1},
};

template <class T>
std::vector<T> values(std::int64_t n, std::uint64_t seed) {
  const std::vector<double> drawn = test::random_values(static_cast<std::size_t>(n), seed);
  return {drawn.begin(), drawn.end()};
}

template <class T>
struct LinearRun {
  std::vector<T> y, dx, dw, db;
};

template <class T>
LinearRun<T> run_linear(const Kernels<T>& kernels, const Case& c, int threads) {
  const ThreadPool pool(threads);
  Schedule schedule(pool);
  auto x = values<T>(c.rows * c.in, 1), w = values<T>(c.out * c.in, 2), b = values<T>(c.out, 3);
  auto dy = values<T>(c.rows * c.out, 4);
  LinearRun<T> run;
  run.y.resize(static_cast<std::size_t>(c.rows * c.out));
  run.dx = values<T>(c.rows * c.in, 5);
  run.dw = values<T>(c.out * c.in, 6);
  run.db = values<T>(c.out, 7);
  const Epilogue<T> epilogue{b.data(), c.activation, {c.dropout, 11, 5, 2}};
  const Mat<const T> xm(x.data(), c.rows, c.in), wm(w.data(), c.out, c.in);
  const Mat<T> ym(run.y.data(), c.rows, c.out);
  kernels.linear(schedule, xm, wm, epilogue, ym);
  kernels.linear_backward(schedule, xm, wm, ym, epilogue, {dy.data(), c.rows, c.out},
                          {run.dx.data(), c.rows, c.in}, true, {run.dw.data(), c.out, c.in},
                          run.db.data());
  schedule.run();
  return run;
}

template <class A, class B>
void expect_near(const std::vector<A>& want, const std::vector<B>& got, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(want.size(), got.size()) << what;
  double scale = 1;
  for (const A v : want) scale = std::max(scale, std::abs(static_cast<double>(v)));
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(want[i]), static_cast<double>(got[i]), tolerance * scale)
        << what << ", element " << i;
  }
}

void expect_same_bits(const std::vector<float>& a, const std::vector<float>& b,
                      const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0) << what;
}

TEST(Kernels, FastLinearAgreesWithReferenceInDouble) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto want = run_linear<double>(reference::kernels<double>(), c, 1);
    const auto got = run_linear<float>(cpu::kernels(), c, 2);
    // Sums of up to 20,000 products in float, relative to the largest of them.
    expect_near(want.y, got.y, 1e-5, "y");
    expect_near(want.dx, got.dx, 1e-5, "dx");
    expect_near(want.dw, got.dw, 2e-5, "dw");
    expect_near(want.db, got.db, 2e-5, "db");
  }
}

TEST(Kernels, FastLinearGivesTheSameBitsForAnyNumberOfThreads) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto one = run_linear<float>(cpu::kernels(), c, 1);
    for (const int threads : {2, 3, 7}) {
      const auto many = run_linear<float>(cpu::kernels(), c, threads);
      expect_same_bits(one.y, many.y, "y");
      expect_same_bits(one.dx, many.dx, "dx");
      expect_same_bits(one.dw, many.dw, "dw");
      expect_same_bits(one.db, many.db, "db");
    }
  }
}

TEST(Kernels, ARowOfLinearDoesNotDependOnTheOtherRows) {
  const ThreadPool pool(1);
  Schedule schedule(pool);
  for (const std::int64_t out : {1, 19, 32, 64, 128}) {
    for (const std::int64_t in : {1, 6, 32, 64, 70, 128}) {
      const std::int64_t rows = 301;
      const auto x = values<float>(rows * in, 1), w = values<float>(out * in, 2);
      std::vector<float> together(static_cast<std::size_t>(rows * out));
      cpu::kernels().linear(schedule, {x.data(), rows, in}, {w.data(), out, in}, {},
                            {together.data(), rows, out});
      schedule.run();
      for (const std::int64_t count : {1, 2, 3, 5, 17, 48, 100}) {
        for (const std::int64_t first : {0, 1, 7, 150, 200}) {
          std::vector<float> apart(static_cast<std::size_t>(count * out));
          cpu::kernels().linear(schedule, {x.data() + first * in, count, in}, {w.data(), out, in},
                                {}, {apart.data(), count, out});
          schedule.run();
          ASSERT_EQ(0, std::memcmp(apart.data(), together.data() + first * out,
                                   apart.size() * sizeof(float)))
              << count << " rows from " << first << ", " << in << " -> " << out;
        }
      }
    }
  }
}

TEST(Kernels, AStridedMatrixGivesWhatACompactOneDoes) {
  const ThreadPool pool(2);
  Schedule schedule(pool);
  const std::int64_t rows = 300, in = 37, out = 19, stride = 64;
  const auto x = values<float>(rows * in, 1), w = values<float>(out * in, 2);
  std::vector<float> wide(static_cast<std::size_t>(rows * stride)),
      compact(static_cast<std::size_t>(rows * out)),
      strided(static_cast<std::size_t>(rows * stride), 7.0F);
  for (std::int64_t i = 0; i < rows; ++i)
    std::copy_n(x.data() + i * in, in, wide.data() + i * stride + 3);
  cpu::kernels().linear(schedule, {x.data(), rows, in}, {w.data(), out, in}, {},
                        {compact.data(), rows, out});
  cpu::kernels().linear(schedule, {wide.data() + 3, rows, in, stride}, {w.data(), out, in}, {},
                        {strided.data() + 5, rows, out, stride});
  schedule.run();
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < out; ++j) {
      ASSERT_EQ(compact[static_cast<std::size_t>(i * out + j)],
                strided[static_cast<std::size_t>(i * stride + 5 + j)]);
    }
    EXPECT_EQ(7.0F, strided[static_cast<std::size_t>(i * stride + 4)]) << "left of the block";
    EXPECT_EQ(7.0F, strided[static_cast<std::size_t>(i * stride + 5 + out)]) << "right of it";
  }
}

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
      std::vector<float> one(x.size()), three(x.size());
      const Dropout dropout{0.5, 3, 1, 0};
      const ThreadPool pool(1), three_threads(3);
      Schedule schedule(pool), on_three(three_threads);
      reference::kernels<double>().aggregate(
          schedule, graph.csr(), weighted ? graph.weights.data() : nullptr,
          weighted ? self.data() : nullptr, {x.data(), graph.nodes, width},
          {bias.data(), Activation::relu, dropout}, {want.data(), graph.nodes, width});
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
    }
  }
}

TEST(Kernels, AnEpilogueAddsItsBaseBeforeItActivates) {
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
    for (const Kernels<float>* k : {&reference::kernels<float>(), &cpu::kernels()}) {
      k->aggregate(schedule, graph.csr(), nullptr, nullptr, xm, {},
                   {plain.data(), graph.nodes, width});
      k->aggregate(schedule, graph.csr(), nullptr, nullptr, xm,
                   {bias.data(), Activation::relu, {}, base_mat}, {got.data(), graph.nodes, width});
      schedule.run();
      for (std::int64_t i = 0; i < graph.nodes; ++i) {
        for (std::int64_t c = 0; c < width; ++c) {
          const auto at = static_cast<std::size_t>(i * width + c);
          const float sum = plain[at] + base_mat(i, c) + bias[static_cast<std::size_t>(c)];
          ASSERT_NEAR(std::max(sum, 0.0F), got[at], 1e-5) << k->backend << " " << i << "," << c;
        }
      }
    }
  }
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
      const auto one = run_max<float>(cpu::kernels(), graph, width, 1);
      const auto three = run_max<float>(cpu::kernels(), graph, width, 3);
      expect_near(want.y, one.y, 0, "y");
      expect_near(want.dx, one.dx, 1e-6, "dx");
      expect_same_bits(one.y, three.y, "y");
      expect_same_bits(one.dx, three.dx, "dx");
    }
  }
}

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
    for (const auto& [width, heads] : kAttentionCases) {
      for (const bool sees_edges : {false, true}) {
        SCOPED_TRACE(std::to_string(nodes) + " nodes, width " + std::to_string(width) + ", heads " +
                     std::to_string(heads) + (sees_edges ? ", edges" : ""));
        const auto want =
            run_attention<double>(reference::kernels<double>(), graph, width, heads, sees_edges, 1);
        const auto one = run_attention<float>(cpu::kernels(), graph, width, heads, sees_edges, 1);
        const auto three = run_attention<float>(cpu::kernels(), graph, width, heads, sees_edges, 3);
        expect_near(want.y, one.y, 1e-5, "y");
        expect_near(want.shares, one.shares, 1e-5, "shares");
        expect_near(want.dx, one.dx, 1e-5, "dx");
        expect_near(want.vectors, one.vectors, 1e-5, "gradients of the vectors");
        expect_same_bits(one.y, three.y, "y");
        expect_same_bits(one.dx, three.dx, "dx");
        expect_same_bits(one.vectors, three.vectors, "gradients of the vectors");
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
TEST(Kernels, ARowOfAttentionDoesNotDependOnTheOtherRows) {
  const Graph graph = test::random_graph(300, 5, 9);
  for (const auto& [width, heads] : kAttentionCases) {
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
      std::vector<float> edges(moved.columns.size() * static_cast<std::size_t>(heads));
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
}

TEST(Kernels, DropoutKeepsTheStatedShareAndScalesTheRest) {
  const std::int64_t rows = 2000, cols = 40;
  for (const double rate : {0.1, 0.5, 0.9}) {
    std::vector<float> x(static_cast<std::size_t>(rows), 1.0F),
        w(static_cast<std::size_t>(cols), 1.0F);
    std::vector<float> y(static_cast<std::size_t>(rows * cols));
    const ThreadPool pool(2);
    Schedule schedule(pool);
    cpu::kernels().linear(schedule, {x.data(), rows, 1}, {w.data(), cols, 1},
                          {nullptr, Activation::identity, {rate, 1, 2, 3}}, {y.data(), rows, cols});
    schedule.run();
    double kept = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols; ++j) {
        const float v = y[static_cast<std::size_t>(i * cols + j)];
        const bool keeps = dropout_keeps({rate, 1, 2, 3}, i, j);
        ASSERT_NEAR(keeps ? 1.0 / dropout_share(rate) : 0.0, v, 1e-5) << i << "," << j;
        kept += keeps ? 1 : 0;
      }
    }
    // 80,000 draws: the standard deviation of the share is below 0.002.
    EXPECT_NEAR(1.0 - rate, kept / static_cast<double>(rows * cols), 0.01);
  }
}

TEST(Kernels, DropoutOfAnotherStepLayerOrSeedDropsOthers) {
  const Dropout base{0.5, 1, 2, 3};
  for (const Dropout other :
       {Dropout{0.5, 2, 2, 3}, Dropout{0.5, 1, 3, 3}, Dropout{0.5, 1, 2, 4}}) {
    int differ = 0;
    for (std::int64_t i = 0; i < 100; ++i) {
      for (std::int64_t j = 0; j < 10; ++j) {
        differ += dropout_keeps(base, i, j) != dropout_keeps(other, i, j) ? 1 : 0;
      }
    }
    EXPECT_GT(differ, 400);
    EXPECT_LT(differ, 600);
  }
}

TEST(Kernels, SinusoidalIsExactForLargeAnglesToo) {
  // 5e6 metres at a scale of 1e-6: far beyond where vectorised argument reduction holds.
  const std::vector<double> coordinates{500000.25, 4649776.5, -122.4, 37.8};
  const std::vector<double> scales{1e-6, 1e-3, 1, 360, 0.7};
  std::vector<float> out(2 * 20);
  cpu::kernels().sinusoidal(ThreadPool(1), {coordinates.data(), 2, 2}, scales, {out.data(), 2, 20});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t v = 0; v < 2; ++v) {
      for (std::size_t s = 0; s < scales.size(); ++s) {
        const double angle = coordinates[2 * i + v] / scales[s];
        EXPECT_NEAR(std::sin(angle), out[i * 20 + v * 10 + 2 * s], 1e-7);
        EXPECT_NEAR(std::cos(angle), out[i * 20 + v * 10 + 2 * s + 1], 1e-7);
      }
    }
  }
}

TEST(Kernels, AdamWShrinksWeightsAndAdamAddsDecayToTheGradient) {
  for (const bool decoupled : {false, true}) {
    // By hand: one step from rest moves every weight by the learning rate against its gradient.
    std::vector<double> g{0.5}, m{0}, v{0}, p{2.0};
    const AdamStep step{0.1, 0.9, 0.999, 1e-8, 0.01, decoupled, 1};
    reference::kernels<double>().adam(ThreadPool(1), step, g, m, v, p);
    const double want = decoupled ? 2.0 * (1 - 0.1 * 0.01) - 0.1 : 2.0 - 0.1;
    EXPECT_NEAR(want, p[0], 1e-7);
    EXPECT_NEAR(decoupled ? 0.05 : 0.052, m[0], 1e-12);
  }
}

TEST(Kernels, FastAdamFollowsTheReferenceOverManySteps) {
  const std::size_t n = 40001;  // several blocks and a rest
  std::vector<double> p = test::random_values(n, 1), m(n), v(n);
  std::vector<float> pf(p.begin(), p.end()), mf(n), vf(n), pt = pf, mt(n), vt(n);
  for (int s = 1; s <= 20; ++s) {
    const std::vector<double> g = test::random_values(n, static_cast<std::uint64_t>(100 + s));
    const std::vector<float> gf(g.begin(), g.end());
    const AdamStep step{1e-3, 0.9, 0.999, 1e-8, 0.01, true, s};
    reference::kernels<double>().adam(ThreadPool(1), step, g, m, v, p);
    cpu::kernels().adam(ThreadPool(1), step, gf, mf, vf, pf);
    cpu::kernels().adam(ThreadPool(3), step, gf, mt, vt, pt);
  }
  expect_near(p, pf, 1e-5, "parameters");
  expect_same_bits(pf, pt, "threads");
}

}  // namespace
}  // namespace pegnn
