// Dense products with their epilogues: the fast kernels against the reference on every instruction
// set. Also the promises of the contract: same bits for any number of threads, and a row's result
// does not depend on the other rows.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/agreement.h"
#include "kernels/dropout.h"
#include "kernels/kernels.h"
#include "support/targets.h"

namespace pegnn {
namespace {

using test::expect_near;
using test::expect_same_bits;
using test::for_every_target;
using test::values;

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

TEST(Kernels, FastLinearAgreesWithReferenceInDouble) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto want = run_linear<double>(reference::kernels<double>(), c, 1);
    for_every_target([&](const char*) {
      const auto got = run_linear<float>(cpu::kernels(), c, 2);
      // Sums of up to 20,000 products in float, relative to the largest of them.
      expect_near(want.y, got.y, 1e-5, "y");
      expect_near(want.dx, got.dx, 1e-5, "dx");
      expect_near(want.dw, got.dw, 2e-5, "dw");
      expect_near(want.db, got.db, 2e-5, "db");
    });
  }
}

TEST(Kernels, FastLinearGivesTheSameBitsForAnyNumberOfThreads) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    for_every_target([&](const char*) {
      const auto one = run_linear<float>(cpu::kernels(), c, 1);
      for (const int threads : {2, 3, 7}) {
        const auto many = run_linear<float>(cpu::kernels(), c, threads);
        expect_same_bits(one.y, many.y, "y");
        expect_same_bits(one.dx, many.dx, "dx");
        expect_same_bits(one.dw, many.dw, "dw");
        expect_same_bits(one.db, many.db, "db");
      }
    });
  }
}

// Every so many rows from every such place give the bits they give among all rows.
void expect_rows_stand_alone(std::int64_t in, std::int64_t out) {
  const ThreadPool pool(1);
  Schedule schedule(pool);
  const std::int64_t rows = 301;
  const auto x = values<float>(rows * in, 1), w = values<float>(out * in, 2);
  std::vector<float> together(static_cast<std::size_t>(rows * out));
  cpu::kernels().linear(schedule, {x.data(), rows, in}, {w.data(), out, in}, {},
                        {together.data(), rows, out});
  schedule.run();
  for (const std::int64_t count : {1, 2, 3, 5, 17, 48, 100}) {
    for (const std::int64_t first : {0, 1, 7, 150, 200}) {
      std::vector<float> apart(static_cast<std::size_t>(count * out));
      cpu::kernels().linear(schedule, {x.data() + first * in, count, in}, {w.data(), out, in}, {},
                            {apart.data(), count, out});
      schedule.run();
      ASSERT_EQ(
          0, std::memcmp(apart.data(), together.data() + first * out, apart.size() * sizeof(float)))
          << count << " rows from " << first << ", " << in << " -> " << out;
    }
  }
}

TEST(Kernels, ARowOfLinearDoesNotDependOnTheOtherRows) {
  for_every_target([](const char*) {
    for (const std::int64_t out : {1, 19, 32, 64, 128}) {
      for (const std::int64_t in : {1, 6, 32, 64, 70, 128}) expect_rows_stand_alone(in, out);
    }
  });
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

void expect_dropout(double rate) {
  const std::int64_t rows = 2000, cols = 40;
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

TEST(Kernels, DropoutKeepsTheStatedShareAndScalesTheRest) {
  for_every_target([](const char*) {
    for (const double rate : {0.1, 0.5, 0.9}) expect_dropout(rate);
  });
}

// An activation that made a number of a NaN would hide that training has gone astray.
void expect_nan_stays(Activation activation, std::int64_t width) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr std::int64_t kRows = 20;
  const ThreadPool pool(1);
  Schedule schedule(pool);
  auto x = values<float>(kRows, 1);
  x[3] = kNan;
  x[16] = -kNan;
  const std::vector<float> w(static_cast<std::size_t>(width), 1.0F);
  std::vector<float> y(static_cast<std::size_t>(kRows * width));
  cpu::kernels().linear(schedule, {x.data(), kRows, 1}, {w.data(), width, 1},
                        {nullptr, activation, {}}, {y.data(), kRows, width});
  schedule.run();
  for (std::size_t e = 0; e < y.size(); ++e) {
    const std::size_t row = e / static_cast<std::size_t>(width);
    ASSERT_EQ(std::isnan(x[row]), std::isnan(y[e])) << "row " << row << ", width " << width;
  }
}

TEST(Kernels, ANaNStaysOneThroughTanh) {
  for_every_target([](const char*) {
    for (const std::int64_t width : {1, 5, 16, 37}) expect_nan_stays(Activation::tanh, width);
  });
}

TEST(Kernels, ANaNStaysOneThroughTheSigmoid) {
  for_every_target([](const char*) {
    for (const std::int64_t width : {1, 5, 16, 37}) expect_nan_stays(Activation::sigmoid, width);
  });
}

TEST(Kernels, ActivationsOfLargeNumbersAgreeWithReference) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x{0,   -0.0F, 1e-30F, 7.9F,  -8.0F, 9.5F,      -30,
                             100, -100,  1e4F,   -1e4F, 3e38F, kInfinity, -kInfinity};
  const auto rows = static_cast<std::int64_t>(x.size());
  const ThreadPool pool(1);
  Schedule schedule(pool);
  const float one = 1;
  for (const Activation activation : {Activation::relu, Activation::tanh, Activation::sigmoid}) {
    std::vector<float> want(x.size()), got(x.size());
    const auto run = [&](const Kernels<float>& kernels, std::vector<float>& y) {
      kernels.linear(schedule, {x.data(), rows, 1}, {&one, 1, 1}, {nullptr, activation, {}},
                     {y.data(), rows, 1});
      schedule.run();
    };
    run(reference::kernels<float>(), want);
    for_every_target([&](const char*) {
      run(cpu::kernels(), got);
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isinf(want[i])) {
          EXPECT_EQ(want[i], got[i]) << x[i];
        } else {
          EXPECT_NEAR(want[i], got[i], 1e-6 * std::max(1.0F, want[i])) << x[i];
        }
      }
    });
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

}  // namespace
}  // namespace pegnn
