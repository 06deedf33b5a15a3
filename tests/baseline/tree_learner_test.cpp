// The trees that are taken from the library answer as it does itself, to the last bit.

#include "baseline/tree_learner.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "pegnn/error.h"
#include "pegnn/table.h"
#include "support/places.h"

namespace pegnn {
namespace {

struct Rows {
  std::int64_t columns = 0;
  std::vector<float> inputs = {}, target = {};

  std::int64_t size() const { return static_cast<std::int64_t>(target.size()); }
  Mat<const float> matrix() const { return {inputs.data(), size(), columns}; }
  TreeRows view() const { return {matrix(), target}; }
};

// Columns of many scales, one of few values and one of large numbers and small ones.
Rows random_rows(std::int64_t rows, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  Rows out{.columns = 5};
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(rows); ++i) {
    const double a = rng.normal(1, i), b = rng.uniform(2, i), c = std::floor(4 * rng.uniform(3, i));
    const double d = std::pow(10.0, 60 * rng.uniform(4, i) - 30), e = 1e-20 * rng.normal(5, i);
    for (const double v : {a, b, c, d, e}) out.inputs.push_back(static_cast<float>(v));
    out.target.push_back(static_cast<float>(a * b - c + std::log10(d) / 30 + rng.normal(6, i)));
  }
  return out;
}

// The sample table: elevation, in kilometres, by place.
Rows airports() {
  const Table table = read_table(test::source_folder() / "data" / "airports.csv");
  Rows out{.columns = 2};
  const std::vector<double>&x = table.find("longitude")->values,
        &y = table.find("latitude")->values, &z = table.find("elevation")->values;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (!std::isfinite(z[i])) continue;
    out.inputs.push_back(static_cast<float>(x[i]));
    out.inputs.push_back(static_cast<float>(y[i]));
    out.target.push_back(static_cast<float>(z[i] / 1000));
  }
  return out;
}

// Median house values, in 100,000 dollars, by all that is known of a block group.
Rows california() {
  const Table table = read_table(test::data_folder() / "california_housing.csv");
  Rows out{.columns = static_cast<std::int64_t>(table.columns().size()) - 1};
  const std::vector<double>& value = table.find("MedHouseVal")->values;
  for (std::size_t i = 0; i < value.size(); ++i) {
    out.target.push_back(static_cast<float>(value[i]));
    for (const Column& column : table.columns()) {
      if (column.name != "MedHouseVal") {
        out.inputs.push_back(static_cast<float>(column.values[i]));
      }
    }
  }
  return out;
}

class LearnedTrees : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_learn_trees()) GTEST_SKIP() << "this build has no XGBoost";
  }

  // Learns from `rows` and asks for `queries`, both ways; the number of trees.
  static std::int64_t expect_the_librarys_answers(const Rows& rows, const Rows& held,
                                                  const Rows& queries,
                                                  const TreeSettings& settings) {
    const RunSettings run;
    FitProgress progress(run);
    std::vector<float> wanted(static_cast<std::size_t>(queries.size())), got = wanted;
    const TreeOracle oracle{queries.matrix(), wanted};
    const Trees learned = learn_trees(rows.view(), held.view(), settings, progress, &oracle);
    Arrays arrays;
    learned.store(arrays);
    Trees trees;
    trees.restore({arrays, "test"}, rows.columns);
    trees.predict(queries.matrix(), got);
    EXPECT_EQ(got, wanted);
    EXPECT_GT(got.front() * got.front(), 0);
    return trees.size();
  }
};

TEST_F(LearnedTrees, AnswerRandomRowsAsTheLibraryDoes) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Rows rows = random_rows(400, seed), queries = random_rows(1000, 10 + seed);
    for (const std::int64_t leaves : {2, 31, 300}) {
      EXPECT_EQ(40, expect_the_librarys_answers(rows, {}, queries,
                                                {.rounds = 40, .leaves = leaves, .rate = 0.3}));
    }
  }
}

TEST_F(LearnedTrees, AnswerTheRowsOfARealTableAsTheLibraryDoes) {
  const Rows rows = airports();
  expect_the_librarys_answers(rows, {}, rows, {.rounds = 200});
}

TEST_F(LearnedTrees, AnswerTheRowsOfAWideTableAsTheLibraryDoes) {
  if (!std::filesystem::exists(test::data_folder() / "california_housing.csv")) {
    GTEST_SKIP() << "the larger tables are not here";
  }
  const Rows rows = california();
  expect_the_librarys_answers(rows, {}, rows, {.rounds = 60, .rate = 0.2});
}

TEST_F(LearnedTrees, AreThoseUpToTheLowestErrorOnHeldRows) {
  const Rows rows = random_rows(300, 1), held = random_rows(100, 2);
  const std::int64_t kept = expect_the_librarys_answers(rows, held, held, {.rate = 0.2});
  EXPECT_GT(kept, 1);
  EXPECT_LT(kept, 500);
}

TEST_F(LearnedTrees, AnswerBeyondTheRowsLearnedFromAndAtTheirThresholds) {
  // Quarters of the whole numbers learned from: trees are cut at some of them.
  Rows rows{.columns = 1}, queries{.columns = 1};
  for (int i = 0; i < 40; ++i) {
    rows.inputs.push_back(static_cast<float>(i));
    rows.target.push_back(static_cast<float>(std::sin(i)));
  }
  for (int i = -200; i < 300; ++i) queries.inputs.push_back(static_cast<float>(i) / 4);
  for (const float far : {-1e30F, 1e30F, 0.0F, -0.0F, 1e-45F}) queries.inputs.push_back(far);
  queries.target.resize(queries.inputs.size());
  expect_the_librarys_answers(rows, {}, queries, {.rounds = 50, .rate = 0.5});
}

TEST(TreesWithoutTheirLibrary, SayWhatIsMissing) {
  if (can_learn_trees()) GTEST_SKIP() << "this build has XGBoost";
  const RunSettings run;
  FitProgress progress(run);
  try {
    learn_trees({}, {}, {}, progress);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(e.what()).find("no XGBoost"), std::string::npos);
  }
}

}  // namespace
}  // namespace pegnn
