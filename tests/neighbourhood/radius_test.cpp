#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "geo/sphere.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "support/labelled_rows.h"

namespace pegnn {
namespace {

const NeighbourhoodEntry& radius() {
  return find_part(neighbourhoods(), "neighbourhood", "radius");
}

Options within(const test::LabelledRows& rows, double metres) {
  Options options = rows.options();
  options.k = 50;
  options.part.set("radius", metres);
  return options;
}

TEST(Radius, RowsListenToAllOthersWithinIt) {
  const test::LabelledRows rows(300);
  const double reach = 700e3;
  const auto around = rows.make(radius(), within(rows, reach));
  const auto scratch = around->scratch();
  const ThreadPool pool(1);
  NeighbourhoodView view;
  around->of_step(rows.some(40), 0, best_backend<float>(pool), *scratch, view);
  for (std::int64_t i = 0; i < 40; ++i) {
    std::vector<bool> heard(40);
    for (std::int64_t e = view.graph.offsets[i]; e < view.graph.offsets[i + 1]; ++e) {
      heard[as_size(view.graph.columns[e])] = true;
    }
    const Point here = Span(rows.points())[view.query_rows[i]];
    for (std::int64_t j = 0; j < 40; ++j) {
      const Point there = Span(rows.points())[view.query_rows[j]];
      EXPECT_EQ(i != j && distance(Space::sphere, here, there) <= reach, heard[as_size(j)]);
    }
  }
}

TEST(Radius, OfMoreThanKTheNearestCount) {
  const test::LabelledRows rows(300);
  Options few = within(rows, 2000e3);
  few.k = 3;
  const auto around = rows.make(radius(), few), all = rows.make(radius(), within(rows, 2000e3));
  const auto scratch = around->scratch(), other = all->scratch();
  const ThreadPool pool(1);
  NeighbourhoodView view, wide;
  around->of_step(rows.some(40), 0, best_backend<float>(pool), *scratch, view);
  all->of_step(rows.some(40), 0, best_backend<float>(pool), *other, wide);
  EXPECT_LT(view.graph.edges(), wide.graph.edges());
  for (std::int64_t i = 0; i < 40; ++i) {
    EXPECT_LE(view.graph.offsets[i + 1] - view.graph.offsets[i], 3);
  }
}

// Lengths become weights on one scale, or what was learned in training would mean something else.
TEST(Radius, AnEdgeHasTheSameWeightInTrainingAndInPrediction) {
  const test::LabelledRows rows(300);
  Options options = within(rows, 400e3);
  options.edge_weight = "minmax";
  const auto around = rows.make(radius(), options);
  const auto scratch = around->scratch();
  const ThreadPool pool(1);
  const Backend<float> backend = best_backend<float>(pool);
  std::vector<std::int32_t> every(300);
  std::iota(every.begin(), every.end(), 0);
  NeighbourhoodView own, asked;
  around->of_own(every, backend, *scratch, own);
  const std::vector<Point> place{rows.points()[20]};
  around->of_queries(place, {}, backend, *scratch, asked);
  ASSERT_FALSE(asked.train_rows.empty());
  int compared = 0;
  for (std::int64_t node = 0; node < asked.train_rows.size() - asked.degree_only; ++node) {
    const std::int64_t row = asked.train_rows[node];
    const std::int64_t first = own.graph.offsets[row], begin = asked.graph.offsets[node];
    ASSERT_EQ(own.graph.offsets[row + 1] - first, asked.graph.offsets[node + 1] - begin);
    for (std::int64_t e = 0; e < own.graph.offsets[row + 1] - first; ++e, ++compared) {
      EXPECT_EQ(own.graph.weights[first + e], asked.graph.weights[begin + e]);
    }
  }
  EXPECT_GT(compared, 0);
}

TEST(Radius, NewPointsBeyondItListenToNobody) {
  const test::LabelledRows rows(300);
  const auto around = rows.make(radius(), within(rows, 300e3));
  const auto scratch = around->scratch();
  const ThreadPool pool(1);
  NeighbourhoodView view;
  const std::vector<Point> places{{0, -60}, rows.points()[8]};
  around->of_queries(places, {}, best_backend<float>(pool), *scratch, view);
  const std::int64_t first = view.graph.nodes - 2;
  EXPECT_EQ(view.graph.offsets[first], view.graph.offsets[first + 1]);
  EXPECT_LT(view.graph.offsets[first + 1], view.graph.offsets[first + 2]);
  EXPECT_EQ(1, view.out_of_reach);
  for (const double length : view.graph.lengths) EXPECT_LE(length, 300e3);
}

TEST(Radius, IsAskedForByNameWithItsLengthAndABackboneThatReadsNoLabels) {
  Options options;
  options.neighbourhood = "radius";
  EXPECT_THROW(check_options(options), Error);
  options.part.set("radius", 1e5);
  check_options(options);
  EXPECT_EQ("radius", neighbourhood_of(options).info.name);
  options.backbone = "label_attention";
  EXPECT_THROW(check_options(options), Error);
}

}  // namespace
}  // namespace pegnn
