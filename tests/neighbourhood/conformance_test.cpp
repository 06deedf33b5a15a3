// What every neighbourhood must do, for all in the list.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "support/labelled_rows.h"

namespace pegnn {
namespace {

using test::LabelledRows;

std::vector<std::string> names() { return part_names(std::span(neighbourhoods())); }

// What a view tells of each of the points asked for, whatever its nodes are called: numbers of its
// own, and of the edges that lead to it, by the training points behind them.
std::vector<std::vector<double>> told(const NeighbourhoodView& view) {
  std::vector<std::vector<double>> all;
  const std::int64_t first = view.graph.nodes - view.queries;
  for (std::int64_t q = 0; q < view.queries; ++q) {
    std::vector<double> one;
    const std::int64_t node = first + q;
    for (std::int64_t c = 0; c < view.node_width; ++c) {
      one.push_back(
          static_cast<double>(view.node_columns()(node - (view.graph.nodes - view.inputs()), c)));
    }
    for (std::int64_t e = view.graph.offsets[node]; e < view.graph.offsets[node + 1]; ++e) {
      const std::int32_t column = view.graph.columns[e];
      const bool source = view.sources.rows > 0;
      one.push_back(source || column >= view.train_rows.size() ? column : view.train_rows[column]);
      if (!view.graph.weights.empty()) one.push_back(view.graph.weights[e]);
      for (std::int64_t c = 0; c < view.edge_width; ++c) {
        one.push_back(static_cast<double>(view.edge_columns()(e, c)));
      }
    }
    if (!view.gaps.empty()) one.push_back(static_cast<double>(view.gaps[q]));
    if (!view.smooth.empty()) one.push_back(static_cast<double>(view.smooth[q]));
    all.push_back(std::move(one));
  }
  return all;
}

void expect_sound(const NeighbourhoodEntry& entry, const NeighbourhoodView& view,
                  std::int64_t points) {
  ASSERT_EQ(points, view.queries);
  const Graph& g = view.graph;
  ASSERT_EQ(g.nodes, view.train_rows.size() + view.queries);
  ASSERT_EQ(g.nodes + 1, g.offsets.size());
  ASSERT_EQ(g.edges(), g.offsets.back());
  EXPECT_TRUE(std::ranges::is_sorted(g.offsets));
  const std::int64_t columns = view.sources.rows > 0 ? view.sources.rows : g.nodes;
  for (const std::int32_t column : g.columns) {
    EXPECT_GE(column, 0);
    EXPECT_LT(column, columns);
  }
  EXPECT_EQ(std::ssize(entry.tells.node), view.node_width);
  EXPECT_EQ(std::ssize(entry.tells.edge), view.edge_width);
  EXPECT_EQ(entry.tells_gaps ? points : 0, view.gaps.size());
  for (std::int64_t i = 0; i < view.inputs(); ++i) {
    for (std::int64_t c = 0; c < view.node_width; ++c) {
      EXPECT_TRUE(std::isfinite(view.node_columns()(i, c)));
    }
  }
  for (std::int64_t e = 0; e < view.edge_columns().rows; ++e) {
    for (std::int64_t c = 0; c < view.edge_width; ++c) {
      EXPECT_TRUE(std::isfinite(view.edge_columns()(e, c)));
    }
  }
}

class EveryNeighbourhood : public testing::TestWithParam<std::string> {
 protected:
  const NeighbourhoodEntry& entry() const {
    return find_part(neighbourhoods(), "neighbourhood", GetParam());
  }
  std::unique_ptr<Neighbourhood> make() const { return rows_.make(entry()); }

  const LabelledRows rows_{300};
  const ThreadPool pool_{1};
  const Backend<float> backend_ = best_backend<float>(pool_);
};
INSTANTIATE_TEST_SUITE_P(List, EveryNeighbourhood, testing::ValuesIn(names()),
                         [](const auto& each) { return each.param; });

TEST_P(EveryNeighbourhood, IsThatOfABackboneOrTellsAsMuchAsOne) {
  const auto serves = [&](const BackboneEntry* b) { return b->reads == entry().tells; };
  EXPECT_TRUE(std::ranges::any_of(backbones(), serves));
  EXPECT_FALSE(entry().info.summary.empty());
}

TEST_P(EveryNeighbourhood, OfAStepHasItsRowsAndFitsItsSize) {
  const auto around = make();
  const auto scratch = around->scratch();
  for (const std::int64_t count : {1, 2, 7, 64}) {
    const std::vector<std::int32_t> some = rows_.some(count);
    NeighbourhoodView view;
    for (const std::int64_t step : {0, 1, 2}) {
      around->of_step(some, step, backend_, *scratch, view);
      expect_sound(entry(), view, count);
      if (view.sources.rows == 0) {  // networks pass messages back
        ASSERT_EQ(view.graph.nodes + 1, view.graph.reverse_offsets.size());
        EXPECT_EQ(view.graph.edges(), view.graph.reverse_offsets.back());
      }
      EXPECT_EQ(std::set<std::int32_t>(some.begin(), some.end()),
                std::set<std::int32_t>(view.query_rows.begin(), view.query_rows.end()));
      const GraphSize most = entry().size(count, LabelledRows::kNeighbours);
      EXPECT_LE(view.graph.nodes, most.nodes);
      EXPECT_LE(view.graph.edges(), most.edges);
    }
  }
}

TEST_P(EveryNeighbourhood, OfAStepDependsOnSeedAndStepAlone) {
  const auto around = make(), again = make();
  const auto scratch = around->scratch(), other = again->scratch();
  const std::vector<std::int32_t> some = rows_.some(50);
  NeighbourhoodView one, two;
  for (const std::int64_t step : {0, 5, 3}) around->of_step(some, step, backend_, *scratch, one);
  const ThreadPool three(3);
  again->of_step(some, 3, best_backend<float>(three), *other, two);
  EXPECT_EQ(one.query_rows, two.query_rows);
  EXPECT_EQ(told(one), told(two));
}

TEST_P(EveryNeighbourhood, OfNewPointsDoesNotDependOnTheOthers) {
  const auto around = make();
  const auto scratch = around->scratch();
  const std::vector<Point> places = rows_.places(40);
  const std::vector<float> features = rows_.features_of(40);
  const auto ask = [&](std::int64_t first, std::int64_t count) {
    NeighbourhoodView view;
    around->of_queries(
        Span(places).subspan(first, count),
        {features.data() + first * LabelledRows::kFeatures, count, LabelledRows::kFeatures},
        backend_, *scratch, view);
    expect_sound(entry(), view, count);
    return told(view);
  };
  const auto all = ask(0, 40);
  EXPECT_FALSE(entry().links_queries != nullptr && entry().links_queries(Options()));
  for (const std::int64_t i : {0, 1, 17, 39}) EXPECT_EQ(all[as_size(i)], ask(i, 1).front()) << i;
  EXPECT_TRUE(ask(0, 0).empty());
}

TEST_P(EveryNeighbourhood, OfTrainingRowsLeavesThemOut) {
  const auto around = make();
  const auto scratch = around->scratch();
  NeighbourhoodView view;
  const std::vector<std::int32_t> some = rows_.some(30);
  around->of_own(some, backend_, *scratch, view);
  expect_sound(entry(), view, 30);
  const std::int64_t first = view.graph.nodes - view.queries;
  for (std::int64_t q = 0; q < view.queries; ++q) {
    for (std::int64_t e = view.graph.offsets[first + q]; e < view.graph.offsets[first + q + 1];
         ++e) {
      const std::int32_t column = view.graph.columns[e];
      if (view.sources.rows > 0) {
        EXPECT_NE(Span(some)[q], column);
      } else if (column < first) {
        EXPECT_NE(Span(some)[q], view.train_rows[column]);
      } else {
        EXPECT_NE(first + q, column);
      }
    }
  }
}

TEST_P(EveryNeighbourhood, AnswersSeveralThreadsAtOnce) {
  const auto around = make(), alone = make();
  const std::vector<Point> places = rows_.places(60);
  const std::vector<float> features = rows_.features_of(60);
  const Mat<const float> inputs(features.data(), 60, LabelledRows::kFeatures);
  const auto ask = [&](const Neighbourhood& of) {
    const ThreadPool own(1);
    const auto scratch = of.scratch();
    NeighbourhoodView view;
    of.of_queries(places, inputs, best_backend<float>(own), *scratch, view);
    return told(view);
  };
  const auto expected = ask(*alone);
  std::vector<std::vector<double>> first, second;
  std::thread one([&] { first = ask(*around); }), two([&] { second = ask(*around); });
  one.join();
  two.join();
  EXPECT_EQ(expected, first);
  EXPECT_EQ(expected, second);
}

TEST_P(EveryNeighbourhood, WorksWithAllRowsInOnePlaceAndWithTwoRows) {
  for (const std::int64_t count : {2, 12}) {
    const LabelledRows same(count, true);
    const auto around = same.make(entry());
    const auto scratch = around->scratch();
    NeighbourhoodView view;
    around->of_step(same.some(count), 0, backend_, *scratch, view);
    expect_sound(entry(), view, count);
    around->of_queries(same.places(3), {same.features_of(3).data(), 3, LabelledRows::kFeatures},
                       backend_, *scratch, view);
    expect_sound(entry(), view, 3);
  }
}

}  // namespace
}  // namespace pegnn
