#include <gtest/gtest.h>

#include "support/labelled_rows.h"

namespace pegnn {
namespace {

TEST(Alone, NobodyListensToAnyone) {
  const test::LabelledRows rows(20);
  const auto around = rows.make(find_part(neighbourhoods(), "neighbourhood", "alone"));
  const auto scratch = around->scratch();
  const ThreadPool pool(1);
  NeighbourhoodView view;
  around->of_queries(rows.places(5), {}, best_backend<float>(pool), *scratch, view);
  EXPECT_EQ(5, view.graph.nodes);
  EXPECT_EQ(0, view.graph.edges());
  around->of_step(std::vector<std::int32_t>{7, 3}, 0, best_backend<float>(pool), *scratch, view);
  EXPECT_EQ((std::vector<std::int32_t>{7, 3}), view.query_rows);
  EXPECT_EQ(0, view.graph.edges());
}

}  // namespace
}  // namespace pegnn
