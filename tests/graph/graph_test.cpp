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

TEST(Graph, LongEdgesAreLeftOutAndANodeMayHaveNone) {
  Graph g = graph_of({{0, 0}, {1, 0}, {3, 0}, {7, 0}}, Space::plane, 2);
  drop_longer(2, g);
  EXPECT_EQ((std::vector<std::int64_t>{0, 1, 3, 4, 4}), g.offsets);
  EXPECT_EQ((std::vector<std::int32_t>{1, 0, 2, 1}), g.columns);
  EXPECT_EQ((std::vector<double>{1, 1, 2, 2}), g.lengths);
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
  Array<int> seen(g.columns.size());
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
  EXPECT_EQ(Array<int>(g.columns.size(), 1), seen);
}

TEST(Graph, OfSortedPointsIsTheGraphOfThePointsInThatOrder) {
  std::vector<Point> points;
  for (int i = 0; i < 300; ++i) points.push_back({i * 37 % 101 * 0.1, i * 53 % 97 * 0.1});
  const ThreadPool pool(2);
  const SpatialOrder order(points, Space::sphere, pool);
  Array<std::int32_t> rows, scratch, ranks;
  for (std::int32_t i = 5; i < 300; i += 2) rows.push_back(i);
  order.ranks_of(rows, scratch, ranks);
  std::vector<Point> sorted;
  for (const std::int32_t rank : ranks) {
    sorted.push_back(points[static_cast<std::size_t>(order.row_at(rank))]);
  }
  Graph expected, found;
  NearestIndex index;
  Neighbours neighbours;
  knn_graph(sorted, Space::sphere, 5, pool, index, neighbours, expected);
  for (int again = 0; again < 3; ++again) {  // buffers change hands
    knn_graph(order, ranks, 5, pool, index, neighbours, found);
    EXPECT_EQ(expected.nodes, found.nodes);
    EXPECT_EQ(expected.offsets, found.offsets);
    EXPECT_EQ(expected.columns, found.columns);
    EXPECT_EQ(expected.lengths, found.lengths);
  }
}

TEST(Graph, WeighsManyEdgesAsItWeighsOne) {
  Graph g;
  for (int i = 0; i < 21; ++i) g.lengths.push_back(i * 7 % 13 * 0.3 + 1);
  for (const auto rule : {EdgeWeight::minmax, EdgeWeight::gaussian, EdgeWeight::binary}) {
    LengthScale scale = length_scale(rule, g.lengths);
    scale.longest -= 0.5;  // some lengths lie outside, as in an attached graph
    scale.shortest += 0.5;
    weigh_edges(rule, scale, g);
    for (std::int64_t e = 0; e < g.lengths.size(); ++e) {
      EXPECT_EQ(edge_weight(rule, scale, g.lengths[e]), g.weights[e]);
    }
  }
}

TEST(Graph, FindsTheExtremesWhereverTheyStand) {
  for (std::size_t count = 1; count < 20; ++count) {
    for (std::size_t at = 0; at < count; ++at) {
      std::vector<double> lengths(count, 5.0);
      lengths[at] = 9.0;
      EXPECT_EQ(9.0, length_scale(EdgeWeight::minmax, lengths).longest);
      EXPECT_EQ(count == 1 ? 9.0 : 5.0, length_scale(EdgeWeight::minmax, lengths).shortest);
      lengths[at] = 2.0;
      EXPECT_EQ(2.0, length_scale(EdgeWeight::minmax, lengths).shortest);
    }
  }
}

}  // namespace
}  // namespace pegnn
