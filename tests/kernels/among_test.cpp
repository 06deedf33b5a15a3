// Attention among the edges of a row: the reference against finite differences and against a case
// without a say, the fast kernels against the reference on every instruction set, the same bits for
// any number of threads, and rows that do not depend on the other rows.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/among_problem.h"
#include "support/targets.h"

namespace pegnn {
namespace {

using test::expect_near;
using test::expect_same_bits;
using test::for_every_target;
using test::rows_from;
using test::run;
using test::size;
using test::values;
using Shape = test::LabelShape;
template <class T>
using Problem = test::AmongProblem<T>;
template <class T>
using Results = test::AmongResults<T>;

struct Case {
  Shape shape;
  std::int64_t layers, per_head;
};
// Widths that fill vectors and such that do not, heads of one column, edges without a place.
const Case kCases[] = {{{64, 4, 7, 7}, 1, 16}, {{64, 4, 7, 7}, 3, 16}, {{33, 3, 7, 1}, 2, 11},
                       {{1, 1, 1, 1}, 1, 1},   {{48, 2, 0, 5}, 1, 24}, {{17, 13, 5, 9}, 4, 1},
                       {{40, 1, 3, 2}, 2, 40}};

// Rows that fill no tile, one, and more than one, in turn with rows that have none. The work goes
// by the square of a row's edges.
const std::vector<std::int64_t> kDegrees{24, 0, 1, 2, 3, 70, 5, 24, 7, 0, 23, 64, 65, 17};

std::string name_of(const Case& c) {
  return name_of(c.shape) + ", layers " + std::to_string(c.layers);
}

void subtract(std::vector<double>& from, std::uint64_t seed) {
  const auto before = values<double>(static_cast<std::int64_t>(from.size()), seed);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= before[i];
}

TEST(Among, GradientsAreThoseOfFiniteDifferences) {
  for (const std::int64_t layers : {1, 2}) {
    for (const double rate : {0.0, 0.3}) {
      Problem<double> p({5, 2, 4, 2}, {3, 0, 1, 6}, layers, 2, rate);
      const auto loss = [&] {
        const auto r = run(reference::kernels<double>(), p).labels;
        double sum = 0;
        for (std::size_t i = 0; i < r.context.size(); ++i) {
          sum += p.labels.d_context[i] * r.context[i];
        }
        for (std::size_t i = 0; i < r.label.size(); ++i) sum += p.labels.d_label[i] * r.label[i];
        return sum;
      };
      Results<double> r = run(reference::kernels<double>(), p);
      subtract(r.labels.d_edge_map, 9);
      subtract(r.labels.d_source_map, 10);
      subtract(r.d_among, 12);
      test::expect_gradient(loss, p.labels.base, r.labels.d_base, "base");
      test::expect_gradient(loss, p.labels.probe, r.labels.d_probe, "probe");
      test::expect_gradient(loss, p.labels.edge_map, r.labels.d_edge_map, "edge map");
      test::expect_gradient(loss, p.labels.source_map, r.labels.d_source_map, "source map");
      test::expect_gradient(loss, p.among.numbers, r.d_among, "layers");
    }
  }
}

TEST(Among, LayersThatAddNothingChangeNothing) {
  const Shape shape{33, 3, 7, 4};
  for_every_target([&](const char*) {
    Problem<float> p(shape, kDegrees, 2, 11);
    const Among<float> among = p.among.view(p.among.numbers.data());
    for (std::int64_t l = 0; l < 2; ++l) {
      const AmongLayer<float>& layer = among.layer[l];
      std::fill_n(layer.join.data, layer.join.rows * layer.join.cols, 0.0F);
      std::fill_n(layer.correction.data, 33 * 33, 0.0F);
      std::fill_n(layer.correction_bias, 33, 0.0F);
    }
    const Results<float> with = run(cpu::kernels(), p);
    const test::LabelResults<float> without = run(cpu::kernels(), p.labels);
    expect_same_bits(without.context, with.labels.context, "context");
    expect_same_bits(without.label, with.labels.label, "label");
    expect_same_bits(without.shares, with.labels.shares, "shares");
  });
}

// With two neighbours and one column, by hand.
TEST(Among, TwoNeighboursHearEachOtherByTheirDistance) {
  Problem<double> p({1, 1, 3, 1}, {2}, 1, 1);
  p.labels.edges = {0, 0, 0, 3, 0, 4};  // five apart
  constexpr double kCounts = 0.25;      // what the second of them counts
  p.labels.log_weights = {0, std::log(kCounts)};
  p.among.numbers = {0,    0,   1,      // no queries and keys; values are the tokens
                     -0.1, 0.2,         // by distance and by its logarithm
                     1,                 // what is heard is added
                     0,    0,   0, 0};  // no correction
  p.labels.probe = {0};                 // the point listens to both alike
  const double far = std::exp(-0.1 * 5 + 0.2 * std::log(5.001));
  const double near = std::exp(0.2 * std::log(0.001));
  const auto token = [&](std::size_t e) {
    double v = p.labels.base[0];
    for (std::size_t c = 0; c < 3; ++c) v += p.labels.edge_map[c] * p.labels.edges[3 * e + c];
    v += p.labels.source_map[0] * p.labels.source_rows[size(p.labels.columns[e])];
    return v / (1 + std::exp(-v));
  };
  const double a = token(0), b = token(1);
  const double of_a = a + (near * a + far * kCounts * b) / (near + far * kCounts);
  const double of_b = b + (near * kCounts * b + far * a) / (near * kCounts + far);
  const double want = (of_a + kCounts * of_b) / (1 + kCounts);
  EXPECT_NEAR(want, run(reference::kernels<double>(), p).labels.context[0], 1e-14);
}

TEST(Among, FastAgreesWithReference) {
  for (const Case& c : kCases) {
    for (const double rate : {0.0, 0.4}) {
      SCOPED_TRACE(name_of(c) + ", dropout " + std::to_string(rate));
      const auto want = run(reference::kernels<double>(),
                            Problem<double>(c.shape, kDegrees, c.layers, c.per_head, rate));
      for_every_target([&](const char*) {
        const auto got =
            run(cpu::kernels(), Problem<float>(c.shape, kDegrees, c.layers, c.per_head, rate));
        // Sums of `width` products, several of them one after the other, stand in exponents; a
        // sum just above zero in one backend may be just below it in the other.
        const double tolerance = 2e-5;
        expect_near(want.labels.context, got.labels.context, tolerance, "context");
        expect_near(want.labels.label, got.labels.label, tolerance, "label");
        expect_near(want.labels.shares, got.labels.shares, tolerance, "shares");
        expect_near(want.labels.d_base, got.labels.d_base, tolerance, "d_base");
        expect_near(want.labels.d_probe, got.labels.d_probe, tolerance, "d_probe");
        expect_near(want.labels.d_edge_map, got.labels.d_edge_map, tolerance, "d_edge_map");
        expect_near(want.labels.d_source_map, got.labels.d_source_map, tolerance, "d_source_map");
        expect_near(want.d_among, got.d_among, tolerance, "layers");
      });
    }
  }
}

TEST(Among, ThreadsDoNotChangeABit) {
  std::vector<std::int64_t> degrees(700);
  for (std::size_t i = 0; i < degrees.size(); ++i) degrees[i] = static_cast<std::int64_t>(i % 9);
  for_every_target([&](const char*) {
    const Problem<float> p({33, 3, 3, 2}, degrees, 2, 11, 0.4);
    const Results<float> one = run(cpu::kernels(), p, 1);
    for (const int threads : {2, 3}) {
      const Results<float> more = run(cpu::kernels(), p, threads);
      expect_same_bits(one.labels, more.labels);
      expect_same_bits(one.d_among, more.d_among, "layers");
    }
  });
}

TEST(Among, ARowDoesNotDependOnTheOtherRowsNorOnWhatIsKept) {
  for_every_target([&](const char*) {
    for (const Case& c : kCases) {
      SCOPED_TRACE(name_of(c));
      const Shape& shape = c.shape;
      const Problem<float> whole(shape, kDegrees, c.layers, c.per_head);
      const Results<float> all = run(cpu::kernels(), whole);
      for (const std::int64_t first : {1, 2, 5, 9}) {
        Problem<float> p(shape, {kDegrees.begin() + first, kDegrees.end()}, c.layers, c.per_head);
        const std::int64_t before = whole.labels.offsets[size(first)];
        p.labels.columns.assign(whole.labels.columns.begin() + before, whole.labels.columns.end());
        p.labels.edges = rows_from(whole.labels.edges, before, shape.edge_inputs);
        p.labels.log_weights = rows_from(whole.labels.log_weights, before, 1);
        p.labels.base = rows_from(whole.labels.base, first, shape.width);
        p.labels.probe = rows_from(whole.labels.probe, first, shape.heads * shape.width);
        const Results<float> some = run(cpu::kernels(), p, 1, false);
        const std::int64_t wide = shape.heads * shape.width;
        expect_same_bits(rows_from(all.labels.context, first, wide), some.labels.context,
                         "context");
        expect_same_bits(rows_from(all.labels.label, first, shape.heads), some.labels.label,
                         "label");
      }
    }
  });
}

TEST(Among, NoQueriesAreNoWork) {
  for_every_target([&](const char*) {
    const Results<float> none = run(cpu::kernels(), Problem<float>({16, 1, 3, 2}, {}, 1, 16));
    expect_same_bits(values<float>(static_cast<std::int64_t>(none.d_among.size()), 12),
                     none.d_among, "layers");
    const Results<float> empty = run(cpu::kernels(), Problem<float>({16, 1, 3, 2}, {0, 0}, 1, 16));
    EXPECT_EQ(std::vector<float>(empty.labels.context.size()), empty.labels.context);
    EXPECT_EQ(std::vector<float>(empty.labels.d_base.size()), empty.labels.d_base);
    EXPECT_EQ(std::vector<float>(empty.labels.d_probe.size()), empty.labels.d_probe);
  });
}

}  // namespace
}  // namespace pegnn
