// Label attention: where training starts, what a point depends on, and that labels are heard.

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "support/gradient.h"
#include "support/graphs.h"

namespace pegnn {
namespace {

constexpr std::int64_t kPoints = 5, kSources = 7, kNeighbours = 3, kFeatures = 2;

// A backbone in double with its inputs, at the weights training starts from.
class Bench {
 public:
  explicit Bench(bool smoothed, std::int64_t encoder = 0, std::int64_t among = 0)
      : spec_{.in = encoder + kFeatures + kLabelInputs,
              .width = 4,
              .heads = 2,
              .encoder = encoder,
              .features = kFeatures,
              .part = {{"among", among}, {"smoother", smoothed ? "kriging" : "none"}}},
        backbone_(make_backbone<double>("label_attention", spec_)) {
    backbone_->plan({layout_, plan_, "b"});
    head_ = layout_.add("head.weight", 1, backbone_->width());
    bias_ = layout_.add("head.bias", 1, 1);
    parameters.resize(layout_.size());
    Initialiser<double> init(3, parameters.span());
    backbone_->initialise(init);
    init.uniform(head_, 1);
    init.uniform(bias_, 1);
    backbone_->start_head(init, head_, bias_);
    graph = test::random_graph(kPoints, kNeighbours, 2);
    x = test::random_values(static_cast<std::size_t>(kPoints * spec_.in), 4);
    sources = test::random_values(kSources * (kFeatures + 1), 5);
    edges = test::random_values(static_cast<std::size_t>(graph.edges() * kEdgeInputs), 6);
  }

  // What a linear head makes of the embedding.
  std::vector<double> predict() {
    work_.reserve(best_backend<double>(pool_), plan_, kPoints, graph.edges(), false);
    std::vector<double> h(static_cast<std::size_t>(kPoints * backbone_->width()));
    const Pass<double> pass{.kernels = reference::kernels<double>(),
                            .schedule = schedule_,
                            .work = work_,
                            .parameters = parameters.data()};
    backbone_->forward(
        pass,
        {graph,
         {x.data(), kPoints, spec_.in},
         {{sources.data(), kSources, kFeatures + 1}, {edges.data(), graph.edges(), kEdgeInputs}}},
        {h.data(), kPoints, backbone_->width()});
    schedule_.run();
    std::vector<double> predicted;
    for (std::int64_t i = 0; i < kPoints; ++i) {
      double sum = parameters[bias_.offset];
      for (std::int64_t c = 0; c < backbone_->width(); ++c) {
        sum +=
            parameters[head_.offset + c] * h[static_cast<std::size_t>(i * backbone_->width() + c)];
      }
      predicted.push_back(sum);
    }
    return predicted;
  }

  double& input(std::int64_t point, std::int64_t column) {
    return x[static_cast<std::size_t>(point * spec_.in + column)];
  }
  // Moves all weights, so that what begins at zero has a say.
  void stir() {
    const std::vector<double> noise =
        test::random_values(static_cast<std::size_t>(parameters.size()), 9);
    for (std::int64_t p = 0; p < parameters.size(); ++p) {
      parameters[p] += 0.5 * noise[static_cast<std::size_t>(p)];
    }
  }
  double& label(std::int64_t source) {
    return sources[static_cast<std::size_t>(source * (kFeatures + 1) + kFeatures)];
  }

  Graph graph;
  std::vector<double> x, sources, edges;
  AlignedBuffer<double> parameters;

 private:
  BackboneSpec spec_;
  std::unique_ptr<Backbone<double>> backbone_;
  ParamLayout layout_;
  WorkPlan plan_;
  Workspace<double> work_;
  ThreadPool pool_{1};
  Schedule schedule_{pool_};
  ParamSlot head_, bias_;
};

TEST(LabelAttention, StartsAsItsSmoother) {
  Bench bench(true);
  const std::vector<double> predicted = bench.predict();
  for (std::int64_t i = 0; i < kPoints; ++i) {
    EXPECT_EQ(bench.input(i, kFeatures), predicted[static_cast<std::size_t>(i)]);
  }
}

TEST(LabelAttention, StartsAsAMeanOfLabelsWithoutASmoother) {
  Bench bench(false);
  for (std::int64_t j = 0; j < kSources; ++j) bench.label(j) = 3;
  const std::vector<double> predicted = bench.predict();
  // The last point of the graph has no neighbours.
  for (std::size_t i = 0; i + 1 < predicted.size(); ++i) EXPECT_NEAR(3, predicted[i], 1e-12);
  EXPECT_EQ(0, predicted.back());
}

TEST(LabelAttention, TheEncoderSaysNothingAtFirst) {
  Bench bench(false, 3);
  const std::vector<double> before = bench.predict();
  for (std::int64_t c = 0; c < 3; ++c) bench.input(0, c) += 1;
  EXPECT_EQ(before, bench.predict());
}

TEST(LabelAttention, APointHearsItsNeighboursAlone) {
  for (const std::int64_t among : {0, 2}) {
    Bench bench(false, 0, among);
    bench.stir();
    const std::vector<double> before = bench.predict();
    const std::int32_t heard = bench.graph.columns[0];
    bench.label(heard) += 1;
    const std::vector<double> after = bench.predict();
    for (std::size_t i = 0; i < before.size(); ++i) {
      bool neighbour = false;
      for (auto e = bench.graph.offsets[i]; e < bench.graph.offsets[i + 1]; ++e) {
        neighbour = neighbour || bench.graph.columns[static_cast<std::size_t>(e)] == heard;
      }
      EXPECT_EQ(neighbour, before[i] != after[i]);
    }
  }
}

TEST(LabelAttention, LayersAmongTheNeighboursSayNothingAtFirst) {
  Bench without(false), with(false, 0, 2);
  EXPECT_EQ(without.predict(), with.predict());
  with.stir();
  without.stir();
  EXPECT_NE(without.predict(), with.predict());
}

TEST(LabelAttention, TheOrderOfNeighboursPlaysNoPart) {
  for (const std::int64_t among : {0, 2}) {
    Bench bench(false, 0, among);
    bench.stir();
    const std::vector<double> before = bench.predict();
    std::swap(bench.graph.columns[0], bench.graph.columns[2]);
    std::swap_ranges(bench.edges.begin(), bench.edges.begin() + kEdgeInputs,
                     bench.edges.begin() + 2 * kEdgeInputs);
    const std::vector<double> after = bench.predict();
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i], after[i], 1e-12);
  }
}

}  // namespace
}  // namespace pegnn
