#include <gtest/gtest.h>

#include "graph/graph.h"
#include "support/labelled_rows.h"

namespace pegnn {
namespace {

const NeighbourhoodEntry& shuffled() {
  return find_part(neighbourhoods(), "neighbourhood", "shuffled");
}

TEST(Shuffled, RowsListenToTheNearestOfTheirBatch) {
  const test::LabelledRows rows(300);
  const auto around = rows.make(shuffled());
  const auto scratch = around->scratch();
  const ThreadPool pool(1);
  NeighbourhoodView view;
  around->of_step(rows.some(40), 3, best_backend<float>(pool), *scratch, view);
  std::vector<Point> points;
  for (const std::int32_t row : view.query_rows) points.push_back(Span(rows.points())[row]);
  Graph expected;
  NearestIndex index;
  Neighbours found;
  knn_graph(points, Space::sphere, test::LabelledRows::kNeighbours, pool, index, found, expected);
  EXPECT_EQ(expected.columns, view.graph.columns);
  EXPECT_EQ(expected.edges(), view.graph.reverse_columns.size());
}

TEST(Shuffled, NewPointsListenToTrainingPointsOrUnderTestOnlyToEachOther) {
  const test::LabelledRows rows(300);
  const ThreadPool pool(1);
  Options among_themselves = rows.options();
  among_themselves.graph = "test-only";
  EXPECT_TRUE(shuffled().links_queries(among_themselves));
  for (const Options& options : {rows.options(), among_themselves}) {
    const bool linked = options.graph == "test-only";
    const auto around = rows.make(shuffled(), options);
    const auto scratch = around->scratch();
    NeighbourhoodView view;
    around->of_queries(rows.places(9), {}, best_backend<float>(pool), *scratch, view);
    EXPECT_EQ(linked, view.train_rows.empty());
    EXPECT_EQ(linked ? 50'000 : kMostQueries, around->most_queries(50'000));
    const std::int64_t first = view.graph.nodes - view.queries;
    for (std::int64_t e = view.graph.offsets[first]; e < view.graph.edges(); ++e) {
      EXPECT_EQ(linked, view.graph.columns[e] >= first);
    }
  }
}

}  // namespace
}  // namespace pegnn
