#include <vector>

#include <gtest/gtest.h>

#include "graph/attach.h"
#include "support/gradient.h"

namespace pegnn {
namespace {

std::vector<Point> cloud(std::size_t n, std::uint64_t seed) {
  const std::vector<double> c = test::random_values(2 * n, seed);
  std::vector<Point> points;
  for (std::size_t i = 0; i < n; ++i) points.push_back({c[2 * i], c[2 * i + 1]});
  return points;
}

TEST(Attach, NewPointsListenToTrainingPointsAndNobodyListensToThem) {
  const ThreadPool pool(1);
  const std::vector<Point> train = cloud(200, 1), queries = cloud(30, 2);
  const Attacher attacher(train, Space::plane, 4, EdgeWeight::minmax, 2, pool);
  AttachScratch scratch;
  AttachedGraph out;
  attacher.attach(queries, pool, scratch, out);
  const auto first_query = static_cast<std::int32_t>(out.train_rows.size());
  EXPECT_EQ(30, out.queries);
  EXPECT_EQ(out.graph.nodes, first_query + 30);
  for (const std::int32_t j : out.graph.columns) EXPECT_LT(j, first_query);
  NearestIndex index;
  Neighbours want;
  index.build(train, Space::plane, pool);
  index.search(queries, 4, false, pool, want);
  for (std::size_t q = 0; q < 30; ++q) {
    const auto node = static_cast<std::size_t>(first_query) + q;
    ASSERT_EQ(4, out.graph.offsets[node + 1] - out.graph.offsets[node]);
    for (std::size_t j = 0; j < 4; ++j) {
      const auto e = static_cast<std::size_t>(out.graph.offsets[node]) + j;
      EXPECT_EQ(want.rows[q * 4 + j],
                out.train_rows[static_cast<std::size_t>(out.graph.columns[e])]);
      EXPECT_EQ(want.distances[q * 4 + j], out.graph.lengths[e]);
    }
  }
}

TEST(Attach, EveryPointThatCanMatterHasAllItsEdges) {
  const ThreadPool pool(1);
  const std::vector<Point> train = cloud(500, 3);
  for (const std::int64_t hops : {1, 2, 3}) {
    const Attacher attacher(train, Space::plane, 3, EdgeWeight::minmax, hops, pool);
    AttachScratch scratch;
    AttachedGraph out;
    attacher.attach(std::vector<Point>{{0.1, 0.2}}, pool, scratch, out);
    const Graph& g = out.graph;
    // Nodes within `hops` of the new point, and their senders' degrees, must be complete.
    std::vector<std::int32_t> frontier{static_cast<std::int32_t>(g.nodes - 1)};
    for (std::int64_t hop = 0; hop <= hops; ++hop) {
      std::vector<std::int32_t> next;
      for (const std::int32_t i : frontier) {
        const auto at = static_cast<std::size_t>(i);
        ASSERT_EQ(3, g.offsets[at + 1] - g.offsets[at]) << "hop " << hop;
        for (auto e = g.offsets[at]; e < g.offsets[at + 1]; ++e) {
          next.push_back(g.columns[static_cast<std::size_t>(e)]);
        }
      }
      frontier = next;
    }
    EXPECT_LT(g.nodes, 200) << "only what is in reach";
  }
}

TEST(Attach, PointsBeyondTheLongestTrainingEdgeAreCounted) {
  const ThreadPool pool(1);
  const Attacher attacher(cloud(200, 1), Space::plane, 4, EdgeWeight::minmax, 2, pool);
  AttachScratch scratch;
  AttachedGraph out;
  attacher.attach(std::vector<Point>{{0, 0}, {50, 50}, {-80, 3}}, pool, scratch, out);
  EXPECT_EQ(2, out.out_of_reach);
}

TEST(Attach, WithoutMessagesThereIsNoGraph) {
  const ThreadPool pool(1);
  const Attacher attacher(cloud(50, 1), Space::plane, 4, EdgeWeight::minmax, 0, pool);
  AttachScratch scratch;
  AttachedGraph out;
  attacher.attach(cloud(3, 2), pool, scratch, out);
  EXPECT_EQ(3, out.graph.nodes);
  EXPECT_EQ(0, out.graph.edges());
  EXPECT_TRUE(out.train_rows.empty());
}

}  // namespace
}  // namespace pegnn
