#include "neighbourhood/label_lists.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "geo/blocks.h"
#include "support/gradient.h"

namespace pegnn {
namespace {

const ThreadPool kPool(1);

// Labelled points in the unit square; every seventh stands where the one before it does.
class Rows {
 public:
  explicit Rows(std::size_t count) {
    const std::vector<double> c = test::random_values(2 * count, 5);
    for (std::size_t i = 0; i < count; ++i) {
      points_.push_back({c[2 * i], c[2 * i + 1]});
      if (i % 7 == 6) points_[i] = points_[i - 1];
      labels_.push_back(static_cast<float>(c[i]));
    }
  }

  std::shared_ptr<const LabelField> field(std::int64_t k) const {
    TrainingPoints training{points_, features(), labels_, {}};
    training.model.unit = 0.02;
    return std::make_shared<const LabelField>(training, Space::plane, k, false, false,
                                              best_backend<float>(kPool));
  }
  LabelLists lists(std::int64_t k, const Options& options) const {
    const std::shared_ptr<const LabelField> whole = field(k);
    const auto near =
        LabelLists::find_near(*whole, static_cast<std::uint64_t>(options.seed), kPool);
    return {whole, near, options, kPool};
  }

  // What all rows see in a view.
  Neighbours seen(const LabelField& field, const HoldOutView& view) const {
    LabelNeighbourhoods out;
    view.find_neighbours(field, points_, features(), all(), kPool, out);
    return out.found;
  }
  std::vector<std::int32_t> all() const {
    std::vector<std::int32_t> numbers(points_.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  // What some rows see in a step.
  NeighbourhoodView seen(const LabelLists& lists, const std::vector<std::int32_t>& rows,
                         std::int64_t step) const {
    std::vector<Point> places;
    for (const std::int32_t row : rows) places.push_back(points_[static_cast<std::size_t>(row)]);
    LabelLists::Scratch scratch;
    NeighbourhoodView out;
    lists.link(rows, places, step, best_backend<float>(kPool), scratch, out);
    return out;
  }

  // The k nearest others of a row.
  std::set<std::int32_t> nearest(std::int32_t row, std::int64_t k) const {
    Neighbours found;
    search_by_brute_force(points_, points_, Space::plane, k, true, found);
    const auto first = found.rows.begin() + row * k;
    return {first, first + k};
  }

  const std::vector<Point>& points() const { return points_; }

 private:
  Mat<const float> features() const {
    return {nullptr, static_cast<std::int64_t>(points_.size()), 0};
  }

  std::vector<Point> points_;
  std::vector<float> labels_;
};

Options with(double subsets, double thinning, std::int64_t seed = 0) {
  Options o;
  o.part.set("subsets", subsets);
  o.part.set("thinning", thinning);
  o.seed = seed;
  return o;
}

std::vector<std::int32_t> some_rows() { return {5, 6, 190, 44, 399}; }

TEST(LabelLists, AStepSeesWhatItsSeedAndItsNumberSay) {
  const Rows rows(400);
  const LabelLists lists = rows.lists(12, with(0.5, 0.5)), same = rows.lists(12, with(0.5, 0.5));
  const LabelLists other = rows.lists(12, with(0.5, 0.5, 1));
  std::set<std::vector<std::int32_t>> different;
  int by_seed = 0;
  // In any order: a run that goes on from a snapshot begins anywhere.
  for (std::int64_t step = 29; step >= 0; --step) {
    const NeighbourhoodView seen = rows.seen(lists, some_rows(), step);
    const NeighbourhoodView again = rows.seen(same, some_rows(), step);
    EXPECT_EQ(seen.graph.columns, again.graph.columns);
    EXPECT_TRUE(std::equal(seen.edge_numbers.span().begin(), seen.edge_numbers.span().end(),
                           again.edge_numbers.span().begin()));
    different.insert(seen.graph.columns);
    by_seed += rows.seen(other, some_rows(), step).graph.columns != seen.graph.columns ? 1 : 0;
  }
  EXPECT_GT(different.size(), 25U);
  EXPECT_GT(by_seed, 25);
}

TEST(LabelLists, AStepSeesAtLeastTheShareAskedForAndAtMostAll) {
  const Rows rows(400);
  struct Case {
    double subsets;
    std::size_t least, most;
  };
  // A share of one twentieth is no neighbour at all: three are seen where there are three.
  for (const Case& c : {Case{0.5, 6, 12}, {1, 12, 12}, {0.05, 3, 12}, {0.3, 4, 12}}) {
    const LabelLists lists = rows.lists(12, with(c.subsets, 0.5));
    std::set<std::size_t> counts;
    for (std::int64_t step = 0; step < 300; ++step) {
      const NeighbourhoodView seen = rows.seen(lists, some_rows(), step);
      counts.insert(static_cast<std::size_t>(seen.graph.offsets[1]));
      EXPECT_EQ(seen.graph.offsets[1] * 5, seen.graph.edges()) << "as many for every row";
    }
    EXPECT_EQ(c.least, *counts.begin());
    EXPECT_EQ(c.most, *counts.rbegin());
    EXPECT_EQ(c.most - c.least + 1, counts.size());
  }
  const LabelLists two = rows.lists(2, with(0.05, 0));
  EXPECT_EQ(10, rows.seen(two, some_rows(), 0).graph.edges());
}

TEST(LabelLists, NoRowEverSeesItselfNorAnotherTwice) {
  const Rows rows(400);
  const LabelLists lists = rows.lists(8, with(0.5, 0.8));
  for (std::int64_t step = 0; step < 100; ++step) {
    const NeighbourhoodView seen = rows.seen(lists, some_rows(), step);
    for (std::size_t i = 0; i < some_rows().size(); ++i) {
      const auto begin = seen.graph.columns.begin() + seen.graph.offsets[i],
                 end = seen.graph.columns.begin() + seen.graph.offsets[i + 1];
      EXPECT_EQ(end, std::find(begin, end, some_rows()[i]));
      EXPECT_EQ(end - begin, static_cast<std::ptrdiff_t>(std::set(begin, end).size()));
    }
  }
}

TEST(LabelLists, WithoutThinningTheNearestAreSeen) {
  const Rows rows(400);
  const LabelLists lists = rows.lists(8, with(0.5, 0));
  EXPECT_EQ(0U, lists.views());
  const std::set<std::int32_t> near = rows.nearest(44, 8);
  for (std::int64_t step = 0; step < 50; ++step) {
    for (const std::int32_t row : rows.seen(lists, {44}, step).graph.columns) {
      EXPECT_TRUE(near.contains(row));
    }
  }
}

TEST(HoldOutView, OfAShareShowsThatShareOfThePointsToEveryone) {
  const Rows rows(2000);
  const auto field = rows.field(5);
  std::set<std::set<std::int32_t>> parts;
  for (const std::uint64_t number : {0UL, 1UL}) {
    const HoldOutView view = HoldOutView::of_share(*field, 0.1, 7, number, kPool);
    EXPECT_NEAR(200, static_cast<double>(view.points()), 60);
    const Neighbours found = rows.seen(*field, view);
    ASSERT_EQ(5, found.k);
    for (std::int64_t e = 0; e < found.rows.size(); ++e) {
      EXPECT_NE(e / 5, found.rows[e]) << "nobody sees itself";
    }
    const std::set<std::int32_t> heard(found.rows.begin(), found.rows.end());
    EXPECT_LE(static_cast<std::int64_t>(heard.size()), view.points());
    EXPECT_EQ(found.rows,
              rows.seen(*field, HoldOutView::of_share(*field, 0.1, 7, number, kPool)).rows);
    parts.insert(heard);
  }
  EXPECT_EQ(2U, parts.size()) << "another number, another part";
}

TEST(HoldOutView, OfBlocksShowsARowThePointsOfTheOtherHalfAlone) {
  const Rows rows(2000);
  const auto field = rows.field(5);
  const HoldOutView view = HoldOutView::of_blocks(*field, 16, 7, 0, kPool);
  EXPECT_GT(view.points(), 400);
  const Neighbours found = rows.seen(*field, view);
  const Array<std::int32_t> block = equal_blocks(rows.points(), Space::plane, 16);
  std::map<std::int32_t, std::set<std::int32_t>> sees;
  for (std::int64_t e = 0; e < found.rows.size(); ++e) {
    sees[block[e / 5]].insert(block[found.rows[e]]);
  }
  for (const auto& [own, others] : sees) {
    EXPECT_FALSE(others.contains(own));
    for (const std::int32_t other : others) {
      for (const std::int32_t third : others) EXPECT_FALSE(sees[other].contains(third));
    }
  }
  EXPECT_NE(found.rows, rows.seen(*field, HoldOutView::of_blocks(*field, 16, 8, 0, kPool)).rows);
}

TEST(LabelLists, AThinnedStepSeesOneOfTheViews) {
  const Rows rows(2000);
  const auto field = rows.field(3);
  const LabelLists lists = rows.lists(3, with(1, 0.5));
  std::map<std::vector<std::int32_t>, int> steps;  // that saw the nearest, or what a view shows
  LabelNeighbourhoods near;
  field->find_neighbours(field->all(), rows.points(), field->training().features, rows.all(), kPool,
                         near);
  steps[near.found.rows] = 0;
  for (std::int64_t step = 0; step < 200; ++step) {
    ++steps[rows.seen(lists, rows.all(), step).graph.columns];
  }
  EXPECT_NEAR(100, steps[near.found.rows], 30);
  EXPECT_EQ(1 + lists.views(), steps.size());
  EXPECT_GE(lists.views(), 4U) << "two shares and blocks of two sizes";
  for (const auto& [columns, count] : steps) EXPECT_GT(count, 0);
}

TEST(LabelLists, FewPointsAreNotThinned) {
  const Rows rows(30);
  const LabelLists lists = rows.lists(24, with(0.5, 1));
  EXPECT_EQ(0U, lists.views());
  for (std::int64_t step = 0; step < 20; ++step) {
    EXPECT_GE(rows.seen(lists, {0, 6, 29}, step).graph.edges(), 3 * 12);
  }
}

TEST(LabelLists, OneRowSeesNobody) {
  const Rows rows(1);
  const LabelLists lists = rows.lists(24, with(0.5, 0.5));
  const NeighbourhoodView seen = rows.seen(lists, {0}, 3);
  EXPECT_EQ(1, seen.graph.nodes);
  EXPECT_EQ(0, seen.graph.edges());
}

TEST(LabelLists, OfVeryManyRowsABoundedNumberIsLearnedFromAndAllAreHeard) {
  const std::size_t count = static_cast<std::size_t>(LabelLists::kMostRows) + 9000;
  const Rows rows(count);
  const LabelLists lists = rows.lists(2, with(1, 0)), other = rows.lists(2, with(1, 0, 1));
  const std::vector<std::int32_t> learned(lists.rows().begin(), lists.rows().end());
  ASSERT_EQ(static_cast<std::size_t>(LabelLists::kMostRows), learned.size());
  EXPECT_EQ(learned.end(), std::ranges::adjacent_find(learned, std::greater_equal<>()))
      << "ascending, each once";
  EXPECT_LT(learned.back(), static_cast<std::int32_t>(count));
  EXPECT_FALSE(std::ranges::equal(learned, other.rows())) << "the seed draws them";
  const NeighbourhoodView seen = rows.seen(lists, learned, 0);
  bool others_heard = false;
  for (std::size_t i = 0; i < learned.size(); ++i) {
    for (std::size_t e = 2 * i; e < 2 * i + 2; ++e) {
      const std::int32_t heard = seen.graph.columns[e];
      ASSERT_NE(learned[i], heard);
      others_heard = others_heard || !std::ranges::binary_search(learned, heard);
    }
  }
  EXPECT_TRUE(others_heard);
}

}  // namespace
}  // namespace pegnn
