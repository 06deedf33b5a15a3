#include <gtest/gtest.h>

#include "support/labelled_rows.h"

namespace pegnn {
namespace {

TEST(Local, CopiesCarryTheirLabelsAndQueriesAreMarked) {
  const test::LabelledRows rows(20);
  const auto around = rows.make(find_part(neighbourhoods(), "neighbourhood", "local"));
  const auto scratch = around->scratch();
  const ThreadPool pool(1);
  NeighbourhoodView view;
  around->of_own(std::vector<std::int32_t>{7, 3}, best_backend<float>(pool), *scratch, view);
  const std::int64_t copies = 2 * test::LabelledRows::kNeighbours;
  ASSERT_EQ(copies + 2, view.graph.nodes);
  const Mat<const float> told = view.node_columns();
  for (std::int64_t i = 0; i < told.rows; ++i) {
    const bool query = i >= copies;
    EXPECT_EQ(query ? 0.0F : rows.training().labels[view.train_rows[i]],
              told(i, column_number(kLabelColumns, "label")));
    EXPECT_EQ(query ? 1.0F : 0.0F, told(i, column_number(kLabelColumns, "is_query")));
  }
}

TEST(Local, FewerPointsAreAskedForAtATimeTheLargerTheirGraphs) {
  const test::LabelledRows rows(300);
  const NeighbourhoodEntry& entry = find_part(neighbourhoods(), "neighbourhood", "local");
  Options wide = rows.options();
  wide.k = 200;
  EXPECT_EQ(kMostQueries, rows.make(entry)->most_queries(1'000'000));
  EXPECT_LT(rows.make(entry, wide)->most_queries(1'000'000), 10);
  EXPECT_GE(rows.make(entry, wide)->most_queries(1'000'000), 1);
}

}  // namespace
}  // namespace pegnn
