// The fast kernels against the reference kernels in double, for drawn shapes, on every instruction
// set of this machine; and the same bits on one thread and on several.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "fuzz.h"
#include "kernels/among_problem.h"
#include "support/graphs.h"
#include "support/targets.h"

namespace pegnn::fuzz {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

// Numbers in [-1, 1) go in; sums of them in float differ in the last digits of the largest.
constexpr double kTolerance = 5e-5;

void must_agree(const Doubles& want, const Floats& got, std::string_view what) {
  must(want.size() == got.size(), what);
  double scale = 1;
  for (const double v : want) scale = std::max(scale, std::abs(v));
  for (std::size_t i = 0; i < want.size(); ++i) {
    must(std::abs(want[i] - static_cast<double>(got[i])) <= kTolerance * scale, what,
         std::to_string(want[i]) + " and " + std::to_string(got[i]));
  }
}
// In every bit, NaN included.
void must_be_equal(const Floats& a, const Floats& b, std::string_view what) {
  must(a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0),
       what);
}

// One problem, done by one backend: `run` fills vectors of results in an order of its own.
template <class Run>
void compare(const Run& run, std::string_view what) {
  const std::vector<Doubles> want = run(reference::kernels<double>(), 1);
  test::for_every_target([&](const char*) {
    const std::vector<Floats> one = run(cpu::kernels(), 1), three = run(cpu::kernels(), 3);
    must(want.size() == one.size(), what);
    for (std::size_t r = 0; r < want.size(); ++r) {
      must_agree(want[r], one[r], what);
      must_be_equal(one[r], three[r], what);
    }
  });
}

Dropout draw_dropout(Bytes& bytes) {
  const double rate = bytes.ConsumeIntegral<std::uint8_t>() / 300.0;
  return {.rate = rate < 0.1 ? 0 : rate,
          .seed = bytes.ConsumeIntegral<std::uint16_t>(),
          .step = 3,
          .layer = 1};
}

void check_linear(Bytes& bytes) {
  const std::int64_t rows = bytes.ConsumeIntegralInRange<std::int64_t>(0, 300);
  const std::int64_t in = bytes.ConsumeIntegralInRange<std::int64_t>(1, 140);
  const std::int64_t out = bytes.ConsumeIntegralInRange<std::int64_t>(1, 140);
  const auto activation = static_cast<Activation>(bytes.ConsumeIntegralInRange(0, 3));
  const Dropout dropout = draw_dropout(bytes);
  const bool add = bytes.ConsumeBool();
  // At a kink the two may stand on different sides, where their gradients are rightly different.
  const bool backward = activation != Activation::relu;
  compare(
      [&]<class T>(const Kernels<T>& kernels, int threads) {
        const ThreadPool pool(threads);
        Schedule schedule(pool);
        const auto x = test::values<T>(rows * in, 1), w = test::values<T>(out * in, 2);
        const auto bias = test::values<T>(out, 3);
        auto dy = test::values<T>(rows * out, 4);
        std::vector<std::vector<T>> r{std::vector<T>(test::size(rows * out)),
                                      test::values<T>(rows * in, 5), test::values<T>(out * in, 6),
                                      test::values<T>(out, 7)};
        const Epilogue<T> epilogue{bias.data(), activation, dropout};
        const Mat<const T> xm(x.data(), rows, in), wm(w.data(), out, in);
        const Mat<T> ym(r[0].data(), rows, out);
        kernels.linear(schedule, xm, wm, epilogue, ym);
        if (backward) {
          kernels.linear_backward(schedule, xm, wm, ym, epilogue, {dy.data(), rows, out},
                                  {r[1].data(), rows, in}, add, {r[2].data(), out, in},
                                  r[3].data());
        }
        schedule.run();
        return r;
      },
      "the fast linear layer agrees with the plain one");
}

void check_neighbours(Bytes& bytes) {
  const std::int64_t nodes = bytes.ConsumeIntegralInRange<std::int64_t>(0, 300);
  const std::int64_t degree = bytes.ConsumeIntegralInRange<std::int64_t>(1, 12);
  const std::int64_t width = bytes.ConsumeIntegralInRange<std::int64_t>(1, 100);
  const Graph graph = test::random_graph(nodes, degree, bytes.ConsumeIntegral<std::uint16_t>());
  const Dropout dropout = draw_dropout(bytes);
  const bool weighted = bytes.ConsumeBool();
  compare(
      [&]<class T>(const Kernels<T>& kernels, int threads) {
        const ThreadPool pool(threads);
        Schedule schedule(pool);
        const auto x = test::values<T>(nodes * width, 1), bias = test::values<T>(width, 2);
        const auto self = test::values<T>(nodes, 3);
        const std::vector<T> weights(graph.weights.begin(), graph.weights.end());
        std::vector<std::vector<T>> r(2, std::vector<T>(x.size()));
        const Mat<const T> xm(x.data(), nodes, width);
        kernels.aggregate(schedule, graph.csr(), weighted ? weights.data() : nullptr,
                          weighted ? self.data() : nullptr, xm,
                          {bias.data(), Activation::tanh, dropout}, {r[0].data(), nodes, width});
        kernels.aggregate_max(schedule, graph.csr(), xm, {r[1].data(), nodes, width});
        schedule.run();
        return r;
      },
      "fast sums over neighbours agree with the plain ones");
}

std::vector<std::int64_t> draw_degrees(Bytes& bytes) {
  std::vector<std::int64_t> degrees(bytes.ConsumeIntegral<std::uint8_t>() % 20U);
  for (std::int64_t& degree : degrees) degree = bytes.ConsumeIntegral<std::uint8_t>() % 80;
  return degrees;
}

test::LabelShape draw_shape(Bytes& bytes) {
  return {.width = bytes.ConsumeIntegralInRange<std::int64_t>(1, 100),
          .heads = bytes.ConsumeIntegralInRange<std::int64_t>(1, 9),
          .edge_inputs = bytes.ConsumeIntegralInRange<std::int64_t>(0, 9),
          .source_inputs = bytes.ConsumeIntegralInRange<std::int64_t>(1, 40)};
}

template <class T>
std::vector<std::vector<T>> listed(test::LabelResults<T> r) {
  return {r.context, r.label, r.shares, r.d_base, r.d_probe, r.d_edge_map, r.d_source_map};
}

void check_labels(Bytes& bytes) {
  const test::LabelShape shape = draw_shape(bytes);
  const double rate = draw_dropout(bytes).rate;
  const std::vector<std::int64_t> degrees = draw_degrees(bytes);
  compare(
      [&]<class T>(const Kernels<T>& kernels, int threads) {
        return listed(test::run(kernels, test::LabelProblem<T>(shape, degrees, rate), threads));
      },
      "fast attention to labels agrees with the plain one");
}

// Only forwards: gradients among neighbours have kinks.
void check_among(Bytes& bytes) {
  const test::LabelShape shape = draw_shape(bytes);
  const std::int64_t layers = bytes.ConsumeIntegralInRange<std::int64_t>(1, 3);
  const std::int64_t per_head = bytes.ConsumeIntegralInRange<std::int64_t>(1, 20);
  const std::vector<std::int64_t> degrees = draw_degrees(bytes);
  compare(
      [&]<class T>(const Kernels<T>& kernels, int threads) {
        const auto r = test::run(kernels, test::AmongProblem<T>(shape, degrees, layers, per_head),
                                 threads, false);
        return std::vector<std::vector<T>>{r.labels.context, r.labels.label};
      },
      "fast attention among neighbours agrees with the plain one");
}

void check(Bytes bytes) {
  switch (bytes.ConsumeIntegral<std::uint8_t>() % 4) {
    case 0:
      return check_linear(bytes);
    case 1:
      return check_neighbours(bytes);
    case 2:
      return check_labels(bytes);
    default:
      return check_among(bytes);
  }
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({data, size});
  return 0;
}
