// The fast kernels against the reference kernels over one list of cases, and the promises of the
// contract: same bits for any number of threads, a row's result independent of the other rows.

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
  auto x = values<T>(c.rows * c.in, 1), w = values<T>(c.out * c.in, 2), b = values<T>(c.out, 3);
  auto dy = values<T>(c.rows * c.out, 4);
  LinearRun<T> run;
  run.y.resize(static_cast<std::size_t>(c.rows * c.out));
  run.dx = values<T>(c.rows * c.in, 5);
  run.dw = values<T>(c.out * c.in, 6);
  run.db = values<T>(c.out, 7);
  std::vector<T> partial(static_cast<std::size_t>(linear_partials(c.in, c.out)));
  const Epilogue<T> epilogue{b.data(), c.activation, {c.dropout, 11, 5, 2}};
  const Mat<const T> xm(x.data(), c.rows, c.in), wm(w.data(), c.out, c.in);
  const Mat<T> ym(run.y.data(), c.rows, c.out);
  kernels.linear(pool, xm, wm, epilogue, ym);
  kernels.linear_backward(pool, xm, wm, ym, epilogue, {dy.data(), c.rows, c.out},
                          {run.dx.data(), c.rows, c.in}, true, {run.dw.data(), c.out, c.in},
                          run.db.data(), partial);
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
  for (const std::int64_t out : {1, 19, 32, 64, 128}) {
    for (const std::int64_t in : {1, 6, 32, 64, 70, 128}) {
      const std::int64_t rows = 301;
      const auto x = values<float>(rows * in, 1), w = values<float>(out * in, 2);
      std::vector<float> together(static_cast<std::size_t>(rows * out));
      cpu::kernels().linear(pool, {x.data(), rows, in}, {w.data(), out, in}, {},
                            {together.data(), rows, out});
      for (const std::int64_t count : {1, 2, 3, 5, 17, 48, 100}) {
        for (const std::int64_t first : {0, 1, 7, 150, 200}) {
          std::vector<float> apart(static_cast<std::size_t>(count * out));
          cpu::kernels().linear(pool, {x.data() + first * in, count, in}, {w.data(), out, in}, {},
                                {apart.data(), count, out});
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
  const std::int64_t rows = 300, in = 37, out = 19, stride = 64;
  const auto x = values<float>(rows * in, 1), w = values<float>(out * in, 2);
  std::vector<float> wide(static_cast<std::size_t>(rows * stride)),
      compact(static_cast<std::size_t>(rows * out)),
      strided(static_cast<std::size_t>(rows * stride), 7.0F);
  for (std::int64_t i = 0; i < rows; ++i)
    std::copy_n(x.data() + i * in, in, wide.data() + i * stride + 3);
  cpu::kernels().linear(pool, {x.data(), rows, in}, {w.data(), out, in}, {},
                        {compact.data(), rows, out});
  cpu::kernels().linear(pool, {wide.data() + 3, rows, in, stride}, {w.data(), out, in}, {},
                        {strided.data() + 5, rows, out, stride});
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
      reference::kernels<double>().aggregate(
          ThreadPool(1), graph.csr(), weighted ? graph.weights.data() : nullptr,
          weighted ? self.data() : nullptr, {x.data(), graph.nodes, width},
          {bias.data(), Activation::relu, dropout}, {want.data(), graph.nodes, width});
      for (auto* got : {&one, &three}) {
        cpu::kernels().aggregate(
            ThreadPool(got == &one ? 1 : 3), graph.csr(), weighted ? wf.data() : nullptr,
            weighted ? selff.data() : nullptr, {xf.data(), graph.nodes, width},
            {bf.data(), Activation::relu, dropout}, {got->data(), graph.nodes, width});
      }
      expect_near(want, one, 1e-6, "aggregate");
      expect_same_bits(one, three, "aggregate");
    }
  }
}

TEST(Kernels, DropoutKeepsTheStatedShareAndScalesTheRest) {
  const std::int64_t rows = 2000, cols = 40;
  for (const double rate : {0.1, 0.5, 0.9}) {
    std::vector<float> x(static_cast<std::size_t>(rows), 1.0F),
        w(static_cast<std::size_t>(cols), 1.0F);
    std::vector<float> y(static_cast<std::size_t>(rows * cols));
    cpu::kernels().linear(ThreadPool(2), {x.data(), rows, 1}, {w.data(), cols, 1},
                          {nullptr, Activation::identity, {rate, 1, 2, 3}}, {y.data(), rows, cols});
    double kept = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols; ++j) {
        const float v = y[static_cast<std::size_t>(i * cols + j)];
        const bool keeps = dropout_keeps({rate, 1, 2, 3}, i, j);
        ASSERT_NEAR(keeps ? 1.0 / (1.0 - rate) : 0.0, v, 1e-5) << i << "," << j;
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
