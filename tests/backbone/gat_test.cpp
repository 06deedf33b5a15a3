#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "pegnn/error.h"
#include "support/bare_layer.h"
#include "support/graphs.h"

namespace pegnn {
namespace {

using test::BareLayer;

double leaky(double v) { return v > 0 ? v : 0.2 * v; }

// One column on three nodes: 0 hears 1 and 2, 1 hears 0, 2 hears no one.
const std::vector<test::TestEdge> kEdges = {{0, 1, 0.9}, {0, 2, 0.3}, {1, 0, 0.5}};

TEST(Gat, WeighsNeighboursAndItselfByTheSoftmaxOfTheirLogits) {
  const Graph graph = test::make_graph(3, kEdges);
  BareLayer gat("gat", {.in = 1, .width = 1}, graph);
  gat.set("weight", {2.0});
  gat.set("attention_source", {0.5});
  gat.set("attention_target", {-1.0});
  gat.set("bias", {0.1});
  const std::vector<double> y = gat.forward({1.0, -0.5, 3.0});
  // t = 2, -1, 6: the logits of node 0 are those of 1 - 2, -0.5 - 2 and 3 - 2, those of node 1 are
  // those of -0.5 + 1 and 1 + 1.
  const double own0 = std::exp(leaky(-1.0)), from1 = std::exp(leaky(-2.5)), from2 = std::exp(1.0);
  EXPECT_NEAR((own0 * 2 + from1 * -1 + from2 * 6) / (own0 + from1 + from2) + 0.1, y[0], 1e-14);
  const double own1 = std::exp(0.5), from0 = std::exp(2.0);
  EXPECT_NEAR((own1 * -1 + from0 * 2) / (own1 + from0) + 0.1, y[1], 1e-14);
  EXPECT_NEAR(6.0 + 0.1, y[2], 1e-14) << "no edges: it attends to itself alone";
}

TEST(Gat, EqualLogitsGiveEqualShares) {
  const Graph graph = test::make_graph(3, kEdges);
  BareLayer gat("gat", {.in = 2, .width = 2}, graph);
  gat.set("weight", {1.0, 0.0, 0.0, 1.0});
  gat.set("attention_source", {0.7, 0.0});  // looks at the first column, the same for all
  gat.set("attention_target", {0.4, 0.0});
  const std::vector<double> y = gat.forward({5.0, 1.0, 5.0, 2.0, 5.0, 6.0});
  EXPECT_NEAR((1.0 + 2.0 + 6.0) / 3, y[1], 1e-14) << "1 / (k + 1) each";
  EXPECT_NEAR((2.0 + 1.0) / 2, y[3], 1e-14);
}

TEST(Gat, EdgeAttentionSeesTheWeightsAndTheirMeanOnTheSelfLoop) {
  const Graph graph = test::make_graph(3, kEdges);
  BareLayer gat("gat", {.in = 1, .width = 1, .part = {{"edge-attention", true}}}, graph);
  gat.set("weight", {1.0});
  gat.set("attention_edge", {2.0});
  gat.set("edge_weight", {1.5});
  const std::vector<double> y = gat.forward({1.0, 10.0, 100.0});
  // Without source and target the logit of an edge is three times its weight.
  const double own = std::exp(3 * 0.6), from1 = std::exp(3 * 0.9), from2 = std::exp(3 * 0.3);
  EXPECT_NEAR((own * 1 + from1 * 10 + from2 * 100) / (own + from1 + from2), y[0], 1e-12);
  EXPECT_NEAR((10.0 + 1.0) / 2, y[1], 1e-12) << "one edge: its mean is its own weight";
  EXPECT_NEAR(100.0, y[2], 1e-12) << "no edges";
}

TEST(Gat, EveryHeadAttendsForItself) {
  const Graph graph = test::make_graph(3, kEdges);
  const std::vector<double> x = {1.0, -0.5, 3.0};
  BareLayer both("gat", {.in = 1, .width = 2, .heads = 2}, graph);
  both.set("weight", {2.0, -3.0});
  both.set("attention_source", {0.5, 0.2});
  both.set("attention_target", {-1.0, 0.6});
  const std::vector<double> y = both.forward(x);
  const double weight[2] = {2.0, -3.0}, source[2] = {0.5, 0.2}, target[2] = {-1.0, 0.6};
  for (std::size_t h = 0; h < 2; ++h) {
    BareLayer one("gat", {.in = 1, .width = 1}, graph);
    one.set("weight", {weight[h]});
    one.set("attention_source", {source[h]});
    one.set("attention_target", {target[h]});
    const std::vector<double> alone = one.forward(x);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(alone[i], y[2 * i + h], 1e-14);
  }
}

TEST(Gat, LargeLogitsStayFinite) {
  const Graph graph = test::make_graph(3, kEdges);
  BareLayer gat("gat", {.in = 1, .width = 1}, graph);
  gat.set("weight", {1.0});
  gat.set("attention_source", {1e6});
  const std::vector<double> y = gat.forward({1.0, 2.0, 3.0});
  EXPECT_EQ(3.0, y[0]) << "all attention on the largest";
  const std::vector<double> dx = gat.backward({1.0, 1.0, 1.0});
  for (const double g : dx) EXPECT_TRUE(std::isfinite(g));
}

TEST(Gat, AWidthThatTheHeadsCannotShareIsAnError) {
  const auto message = [](std::int64_t width, std::int64_t heads) {
    try {
      make_backbone<float>("gat", {.in = 3, .width = width, .heads = heads});
    } catch (const Error& error) {
      EXPECT_EQ(ErrorKind::usage, error.kind());
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(
      "gat cannot share a width of 32 among 5 heads: take --width 30 or 35, or --heads that divide "
      "the width",
      message(32, 5));
  EXPECT_NE(std::string::npos, message(3, 8).find("take --width 8,"));
  EXPECT_EQ("", message(32, 8));
}

TEST(Gat, StartsFromGlorotsLimitsAndNoBias) {
  const auto gat = make_backbone<float>("gat", {.in = 6, .width = 8, .layers = 1, .heads = 2});
  ParamLayout layout;
  WorkPlan plan;
  gat->plan({layout, plan, "gat"});
  std::vector<float> parameters(static_cast<std::size_t>(layout.size()),
                                std::numeric_limits<float>::quiet_NaN());
  Initialiser<float> init(1, parameters);
  gat->initialise(init);
  for (const NamedParam& p : layout.entries()) {
    double largest = 0;
    for (std::int64_t e = 0; e < p.slot.size(); ++e) {
      const float v = parameters[static_cast<std::size_t>(p.slot.offset + e)];
      ASSERT_TRUE(std::isfinite(v)) << p.name;
      largest = std::max(largest, std::abs(static_cast<double>(v)));
    }
    // PyTorch Geometric takes an attention vector for a matrix of heads x columns, here 2 x 4.
    const double limit = p.name == "gat.0.weight" ? std::sqrt(6.0 / 14.0)
                         : p.name == "gat.0.bias" ? 0.0
                                                  : std::sqrt(6.0 / 6.0);
    EXPECT_LE(largest, limit) << p.name;
    EXPECT_GE(largest, 0.6 * limit) << p.name;
  }
}

TEST(Gat, ReachesAsManyHopsAsItHasLayers) {
  EXPECT_EQ(3, make_backbone<float>("gat", {.in = 1, .layers = 3})->hops());
}

}  // namespace
}  // namespace pegnn
