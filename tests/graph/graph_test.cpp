#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graph/graph.h"
#include "support/gradient.h"

namespace pegnn {
namespace {

Graph graph_of(const std::vector<Point>& points, Space space, std::int64_t k) {
  Graph graph;
  NearestIndex index;
  Neighbours scratch;
  knn_graph(points, space, k, ThreadPool(1), index, scratch, graph);
  return graph;
}

TEST(Graph, EveryNodeListensToItsNearest) {
  const Graph g = graph_of({{0, 0}, {1, 0}, {3, 0}, {7, 0}}, Space::plane, 2);
  EXPECT_EQ((std::vector<std::int64_t>{0, 2, 4, 6, 8}), g.offsets);
  EXPECT_EQ((std::vector<std::int32_t>{1, 2, 0, 2, 1, 0, 2, 1}), g.columns);
  EXPECT_EQ((std::vector<double>{1, 3, 1, 2, 2, 3, 4, 6}), g.lengths);
}

TEST(Graph, MoreNeighboursThanPointsMeansAllOfThem) {
  EXPECT_EQ(6, graph_of({{0, 0}, {1, 0}, {2, 0}}, Space::plane, 10).edges());
  EXPECT_EQ(0, graph_of({{5, 5}}, Space::plane, 3).edges());
  EXPECT_EQ(0, graph_of({}, Space::sphere, 3).edges());
}

TEST(Graph, MinmaxWeightsRunFromOneAtTheShortestToZeroAtTheLongest) {
  Graph g = graph_of({{0, 0}, {1, 0}, {3, 0}, {7, 0}}, Space::plane, 2);
  weigh_edges(EdgeWeight::minmax, length_scale(EdgeWeight::minmax, g.lengths), g);
  EXPECT_DOUBLE_EQ(1.0, g.weights[0]);
  EXPECT_DOUBLE_EQ(0.0, g.weights[7]);
  EXPECT_DOUBLE_EQ((6.0 - 3.0) / 5.0, g.weights[1]);
}

TEST(Graph, EqualLengthsGetEqualWeights) {
  for (const EdgeWeight rule : {EdgeWeight::minmax, EdgeWeight::gaussian, EdgeWeight::binary}) {
    Graph g = graph_of({{0, 0}, {1, 0}}, Space::plane, 1);
    weigh_edges(rule, length_scale(rule, g.lengths), g);
    EXPECT_GT(g.weights[0], 0);
    EXPECT_EQ(g.weights[0], g.weights[1]);
    Graph same = graph_of(std::vector<Point>(4, Point{1, 1}), Space::sphere, 2);
    weigh_edges(rule, length_scale(rule, same.lengths), same);
    for (const double w : same.weights) EXPECT_EQ(1.0, w);
  }
}

TEST(Graph, GaussianWeightsHalfWayAreThoseOfTheFormula) {
  EXPECT_DOUBLE_EQ(std::exp(-0.5), edge_weight(EdgeWeight::gaussian,
                                               {.shortest = 1, .longest = 3, .median = 2}, 2.0));
  EXPECT_EQ(0.0, edge_weight(EdgeWeight::gaussian, {.shortest = 0, .longest = 3, .median = 0}, 1.0))
      << "most points coincide";
}

TEST(Graph, LengthsOutsideTheTrainingRangeAreClipped) {
  EXPECT_EQ(0.0,
            edge_weight(EdgeWeight::minmax, {.shortest = 1, .longest = 3, .median = 2}, 100.0));
  EXPECT_EQ(1.0, edge_weight(EdgeWeight::minmax, {.shortest = 1, .longest = 3, .median = 2}, 0.0));
}

TEST(Graph, TheReverseHoldsEveryEdgeOnceGroupedBySender) {
  const std::vector<double> c = test::random_values(200, 1);
  std::vector<Point> points;
  for (std::size_t i = 0; i < 100; ++i) points.push_back({c[2 * i], c[2 * i + 1]});
  Graph g = graph_of(points, Space::plane, 4);
  add_reverse(g);
  ASSERT_EQ(g.columns.size(), g.reverse_edge.size());
  std::vector<int> seen(g.columns.size());
  for (std::size_t j = 0; j < 100; ++j) {
    std::int32_t before = -1;
    for (auto e = g.reverse_offsets[j]; e < g.reverse_offsets[j + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const auto edge = static_cast<std::size_t>(g.reverse_edge[at]);
      EXPECT_EQ(static_cast<std::int32_t>(j), g.columns[edge]);
      const auto i = static_cast<std::size_t>(g.reverse_columns[at]);
      EXPECT_LE(g.offsets[i], g.reverse_edge[at]);
      EXPECT_LT(g.reverse_edge[at], g.offsets[i + 1]);
      EXPECT_LT(before, g.reverse_columns[at]) << "in the order of receivers";
      before = g.reverse_columns[at];
      ++seen[edge];
    }
  }
  EXPECT_EQ(std::vector<int>(g.columns.size(), 1), seen);
}

}  // namespace
}  // namespace pegnn
