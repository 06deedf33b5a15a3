#include "evaluate/repeats.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "pegnn/log.h"
#include "stats/paired.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

class Silent final : public Log {
 public:
  void note(std::string_view) override {}
  void warn(std::string_view) override {}
  void detail(std::string_view) override {}
};

// A square of places without anything to learn: what two models do to them is made up here.
struct Square {
  std::vector<Point> points;
  Table table{"square.csv"};
  Roles roles{.x = "x", .y = "y", .geographic = false, .target = {}, .features = {}};

  explicit Square(std::size_t rows) {
    const Rng rng{11, Stream::sample};
    std::vector<double> x, y;
    for (std::size_t i = 0; i < rows; ++i) {
      points.push_back({rng.uniform(1, i), rng.uniform(2, i)});
      x.push_back(points.back().x);
      y.push_back(points.back().y);
    }
    table.add("x", x);
    table.add("y", y);
  }

  SplitPlan plan(const std::string& scheme, std::int64_t folds, std::int64_t repeats,
                 std::int64_t seed = 1) const {
    EvaluateSettings settings;
    settings.scheme = scheme;
    settings.folds = folds;
    settings.repeats = repeats;
    settings.block_size = scheme == "block" ? 0.1 : 0;
    Silent log;
    RunSettings run;
    run.log = &log;
    return SplitPlan(table, rows_to_split(table, roles, settings, log), roles, settings, seed, run);
  }
};

// What a league has of two models whose losses differ by `differs(row, repeat)`.
struct Difference {
  Repeats repeats;
  Array<double> loss, blocks;

  double noise() const { return repeats.noise(loss, blocks); }
};

template <class F>
Difference difference_of(const Square& square, const SplitPlan& plan, const F& differs) {
  const auto n = static_cast<double>(plan.repeats());
  Difference d{Repeats(plan, square.points, Space::plane),
               Array<double>(std::ssize(square.points), 0.0),
               Array<double>(plan.repeats() * Repeats::kBlocks, 0.0)};
  for (std::int64_t r = 0; r < plan.repeats(); ++r) {
    const Array<Split> splits = plan.splits(r);
    for (const Split& split : splits) {
      const double weight =
          1.0 / static_cast<double>(splits.size()) / static_cast<double>(split.test.size());
      for (const std::int64_t row : split.test) {
        d.loss[row] += weight / n * differs(row, r);
        d.blocks[r * Repeats::kBlocks + d.repeats.block_of()[row]] += weight * differs(row, r);
      }
    }
  }
  return d;
}

// The probability that a league would tell.
double verdict_p(const Square& square, const Difference& d) {
  Array<Point> points;
  Array<double> differences;
  for (const std::int64_t row : d.repeats.held()) {
    points.push_back(Span(square.points)[row]);
    differences.push_back(d.loss[row]);
  }
  return paired_p(points, Space::plane, differences, d.noise(), 1);
}

TEST(RepeatedSplits, HoldTheRowsThatAnyOfThemHolds) {
  const Square square(200);
  const SplitPlan plan = square.plan("block", 1, 4);
  std::vector<char> held(200, 0);
  for (std::int64_t r = 0; r < 4; ++r) {
    const Split split = plan.splits(r).front();
    for (const std::int64_t row : split.test) held[static_cast<std::size_t>(row)] = 1;
  }
  const Repeats repeats(plan, square.points, Space::plane);
  EXPECT_EQ(std::count(held.begin(), held.end(), 1), repeats.held().size());
  EXPECT_GT(repeats.held().size(), plan.splits(0).front().test.size());
  for (const std::int64_t row : repeats.held()) EXPECT_EQ(1, held[static_cast<std::size_t>(row)]);
}

// Differences 1, 2, 6 of three repeats on the same rows: mean 3, variance 7, of their mean 7 / 3.
TEST(RepeatedSplits, OnTheSameRowsTheirNoiseIsThatOfTheMean) {
  const Square square(100);
  const double of[] = {1, 2, 6};
  for (const SplitPlan& plan : {square.plan("random", 1, 3), square.plan("random", 4, 3)}) {
    const Difference d = difference_of(square, plan, [&](auto, std::int64_t r) { return of[r]; });
    EXPECT_NEAR(std::sqrt(7.0 / 3), d.noise(), 1e-9);
  }
}

TEST(RepeatedSplits, NoNoiseIsSeenInOneOrWhereOnlyPlacesDiffer) {
  const Square square(200);
  const Rng rng{5, Stream::sample};
  const auto by_place = [&](std::int64_t row, std::int64_t) {
    return rng.normal(1, static_cast<std::uint64_t>(row));
  };
  for (const std::int64_t repeats : {1, 2, 10}) {
    const SplitPlan plan = square.plan("block", 1, repeats);
    const Difference d = difference_of(square, plan, by_place);
    EXPECT_NEAR(0, d.noise(), 1e-9) << repeats;
  }
}

// Other splits each time, and what each training does to all rows has the deviation 2: of the mean
// of 80 repeats it is 2 / sqrt(80), found through all the difference that places make.
TEST(RepeatedSplits, TheirNoiseIsToldFromRowsHeldOutTwice) {
  const Square square(200);
  const Rng rng{6, Stream::sample};
  const SplitPlan plan = square.plan("block", 1, 80);
  const Difference d = difference_of(square, plan, [&](std::int64_t row, std::int64_t r) {
    return 3 * rng.normal(1, static_cast<std::uint64_t>(row)) +
           2 * rng.normal(2, static_cast<std::uint64_t>(r));
  });
  EXPECT_NEAR(2 / std::sqrt(80.0), d.noise(), 0.06);
}

// Each training does every place good or harm by itself: nothing is common to all rows but by
// chance, where the spread of the repeats' means would have been 0.13 for their mean.
TEST(RepeatedSplits, WhatTrainingsDoToSinglePlacesIsNoNoiseOfAll) {
  const Square square(400);
  const Rng rng{6, Stream::sample};
  const SplitPlan plan = square.plan("random", 1, 60);
  const Difference d = difference_of(square, plan, [&](std::int64_t row, std::int64_t r) {
    const Point p = Span(square.points)[row];
    const auto cell = static_cast<std::uint64_t>(8 * std::floor(8 * p.x) + std::floor(8 * p.y));
    return 8 * rng.normal(100 + static_cast<std::uint64_t>(r), cell);
  });
  EXPECT_LT(d.noise(), 0.08);
}

// Errors of two models, alike over a twentieth of the square, the second model's `factor` times as
// large, with what each training adds: how often a league over one block split and over ten finds
// them different.
struct Found {
  int in_one = 0, in_ten = 0;
};

Found found_in(const Square& square, double factor, int draws) {
  const auto size = std::ssize(square.points);
  const SpatialModel field{Covariance::exponential, 0.05, 1.0, 0.0};
  std::vector<double> lower = test::covariances(square.points, field);
  EXPECT_TRUE(cholesky(ThreadPool(1), {lower.data(), size, size}));
  const auto draw = [&](std::uint64_t seed) {
    const Rng rng{seed, Stream::sample};
    std::vector<double> values(static_cast<std::size_t>(size), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        values[i] += lower[i * values.size() + j] * rng.normal(1, j);
      }
    }
    return values;
  };
  Found found;
  for (int d = 0; d < draws; ++d) {
    const auto seed = static_cast<std::uint64_t>(2 * d + 100);
    const std::vector<double> a = draw(seed), b = draw(seed + 1);
    const Rng rng{seed, Stream::dropout};
    const auto differs = [&](std::int64_t row, std::int64_t repeat) {
      const auto i = static_cast<std::size_t>(row);
      const auto r = static_cast<std::uint64_t>(repeat);
      const double at_row = 0.3 * rng.normal(10 + r, i), of_all = 0.1 * rng.normal(1, r);
      return factor * b[i] * b[i] - a[i] * a[i] + at_row + of_all;
    };
    for (const std::int64_t repeats : {1, 10}) {
      const SplitPlan plan = square.plan("block", 1, repeats, d);
      const double p = verdict_p(square, difference_of(square, plan, differs));
      (repeats == 1 ? found.in_one : found.in_ten) += p < 0.05 ? 1 : 0;
    }
  }
  return found;
}

// Of 1,000 draws of equal models the verdict over ten splits finds 47 different, that of a single
// one, which sees a fifth of the square, 87. (Of two models with errors half as large again in 400
// draws: 265 and 119.)
TEST(RepeatedSplits, OfEqualModelsAreRarelyFoundDifferent) {
  constexpr int kDraws = 200;
  const Found found = found_in(Square(400), 1, kDraws);
  // 5 % are 10 of 200, with a deviation of 3.1; three of those above it.
  EXPECT_LE(found.in_ten, 19);
  EXPECT_LE(found.in_ten, found.in_one);
}

TEST(RepeatedSplits, TellModelsApartThatOneSplitDoesNot) {
  constexpr int kDraws = 100;
  const Found found = found_in(Square(400), 1.5, kDraws);
  EXPECT_GT(2 * found.in_ten, 3 * found.in_one);
  EXPECT_GT(found.in_ten, kDraws / 2);
}

}  // namespace
}  // namespace pegnn
