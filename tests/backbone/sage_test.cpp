#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "support/bare_layer.h"
#include "support/graphs.h"

namespace pegnn {
namespace {

using test::BareLayer;

// 0 hears 1 and 2, 1 hears 0, 2 hears no one.
const std::vector<test::TestEdge> kEdges = {{0, 1, 0.9}, {0, 2, 0.1}, {1, 0, 0.5}};

TEST(Sage, AddsTheMeanOfTheNeighboursToThePointEachWithItsOwnWeight) {
  const Graph graph = test::make_graph(3, kEdges);
  BareLayer sage("sage", {.in = 1, .width = 1}, graph);
  sage.set("weight", {2.0, 10.0});  // neighbours, itself
  sage.set("bias", {0.5});
  const std::vector<double> y = sage.forward({1.0, 3.0, 7.0});
  EXPECT_NEAR(2 * (3.0 + 7.0) / 2 + 10 * 1.0 + 0.5, y[0], 1e-14) << "edge weights play no part";
  EXPECT_NEAR(2 * 1.0 + 10 * 3.0 + 0.5, y[1], 1e-14);
  EXPECT_NEAR(10 * 7.0 + 0.5, y[2], 1e-14) << "no edges: its neighbours count as zero";
}

TEST(Sage, TakesTheLargestOfEveryColumn) {
  const Graph graph = test::make_graph(3, kEdges);
  BareLayer sage("sage", {.in = 2, .width = 1, .part = {{"aggregation", "max"}}}, graph);
  sage.set("weight", {1.0, 100.0, 0.0, 0.0});
  const std::vector<double> y = sage.forward({1.0, -1.0, 3.0, -9.0, 7.0, -20.0});
  EXPECT_NEAR(7.0 + 100 * -9.0, y[0], 1e-12) << "of different neighbours, and negative ones too";
  EXPECT_NEAR(1.0 + 100 * -1.0, y[1], 1e-12);
  EXPECT_EQ(0.0, y[2]) << "no edges";
}

TEST(Sage, TheGradientOfTheLargestGoesToTheNeighbourThatHasIt) {
  const Graph graph = test::make_graph(4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}});
  BareLayer sage("sage", {.in = 1, .width = 1, .part = {{"aggregation", "max"}}}, graph);
  sage.set("weight", {1.0, 0.0});
  sage.forward({0.0, 2.0, 9.0, -1.0});
  EXPECT_EQ((std::vector<double>{0, 0, 6, 0}), sage.backward({6.0, 1.0, 1.0, 1.0}));
}

TEST(Sage, NeighboursThatAreTheLargestTogetherShareTheGradientEvenly) {
  const Graph graph = test::make_graph(4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}});
  const Graph reordered = test::make_graph(4, {{0, 3, 1}, {0, 2, 1}, {0, 1, 1}});
  for (const Graph* g : {&graph, &reordered}) {
    BareLayer sage("sage", {.in = 1, .width = 1, .part = {{"aggregation", "max"}}}, *g);
    sage.set("weight", {1.0, 0.0});
    sage.forward({0.0, 5.0, 5.0, 1.0});
    EXPECT_EQ((std::vector<double>{0, 3, 3, 0}), sage.backward({6.0, 0.0, 0.0, 0.0}));
  }
}

TEST(Sage, StartsAsPyTorchsLinearDoes) {
  const auto sage = make_backbone<float>("sage", {.in = 16, .width = 8, .layers = 1});
  ParamLayout layout;
  WorkPlan plan;
  sage->plan({layout, plan, "sage"});
  std::vector<float> parameters(static_cast<std::size_t>(layout.size()));
  Initialiser<float> init(1, parameters);
  sage->initialise(init);
  for (const NamedParam& p : layout.entries()) {
    double largest = 0;
    for (std::int64_t e = 0; e < p.slot.size(); ++e) {
      const float v = parameters[static_cast<std::size_t>(p.slot.offset + e)];
      largest = std::max(largest, std::abs(static_cast<double>(v)));
    }
    EXPECT_LE(largest, 1 / std::sqrt(16.0)) << p.name;
    EXPECT_GE(largest, 0.6 / std::sqrt(16.0)) << p.name;
  }
}

TEST(Sage, ReachesAsManyHopsAsItHasLayers) {
  EXPECT_EQ(3, make_backbone<float>("sage", {.in = 1, .layers = 3})->hops());
}

}  // namespace
}  // namespace pegnn
