// Attention to labelled sources: the reference against finite differences, the fast kernels against
// the reference on every instruction set, the same bits for any number of threads, and rows that do
// not depend on the other rows.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/agreement.h"
#include "kernels/kernels.h"
#include "kernels/label_problem.h"
#include "support/targets.h"

namespace pegnn {
namespace {

using test::expect_near;
using test::expect_same_bits;
using test::for_every_target;
using test::kDegrees;
using test::kNaN;
using test::kShapes;
using test::rows_from;
using test::run;
using test::size;
using test::values;
using Shape = test::LabelShape;
template <class T>
using Problem = test::LabelProblem<T>;
template <class T>
using Results = test::LabelResults<T>;

void expect_gradients_of(Problem<double> p) {
  const auto loss = [&] {
    const Results<double> r = run(reference::kernels<double>(), p);
    double sum = 0;
    for (std::size_t i = 0; i < r.context.size(); ++i) sum += p.d_context[i] * r.context[i];
    for (std::size_t i = 0; i < r.label.size(); ++i) sum += p.d_label[i] * r.label[i];
    return sum;
  };
  Results<double> r = run(reference::kernels<double>(), p);
  const auto before_edge = values<double>(static_cast<std::int64_t>(r.d_edge_map.size()), 9);
  const auto before_source = values<double>(static_cast<std::int64_t>(r.d_source_map.size()), 10);
  for (std::size_t i = 0; i < before_edge.size(); ++i) r.d_edge_map[i] -= before_edge[i];
  for (std::size_t i = 0; i < before_source.size(); ++i) r.d_source_map[i] -= before_source[i];
  test::expect_gradient(loss, p.base, r.d_base, "base");
  test::expect_gradient(loss, p.probe, r.d_probe, "probe");
  test::expect_gradient(loss, p.edge_map, r.d_edge_map, "edge map");
  test::expect_gradient(loss, p.source_map, r.d_source_map, "source map");
}

TEST(LabelAttention, GradientsAreThoseOfFiniteDifferences) {
  expect_gradients_of({{5, 2, 3, 4}, {3, 0, 1, 6}});
  expect_gradients_of({{20, 3, 2, 1}, {4, 2}, 0.3});
}

TEST(LabelAttention, ASingleEdgeHasTheWholeShare) {
  Problem<double> p({2, 2, 1, 1}, {1});
  const Results<double> r = run(reference::kernels<double>(), p);
  const double y = p.source_rows[static_cast<std::size_t>(p.columns[0])];
  EXPECT_EQ((std::vector<double>{1, 1}), r.shares);
  EXPECT_EQ((std::vector<double>{y, y}), r.label);
  for (std::size_t c = 0; c < 2; ++c) {
    const double v = p.base[c] + p.edge_map[c] * p.edges[0] + p.source_map[c] * y;
    EXPECT_NEAR(v / (1 + std::exp(-v)), r.context[c], 1e-15);
    EXPECT_EQ(r.context[c], r.context[c + 2]);
    EXPECT_EQ(0, r.d_probe[c]);
  }
}

TEST(LabelAttention, QueriesWithoutEdgesGetZeros) {
  for_every_target([&](const char*) {
    const Results<float> r = run(cpu::kernels(), Problem<float>({33, 3, 2, 2}, {0, 0}));
    EXPECT_EQ(std::vector<float>(r.context.size()), r.context);
    EXPECT_EQ(std::vector<float>(r.label.size()), r.label);
    EXPECT_EQ(std::vector<float>(r.d_base.size()), r.d_base);
    EXPECT_EQ(std::vector<float>(r.d_probe.size()), r.d_probe);
    expect_same_bits(values<float>(33 * 2, 9), r.d_edge_map, "edge map");
    expect_same_bits(values<float>(33 * 2, 10), r.d_source_map, "source map");
  });
}

TEST(LabelAttention, NoQueriesAreNoWork) {
  for_every_target([&](const char*) {
    const Results<float> r = run(cpu::kernels(), Problem<float>({16, 1, 2, 2}, {}));
    expect_same_bits(values<float>(16 * 2, 9), r.d_edge_map, "edge map");
  });
}

TEST(LabelAttention, FastAgreesWithReference) {
  for (const Shape& shape : kShapes) {
    for (const double rate : {0.0, 0.4}) {
      SCOPED_TRACE(name_of(shape) + ", dropout " + std::to_string(rate));
      const auto want = run(reference::kernels<double>(), Problem<double>(shape, kDegrees, rate));
      for_every_target([&](const char*) {
        const auto got = run(cpu::kernels(), Problem<float>(shape, kDegrees, rate));
        // Logits are sums of `width` products and stand in an exponent.
        const double tolerance = 1e-6 * std::max(10.0, std::sqrt(static_cast<double>(shape.width)));
        expect_near(want.context, got.context, tolerance, "context");
        expect_near(want.label, got.label, tolerance, "label");
        expect_near(want.shares, got.shares, tolerance, "shares");
        expect_near(want.d_base, got.d_base, tolerance, "d_base");
        expect_near(want.d_probe, got.d_probe, tolerance, "d_probe");
        expect_near(want.d_edge_map, got.d_edge_map, tolerance, "d_edge_map");
        expect_near(want.d_source_map, got.d_source_map, tolerance, "d_source_map");
      });
    }
  }
}

TEST(LabelAttention, ThreadsDoNotChangeABit) {
  std::vector<std::int64_t> degrees(700);
  for (std::size_t i = 0; i < degrees.size(); ++i) degrees[i] = static_cast<std::int64_t>(i % 9);
  for_every_target([&](const char*) {
    for (const double rate : {0.0, 0.4}) {
      const Problem<float> p({33, 3, 3, 2}, degrees, rate);
      const Results<float> one = run(cpu::kernels(), p, 1);
      for (const int threads : {2, 3}) {
        const Results<float> more = run(cpu::kernels(), p, threads);
        expect_same_bits(one, more);
      }
    }
  });
}

TEST(LabelAttention, ARowDoesNotDependOnTheOtherRows) {
  for_every_target([&](const char*) {
    for (const Shape& shape : kShapes) {
      SCOPED_TRACE(name_of(shape));
      const Problem<float> whole(shape, kDegrees);
      const Results<float> all = run(cpu::kernels(), whole);
      for (const std::int64_t first : {1, 2, 5, 9}) {
        Problem<float> p(shape, {kDegrees.begin() + first, kDegrees.end()});
        const std::int64_t before = whole.offsets[size(first)];
        p.columns.assign(whole.columns.begin() + before, whole.columns.end());
        p.edges = rows_from(whole.edges, before, shape.edge_inputs);
        p.log_weights = rows_from(whole.log_weights, before, 1);
        p.base = rows_from(whole.base, first, shape.width);
        p.probe = rows_from(whole.probe, first, shape.heads * shape.width);
        p.d_context = rows_from(whole.d_context, first, shape.heads * shape.width);
        p.d_label = rows_from(whole.d_label, first, shape.heads);
        const Results<float> some = run(cpu::kernels(), p);
        const std::int64_t wide = shape.heads * shape.width;
        expect_same_bits(rows_from(all.context, first, wide), some.context, "context");
        expect_same_bits(rows_from(all.label, first, shape.heads), some.label, "label");
        expect_same_bits(rows_from(all.shares, before, shape.heads), some.shares, "shares");
        expect_same_bits(rows_from(all.d_base, first, shape.width), some.d_base, "d_base");
        expect_same_bits(rows_from(all.d_probe, first, wide), some.d_probe, "d_probe");
      }
    }
  });
}

TEST(LabelAttention, ResultsAreTheSameWhetherSharesAreKeptOrNot) {
  const Problem<float> p({40, 3, 4, 3}, kDegrees);
  for_every_target([&](const char*) {
    const Results<float> kept = run(cpu::kernels(), p);
    std::vector<float> context(kept.context.size()), label(kept.label.size());
    const ThreadPool pool(1);
    Schedule schedule(pool);
    cpu::kernels().label_attend(schedule, p.csr(), p.attention(), p.per_query(p.base),
                                p.per_query(p.probe), nullptr, {context.data(), p.rows(), 120},
                                {label.data(), p.rows(), 3});
    schedule.run();
    expect_same_bits(kept.context, context, "context");
    expect_same_bits(kept.label, label, "label");
  });
}

TEST(LabelAttention, MatricesMayBeColumnsOfWiderOnes) {
  const Shape shape{20, 2, 3, 4};
  const Problem<float> p(shape, kDegrees);
  // Every row followed by numbers that must neither be read nor written.
  const auto spaced = [](const std::vector<float>& v, std::int64_t cols) {
    std::vector<float> out;
    for (std::size_t i = 0; i < v.size(); i += size(cols)) {
      out.insert(out.end(), v.begin() + static_cast<std::ptrdiff_t>(i),
                 v.begin() + static_cast<std::ptrdiff_t>(i) + cols);
      out.insert(out.end(), 3, 77.0F);
    }
    return out;
  };
  const auto view = [](auto& v, std::int64_t rows, std::int64_t cols) {
    return Mat(v.data(), rows, cols, cols + 3);
  };
  for_every_target([&](const char*) {
    const Results<float> want = run(cpu::kernels(), p);
    const std::int64_t n = p.rows(), wide = shape.heads * shape.width;
    const auto edges = spaced(p.edges, 3), sources = spaced(p.source_rows, 4);
    const auto base = spaced(p.base, 20), probe = spaced(p.probe, wide);
    const auto d_context = spaced(p.d_context, wide), d_label = spaced(p.d_label, 2);
    const std::vector<float> zero(size(n * wide)), narrow(size(n * 20)), two(size(n * 2));
    auto context = spaced(zero, wide), label = spaced(two, 2);
    auto d_base = spaced(narrow, 20), d_probe = spaced(zero, wide);
    std::vector<float> shares(want.shares.size());
    auto d_edge_map = values<float>(60, 9), d_source_map = values<float>(80, 10);
    LabelAttention<float> attention = p.attention();
    attention.edges = view(edges, p.offsets.back(), 3);
    attention.sources = view(sources, p.sources, 4);
    const ThreadPool pool(1);
    Schedule schedule(pool);
    cpu::kernels().label_attend(schedule, p.csr(), attention, view(base, n, 20),
                                view(probe, n, wide), shares.data(), view(context, n, wide),
                                view(label, n, 2));
    cpu::kernels().label_attend_backward(
        schedule, p.csr(), attention, view(base, n, 20), view(probe, n, wide), shares.data(),
        view(d_context, n, wide), view(d_label, n, 2), view(d_base, n, 20), view(d_probe, n, wide),
        {d_edge_map.data(), 20, 3}, {d_source_map.data(), 20, 4});
    schedule.run();
    expect_same_bits(spaced(want.context, wide), context, "context");
    expect_same_bits(spaced(want.label, 2), label, "label");
    expect_same_bits(spaced(want.d_base, 20), d_base, "d_base");
    expect_same_bits(spaced(want.d_probe, wide), d_probe, "d_probe");
    expect_same_bits(want.d_edge_map, d_edge_map, "d_edge_map");
    expect_same_bits(want.d_source_map, d_source_map, "d_source_map");
  });
}

TEST(LabelAttention, ANaNReachesOnlyTheQueriesThatSeeIt) {
  const std::int32_t bad = 11;
  for (const Shape& shape : {Shape{64, 4, 7, 7}, Shape{33, 3, 7, 1}}) {
    const Problem<float> whole(shape, kDegrees);
    Problem<float> hurt = whole;
    hurt.source_rows[size((bad + 1) * shape.source_inputs - 1)] = static_cast<float>(kNaN);
    for_every_target([&](const char*) {
      const Results<float> want = run(cpu::kernels(), whole), got = run(cpu::kernels(), hurt);
      std::int64_t reached = 0;
      for (std::int64_t i = 0; i < whole.rows(); ++i) {
        bool sees = false;
        for (std::int64_t e = whole.offsets[size(i)]; e < whole.offsets[size(i + 1)]; ++e) {
          sees = sees || whole.columns[size(e)] == bad;
        }
        reached += sees;
        const auto check = [&](const std::vector<float>& a, const std::vector<float>& b,
                               std::int64_t cols, const char* what) {
          for (std::int64_t c = 0; c < cols; ++c) {
            const float x = a[size(i * cols + c)], y = b[size(i * cols + c)];
            ASSERT_TRUE(sees ? std::isnan(y) : x == y) << what << ", row " << i << ", column " << c;
          }
        };
        check(want.context, got.context, shape.heads * shape.width, "context");
        check(want.label, got.label, shape.heads, "label");
        check(want.d_base, got.d_base, shape.width, "d_base");
        check(want.d_probe, got.d_probe, shape.heads * shape.width, "d_probe");
      }
      EXPECT_GT(reached, 0);
      EXPECT_LT(reached, whole.rows());
    });
  }
}

TEST(LabelAttention, LargeLogitsNeitherOverflowNorLoseTheirSum) {
  Problem<float> p({16, 2, 2, 2}, kDegrees);
  for (float& v : p.probe) v *= 1000.0F;
  for_every_target([&](const char*) {
    const Results<float> r = run(cpu::kernels(), p);
    for (std::int64_t i = 0; i < p.rows(); ++i) {
      if (p.offsets[size(i)] == p.offsets[size(i + 1)]) continue;
      for (std::int64_t h = 0; h < 2; ++h) {
        double sum = 0;
        for (std::int64_t e = p.offsets[size(i)]; e < p.offsets[size(i + 1)]; ++e) {
          sum += r.shares[size(e * 2 + h)];
        }
        ASSERT_NEAR(1.0, sum, 1e-5) << "row " << i << ", head " << h;
      }
    }
    for (const float v : r.d_base) ASSERT_TRUE(std::isfinite(v));
  });
}

}  // namespace
}  // namespace pegnn
