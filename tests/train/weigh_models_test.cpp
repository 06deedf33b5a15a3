// Weights of several models by place, from what they say of rows held out.

#include "train/weigh_models.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "base/philox.h"

namespace pegnn {
namespace {

const ThreadPool kPool(1);

struct Rows {
  Dataset data;
  OutOfFold held;
};

// As many rows near as far, of which two models know the target but for noise of these deviations.
struct Noise {
  double near = 0, far = 0;
};
Rows rows_of(std::int64_t near, std::int64_t far, const std::vector<Noise>& models,
             double unit = 1) {
  const Rng rng{11, Stream::sample};
  Rows out;
  out.data.space = Space::plane;
  out.held.neighbours = 24;
  out.held.far = {false, true, true};
  out.held.predicted.resize(models.size());
  for (std::int64_t i = 0; i < near + far; ++i) {
    const bool is_far = i >= near;
    const auto address = static_cast<std::uint64_t>(i);
    const double y = 3 * rng.normal(1, address);
    out.data.points.push_back({rng.uniform(2, address), rng.uniform(3, address)});
    out.held.rows.push_back(i);
    out.held.folds.push_back(is_far ? 1 + static_cast<std::int32_t>(i % 2) : 0);
    out.held.groups.push_back(static_cast<std::int32_t>(i));
    out.held.observed.push_back(unit * y);
    for (std::size_t m = 0; m < models.size(); ++m) {
      const double noise = is_far ? models[m].far : models[m].near;
      out.held.predicted[m].push_back(unit * (y + noise * rng.normal(10 + m, address)));
    }
    const double distance = (is_far ? 20 : 1) * (0.5 + rng.uniform(4, address));
    for (int j = 0; j < 24; ++j) out.held.distances.push_back(distance * (1 + 0.2 * j));
  }
  out.data.y = out.held.observed;
  return out;
}

Combination weighed(const Rows& rows) { return weigh_models(rows.data, rows.held, kPool); }

TEST(WeighModels, TheBetterOneAnswersNearAndTheOtherFar) {
  const Rows rows = rows_of(400, 400, {{.near = 0.3, .far = 2}, {.near = 2, .far = 0.3}});
  const Combination c = weighed(rows);
  EXPECT_GT(c.near[0], 0.9);
  EXPECT_LT(c.far[0], 0.1);
  EXPECT_NEAR(1, c.near[0] + c.near[1], 1e-9);
  EXPECT_NEAR(1, c.far[0] + c.far[1], 1e-9);
  EXPECT_TRUE(c.remoteness.usable());
  Array<double> close(24, 1.0), remote(24, 20.0);
  EXPECT_LT(c.remoteness.share(close), 0.2);
  EXPECT_GT(c.remoteness.share(remote), 0.8);
}

// Of independent errors of one size the best share is a half.
TEST(WeighModels, OnesThatAreAsGoodShareTheAnswer) {
  const Combination c = weighed(rows_of(4000, 4000, {{1, 1}, {1, 1}}));
  EXPECT_NEAR(0.5, c.near[0], 0.05);
  EXPECT_NEAR(0.5, c.far[0], 0.05);
}

TEST(WeighModels, WithoutEvidenceTheNetworkAnswersAlone) {
  Rows rows = rows_of(400, 400, {{0.5, 0.5}, {3, 3}, {4, 4}});
  // The others know what it knows, and add noise to it.
  for (std::int64_t i = 0; i < rows.held.size(); ++i) {
    for (std::size_t m = 1; m < 3; ++m) {
      rows.held.predicted[m][i] += rows.held.predicted[0][i] - rows.held.observed[i];
    }
  }
  const Combination c = weighed(rows);
  EXPECT_EQ((Array<double>{1, 0, 0}), c.near);
  EXPECT_EQ((Array<double>{1, 0, 0}), c.far);
}

TEST(WeighModels, FewRowsHeldOutTellNothing) {
  for (const auto& [near, far] : {std::pair{19, 400}, {400, 19}, {0, 0}, {0, 50}}) {
    const Combination c = weighed(rows_of(near, far, {{3, 3}, {0.1, 0.1}}));
    EXPECT_EQ((Array<double>{1, 0}), c.near);
    EXPECT_EQ((Array<double>{1, 0}), c.far);
  }
}

TEST(WeighModels, TheUnitOfTheTargetMakesNoDifference) {
  const std::vector<Noise> models{{0.5, 2}, {1, 1}};
  const Combination c = weighed(rows_of(300, 300, models));
  for (const double unit : {1e-200, 1e-6, 1e200}) {
    const Combination other = weighed(rows_of(300, 300, models, unit));
    for (int m = 0; m < 2; ++m) {
      EXPECT_NEAR(c.near[m], other.near[m], 1e-6) << unit;
      EXPECT_NEAR(c.far[m], other.far[m], 1e-6) << unit;
    }
  }
}

TEST(WeighModels, WhereAllAreRightTheNetworkAnswers) {
  const Combination c = weighed(rows_of(100, 100, {{0, 0}, {0, 0}}));
  EXPECT_EQ((Array<double>{1, 0}), c.near);
  EXPECT_EQ((Array<double>{1, 0}), c.far);
}

// One row in forty is a hundred times as large, and the network is off there by as much more.
TEST(WeighModels, AFewLargeValuesDoNotDecideForAll) {
  Rows rows = rows_of(800, 800, {{0.3, 0.3}, {3, 3}});
  for (std::int64_t i = 0; i < rows.held.size(); i += 40) {
    const double y = 300 + 10 * rows.held.observed[i];
    rows.held.observed[i] = y;
    rows.held.predicted[0][i] = y + (i % 80 == 0 ? 40 : -40);
    rows.held.predicted[1][i] = y + (i % 80 == 0 ? 20 : -20);
  }
  const Combination c = weighed(rows);
  EXPECT_GT(c.near[0], 0.8);
  EXPECT_GT(c.far[0], 0.8);
}

TEST(WeighModels, AnswersAreThoseOfTheModelsByTheirWeights) {
  const Rows rows = rows_of(30, 30, {{1, 1}, {1, 1}});
  const Combination c{.near = {0.25, 0.75}, .far = {1, 0}, .remoteness = {.by_distance = 1}};
  const Array<double> answers = weighed_answers(rows.held, c);
  for (std::int64_t i = 0; i < 60; ++i) {
    const double w = c.remoteness.share({rows.held.distances.data() + 24 * i, 24});
    const double expected = ((1 - w) * 0.25 + w) * rows.held.predicted[0][i] +
                            (1 - w) * 0.75 * rows.held.predicted[1][i];
    EXPECT_NEAR(expected, answers[i], 1e-12);
  }
}

}  // namespace
}  // namespace pegnn
