// What is special to boosted trees that see their neighbours' labels; the rest is in
// conformance_test.cpp.

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "baseline/baseline.h"
#include "baseline/tree_learner.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

using test::SpatialRows;

class BoostingLabels : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_learn_trees()) GTEST_SKIP() << "this build has no XGBoost";
  }

  static std::unique_ptr<Baseline> fit(const char* name, const SpatialRows& rows,
                                       const SpatialRows& held, std::int64_t k) {
    Options options;
    options.k = k;
    options.trees = 100;
    const BaselineEntry& entry = *find_baseline(name);
    entry.resolve(options, static_cast<std::int64_t>(rows.points.size()));
    auto made = entry.make({options, Space::plane, rows.feature_count, {}});
    const RunSettings run;
    FitProgress progress(run);
    made->fit(rows.rows(), held.rows(), ThreadPool(1), progress);
    return made;
  }

  static double error(Baseline& made, const SpatialRows& queries) {
    std::vector<double> mean(queries.points.size());
    made.predict(queries.rows(), ThreadPool(1), mean, {});
    double sum = 0;
    for (std::size_t i = 0; i < mean.size(); ++i) sum += std::pow(mean[i] - queries.target[i], 2);
    return sum / static_cast<double>(mean.size());
  }
};

// Rows at one of 200 sites, each with a level of its own: only another row's label tells it.
SpatialRows sites(std::size_t rows, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample}, site{77, Stream::sample};
  SpatialRows out;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t at = rng.below(200, 1, i);
    out.points.push_back({site.uniform(1, at), site.uniform(2, at)});
    out.target.push_back(site.normal(3, at) + 0.1 * rng.normal(2, i));
  }
  return out;
}

SpatialRows without_pattern(std::size_t rows, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  SpatialRows out;
  for (std::size_t i = 0; i < rows; ++i) {
    out.points.push_back({rng.uniform(1, i), rng.uniform(2, i)});
    out.target.push_back(rng.normal(3, i));
  }
  return out;
}

TEST_F(BoostingLabels, LearnsFromTheLabelsWhatCoordinatesCannotTell) {
  const SpatialRows rows = sites(500, 1), held = sites(60, 2), test = sites(200, 3);
  const double plain = error(*fit("boosting", rows, held, 0), test);
  const double labels = error(*fit("boosting_labels", rows, held, 5), test);
  EXPECT_LT(labels, 0.6 * plain);
}

TEST_F(BoostingLabels, ATrainingRowDoesNotSeeItsOwnLabel) {
  // With its own label among the inputs each row would be explained by it, and a new one by the
  // label of its neighbour, off by twice the variance where labels have nothing in common.
  const SpatialRows rows = without_pattern(300, 1);
  const auto made = fit("boosting_labels", rows, {}, 1);
  EXPECT_LT(error(*made, without_pattern(300, 3)), 1.6);
}

TEST_F(BoostingLabels, TheOrderOfTheRowsDoesNotDecideBetweenNeighboursAtOnePlace) {
  const SpatialRows rows = sites(300, 1), queries = sites(50, 3);
  std::vector<std::size_t> backwards(300);
  for (std::size_t i = 0; i < 300; ++i) backwards[i] = 299 - i;
  std::vector<double> given(50), turned(50);
  fit("boosting_labels", rows, {}, 2)->predict(queries.rows(), ThreadPool(1), given, {});
  fit("boosting_labels", rows.picked(backwards), {}, 2)
      ->predict(queries.rows(), ThreadPool(1), turned, {});
  EXPECT_EQ(given, turned);
}

TEST_F(BoostingLabels, KeepsTheLabelsItWasFittedOn) {
  const SpatialRows rows = sites(40, 1);
  Arrays arrays;
  fit("boosting_labels", rows, sites(10, 2), 3)->store(arrays);
  const ArrayReader reader(arrays, "test");
  EXPECT_EQ(reader.points("points").size(), 40U);  // rows held back are not among them
  EXPECT_EQ(reader.matrix("labels", 40, 1).rows, 40);
  // Two coordinates, three labels, three distances, two means.
  EXPECT_EQ(reader.matrix("columns", -1, 2).rows, 10);
}

TEST_F(BoostingLabels, TakesTenNeighboursOfItsOwnAccordAndNoMoreThanThereAre) {
  Options many, few;
  find_baseline("boosting_labels")->resolve(many, 1000);
  find_baseline("boosting_labels")->resolve(few, 6);
  EXPECT_EQ(many.k, 10);
  EXPECT_EQ(few.k, 5);
}

}  // namespace
}  // namespace pegnn
