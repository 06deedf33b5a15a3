#include <gtest/gtest.h>

#include "neighbourhood/label_lists.h"
#include "support/labelled_rows.h"

namespace pegnn {
namespace {

const NeighbourhoodEntry& labelled() {
  return find_part(neighbourhoods(), "neighbourhood", "labelled");
}

TEST(Labelled, SourcesAreTheTrainingRowsWithTheirLabels) {
  const test::LabelledRows rows(30);
  const auto around = rows.make(labelled());
  const auto scratch = around->scratch();
  const ThreadPool pool(1);
  NeighbourhoodView view;
  around->of_own(std::vector<std::int32_t>{4}, best_backend<float>(pool), *scratch, view);
  ASSERT_EQ(30, view.sources.rows);
  ASSERT_EQ(test::LabelledRows::kFeatures + 1, view.sources.cols);
  for (std::int64_t i = 0; i < 30; ++i) {
    EXPECT_EQ(rows.training().features(i, 1), view.sources(i, 1));
    EXPECT_EQ(rows.training().labels[i], view.sources(i, test::LabelledRows::kFeatures));
  }
  EXPECT_EQ(view.smooth[0],
            view.node_columns()(0, column_number(kSmootherColumns, "smoother.mean")));
}

TEST(Labelled, WithoutASmootherNothingIsSmoothed) {
  const test::LabelledRows rows(30);
  Options options = rows.options();
  options.part.set("smoother", "none");
  const auto around = rows.make(labelled(), options);
  const auto scratch = around->scratch();
  const ThreadPool pool(1);
  NeighbourhoodView view;
  around->of_own(std::vector<std::int32_t>{4}, best_backend<float>(pool), *scratch, view);
  EXPECT_TRUE(view.smooth.empty());
  EXPECT_EQ(0.0F, view.node_columns()(0, 0));
  EXPECT_EQ(1, view.gaps.size());
}

TEST(Labelled, AStepSeesAPartOfTheNeighboursAndAnotherStepAnotherPart) {
  const test::LabelledRows rows(300);
  Options options = rows.options();
  options.k = 12;
  options.part.set("subsets", 0.25);
  const auto around = rows.make(labelled(), options);
  const auto scratch = around->scratch();
  const ThreadPool pool(1);
  NeighbourhoodView first, second;
  EXPECT_TRUE(around->changes_by_step());
  around->of_step(rows.some(20), 0, best_backend<float>(pool), *scratch, first);
  around->of_step(rows.some(20), 1, best_backend<float>(pool), *scratch, second);
  EXPECT_NE(first.graph.columns, second.graph.columns);
  EXPECT_EQ(300, around->rows_learned_from().size());
}

}  // namespace
}  // namespace pegnn
