#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "geo/sphere.h"
#include "graph/local.h"
#include "support/gradient.h"

namespace pegnn {
namespace {

std::vector<Point> cloud(std::size_t n, std::uint64_t seed) {
  const std::vector<double> c = test::random_values(2 * n, seed);
  std::vector<Point> points;
  for (std::size_t i = 0; i < n; ++i) points.push_back({10 * c[2 * i], 5 * c[2 * i + 1]});
  return points;
}

TEST(LocalGraphs, AreCompleteOverTheQueryAndItsNearestTrainingPoints) {
  const ThreadPool pool(2);
  const std::vector<Point> train = cloud(80, 1), queries = cloud(7, 2);
  const std::int64_t k = 4, count = 7;
  const LocalAttacher attacher(train, Space::sphere, k, pool);
  AttachScratch scratch;
  AttachedGraph out;
  attacher.attach(queries, pool, scratch, out);
  ASSERT_EQ(count * (k + 1), out.graph.nodes);
  ASSERT_EQ(count * (k + 1) * k, out.graph.edges());
  EXPECT_EQ(count, out.queries);
  const auto place = [&](std::int64_t node) {
    const auto at = static_cast<std::size_t>(node);
    return node < count * k ? train[static_cast<std::size_t>(out.train_rows[at])]
                            : queries[at - static_cast<std::size_t>(count * k)];
  };
  const auto graph_of = [&](std::int64_t node) {
    return node < count * k ? node / k : node - count * k;
  };
  for (std::int64_t i = 0; i < out.graph.nodes; ++i) {
    std::vector<bool> met(static_cast<std::size_t>(out.graph.nodes));
    for (auto e = out.graph.offsets[static_cast<std::size_t>(i)];
         e < out.graph.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const std::int64_t j = out.graph.columns[static_cast<std::size_t>(e)];
      EXPECT_EQ(graph_of(i), graph_of(j));
      EXPECT_NE(i, j);
      EXPECT_FALSE(met[static_cast<std::size_t>(j)]) << "an edge stands there twice";
      met[static_cast<std::size_t>(j)] = true;
      const double u = distance(Space::sphere, place(i), place(j)) / attacher.scale().median;
      EXPECT_NEAR(std::exp(-0.5 * u * u), out.graph.weights[static_cast<std::size_t>(e)], 1e-9);
    }
  }
}

TEST(LocalGraphs, ATrainingPointIsNotItsOwnNeighbour) {
  const ThreadPool pool(1);
  std::vector<Point> train = cloud(30, 3);
  train.push_back(train[4]);  // another row at the same place is a neighbour
  const LocalAttacher attacher(train, Space::plane, 3, pool);
  AttachScratch scratch;
  AttachedGraph out;
  const std::vector<std::int32_t> rows{4, 9};
  attacher.attach_own(rows, pool, scratch, out);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NE(4, out.train_rows[j]);
    EXPECT_NE(9, out.train_rows[3 + j]);
  }
  EXPECT_EQ(30, out.train_rows[0]);
}

TEST(LocalGraphs, TheScaleIsTheMedianDistanceToTheNeighbours) {
  const ThreadPool pool(1);
  const std::vector<Point> line{{0, 0}, {1, 0}, {3, 0}, {7, 0}};
  // Nearest others: 1, 1, 2, 4 away; the upper middle of them is 2.
  EXPECT_EQ(2.0, LocalAttacher(line, Space::plane, 1, pool).scale().median);
}

TEST(LocalGraphs, NoQueriesGiveAnEmptyGraph) {
  const ThreadPool pool(1);
  const std::vector<Point> train = cloud(5, 4);
  AttachScratch scratch;
  AttachedGraph out;
  LocalAttacher(train, Space::plane, 2, pool).attach({}, pool, scratch, out);
  EXPECT_EQ(0, out.graph.nodes);
  EXPECT_EQ(0, out.queries);
}

}  // namespace
}  // namespace pegnn
