// What must hold for every backbone in backbones.def, with no line added per backbone.

#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "support/gradient.h"
#include "support/graphs.h"
#include "support/labelled.h"

namespace pegnn {
namespace {

// A backbone on a graph with inputs; some parameters are moved away from zero.
template <class T>
class Bench {
 public:
  Bench(const BackboneEntry& entry, const BackboneSpec& given, const Graph& graph,
        const std::vector<double>& inputs, int threads = 1)
      : x(inputs.begin(), inputs.end()),
        pool(threads),
        graph_(graph),
        in_(given.in),
        labelled_(graph, test::with_columns(given), x_mat()) {
    const BackboneSpec spec = test::with_columns(given);
    if constexpr (std::is_same_v<T, float>) {
      backbone = entry.make_float(spec);
    } else {
      backbone = entry.make_double(spec);
    }
    backbone->plan({layout, plan, "b"});
    work.reserve(best_backend<T>(pool), plan, graph.nodes, graph.edges(), true);
    parameters.resize(layout.size());
    gradients.resize(layout.size());
    Initialiser<T> init(5, parameters.span());
    backbone->initialise(init);
    // Biases start at zero; move them, so that their gradients are tested away from it.
    const std::vector<double> noise =
        test::random_values(static_cast<std::size_t>(layout.size()), 8);
    for (std::int64_t i = 0; i < layout.size(); ++i) {
      parameters[i] += static_cast<T>(0.1 * noise[static_cast<std::size_t>(i)]);
    }
  }

  Pass<T> pass(bool training) {
    return {.kernels = best_kernels<T>(),
            .schedule = schedule,
            .work = work,
            .parameters = parameters.data(),
            .gradients = gradients.data(),
            .training = training,
            .seed = 3,
            .step = 4};
  }

  std::vector<T> forward(bool training = false) {
    std::vector<T> h(static_cast<std::size_t>(graph_.nodes * backbone->width()));
    backbone->forward(pass(training), input(), embedding(h));
    schedule.run();
    return h;
  }

  // Leaves the gradients of the parameters in `gradients` and that of the input in dx, if it is
  // wanted.
  void backward(std::vector<T>& h, std::vector<T> dh, std::vector<T>* dx, bool training) {
    gradients.fill(0);
    backbone->backward(pass(training), input(), embedding(h), embedding(dh),
                       dx != nullptr ? Mat<T>(dx->data(), graph_.nodes, in_) : Mat<T>());
    schedule.run();
  }

  std::vector<T> x;
  ThreadPool pool;
  Schedule schedule{pool};
  std::unique_ptr<Backbone<T>> backbone;
  ParamLayout layout;
  WorkPlan plan;
  Workspace<T> work;
  AlignedBuffer<T> parameters, gradients;

 private:
  Mat<T> x_mat() { return {x.data(), graph_.nodes, in_}; }
  Mat<T> embedding(std::vector<T>& h) { return {h.data(), graph_.nodes, backbone->width()}; }
  BackboneInput<T> input() { return {graph_, x_mat(), labelled_.labelled()}; }

  const Graph& graph_;
  std::int64_t in_;
  test::LabelledNodes<T> labelled_;
};

std::vector<double> inputs_for(const Graph& graph, std::int64_t in) {
  return test::random_values(static_cast<std::size_t>(graph.nodes * in), 2);
}

class EveryBackbone : public testing::TestWithParam<const BackboneEntry*> {};

INSTANTIATE_TEST_SUITE_P(Registered, EveryBackbone, testing::ValuesIn(backbones()),
                         [](const auto& p) { return std::string(p.param->info.name); });

TEST_P(EveryBackbone, SaysWhatItIs) {
  EXPECT_FALSE(GetParam()->info.summary.empty());
  EXPECT_FALSE(GetParam()->info.source.empty());
}

// Besides the plain spec: what attention and aggregation can be told. Parts that have neither
// ignore it.
struct Variant {
  const char* name;
  std::int64_t heads;
  PartOptions part = {};

  BackboneSpec of(BackboneSpec spec) const {
    spec.heads = heads;
    spec.part = part;
    return spec;
  }
};
const Variant kVariants[] = {{"plain", 1},
                             {"two heads that see edge weights", 2, {{"edge-attention", true}}},
                             {"largest of the neighbours", 1, {{"aggregation", "max"}}},
                             {"a layer among the neighbours", 1, {{"among", 1}}},
                             {"two heads and two layers among them", 2, {{"among", 2}}}};

void expect_gradients(const BackboneEntry& entry, const BackboneSpec& spec, const Graph& graph) {
  Bench<double> bench(entry, spec, graph, inputs_for(graph, spec.in));
  std::vector<double> h = bench.forward(true);
  const std::vector<double> r = test::random_values(h.size(), 3);
  const auto loss = [&] {
    const std::vector<double> now = bench.forward(true);
    return std::inner_product(now.begin(), now.end(), r.begin(), 0.0);
  };
  std::vector<double> dx(bench.x.size(), 99.0);  // must be overwritten
  // A first backward leaves its traces in the work memory; the second must not see them.
  for (int run = 0; run < 2; ++run) bench.backward(h, r, &dx, true);
  const std::vector<double> gradients(bench.gradients.span().begin(), bench.gradients.span().end());
  test::expect_gradient(loss, bench.x, dx, "input");
  for (const NamedParam& p : bench.layout.entries()) {
    const auto at = static_cast<std::size_t>(p.slot.offset);
    const auto size = static_cast<std::size_t>(p.slot.size());
    test::expect_gradient(loss, bench.parameters.span().subspan(at, size),
                          std::span(gradients).subspan(at, size), p.name);
  }
}

TEST_P(EveryBackbone, GradientsAgreeWithFiniteDifferences) {
  // The last node has no edges. tanh is smooth, ReLU is not: both with dropout, whose mask is fixed
  // by its key.
  const Graph graph = test::random_graph(9, 3, 1);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    for (const Activation activation : {Activation::tanh, Activation::relu}) {
      expect_gradients(
          *GetParam(),
          variant.of({.in = 4, .width = 6, .layers = 2, .dropout = 0.3, .activation = activation}),
          graph);
    }
  }
}

TEST_P(EveryBackbone, GradientsOfParametersDoNotNeedThatOfTheInput) {
  const Graph graph = test::random_graph(9, 3, 1);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    Bench<double> bench(*GetParam(), variant.of({.in = 4, .width = 6, .layers = 2}), graph,
                        inputs_for(graph, 4));
    std::vector<double> h = bench.forward(), dx(bench.x.size()), gradients[2];
    for (const bool wanted : {false, true}) {
      bench.backward(h, std::vector<double>(h.size(), 1.0), wanted ? &dx : nullptr, false);
      gradients[wanted ? 1 : 0].assign(bench.gradients.span().begin(),
                                       bench.gradients.span().end());
    }
    EXPECT_EQ(gradients[0], gradients[1]);
  }
}

TEST_P(EveryBackbone, RenumberingTheNodesRenumbersTheResult) {
  const Graph graph = test::random_graph(30, 4, 1);
  std::vector<std::int32_t> to(30);
  std::iota(to.begin(), to.end(), 0);
  shuffle(to.data(), 30, Rng{1, Stream::sample}, 0);
  std::vector<test::TestEdge> edges;
  for (std::int64_t i = 0; i < 30; ++i) {
    for (auto e = graph.offsets[static_cast<std::size_t>(i)];
         e < graph.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      edges.push_back({to[static_cast<std::size_t>(i)],
                       to[static_cast<std::size_t>(graph.columns[at])], graph.weights[at]});
    }
  }
  const Graph renumbered = test::make_graph(30, edges);
  const BackboneSpec spec{.in = 4, .width = 6, .layers = 2};
  const std::vector<double> x = inputs_for(graph, 4);
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < 30; ++i) {
    std::copy_n(x.data() + i * 4, 4, y.data() + static_cast<std::size_t>(to[i]) * 4);
  }
  Bench<double> a(*GetParam(), spec, graph, x), b(*GetParam(), spec, renumbered, y);
  const std::vector<double> ha = a.forward(), hb = b.forward();
  const std::size_t width = ha.size() / 30;
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t c = 0; c < width; ++c) {
      EXPECT_NEAR(ha[i * width + c], hb[static_cast<std::size_t>(to[i]) * width + c], 1e-12);
    }
  }
}

TEST_P(EveryBackbone, APointWithoutEdgesDependsOnItselfAlone) {
  const BackboneSpec spec{.in = 3, .width = 4, .layers = 2};
  const Graph alone = test::make_graph(1, {});
  const Graph among = test::make_graph(3, {{0, 1, 0.5}, {1, 0, 0.25}});
  const std::vector<double> x = inputs_for(among, 3);
  Bench<double> a(*GetParam(), spec, alone, {x.begin() + 6, x.end()});
  Bench<double> b(*GetParam(), spec, among, x);
  const std::vector<double> ha = a.forward(), hb = b.forward();
  for (std::size_t c = 0; c < ha.size(); ++c) {
    EXPECT_TRUE(std::isfinite(ha[c]));
    EXPECT_NEAR(ha[c], hb[2 * ha.size() + c], 1e-14);
  }
}

TEST_P(EveryBackbone, AnEmptyGraphIsNoTrouble) {
  const Graph empty = test::make_graph(0, {});
  Bench<float> bench(*GetParam(), {.in = 3, .width = 4}, empty, {});
  EXPECT_TRUE(bench.forward(true).empty());
}

TEST_P(EveryBackbone, FastKernelsGiveTheSameBitsForAnyNumberOfThreadsAndAgreeWithDouble) {
  const Graph graph = test::random_graph(1500, 5, 4);
  const std::vector<double> x = inputs_for(graph, 37);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    const BackboneSpec spec = variant.of({.in = 37, .width = 32, .layers = 2, .dropout = 0.5});
    Bench<double> exact(*GetParam(), spec, graph, x);
    const std::vector<double> want = exact.forward(true);
    std::vector<float> first, first_gradients;
    for (const int threads : {1, 2, 3}) {
      Bench<float> bench(*GetParam(), spec, graph, x, threads);
      std::vector<float> h = bench.forward(true), dx(x.size());
      bench.backward(h, std::vector<float>(h.size(), 1.0F), &dx, true);
      std::vector<float> gradients(bench.gradients.span().begin(), bench.gradients.span().end());
      gradients.insert(gradients.end(), dx.begin(), dx.end());
      if (threads == 1) {
        first = h;
        first_gradients = gradients;
        for (std::size_t i = 0; i < h.size(); ++i) ASSERT_NEAR(want[i], h[i], 1e-4);
      }
      EXPECT_EQ(0, std::memcmp(first.data(), h.data(), h.size() * sizeof(float)));
      EXPECT_EQ(0, std::memcmp(first_gradients.data(), gradients.data(),
                               gradients.size() * sizeof(float)));
    }
  }
}

}  // namespace
}  // namespace pegnn
