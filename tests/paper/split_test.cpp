#include "paper/split.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "support/places.h"
#include "table/split.h"

namespace pegnn {
namespace {

// numpy.random.RandomState(1).permutation(10) is 2 9 6 4 0 3 1 7 8 5.
TEST(PaperSplit, IsThePermutationOfNumpy) {
  EXPECT_EQ((std::vector<std::int64_t>{2, 9}), paper_test_rows(10));
}

TEST(PaperSplit, TakesAFifthRoundedUp) {
  EXPECT_EQ(4128U, paper_test_rows(20640).size());
  EXPECT_EQ(622U, paper_test_rows(3107).size());
  EXPECT_EQ(616U, paper_test_rows(3076).size());
  EXPECT_EQ(1U, paper_test_rows(1).size());
  EXPECT_TRUE(paper_test_rows(0).empty());
}

TEST(PaperSplit, TakesNoRowTwice) {
  const std::vector<std::int64_t> rows = paper_test_rows(997, 3);
  const std::set<std::int64_t> distinct(rows.begin(), rows.end());
  EXPECT_EQ(rows.size(), distinct.size());
  EXPECT_LT(*distinct.rbegin(), 997);
  EXPECT_NE(rows, paper_test_rows(997, 4));
}

TEST(PaperSplit, IsTheOneThatScikitLearnMade) {
  const std::filesystem::path folder = test::data_folder() / "splits";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not here";
  const struct {
    const char* name;
    std::int64_t rows;
  } kSets[] = {{"california_housing", 20640}, {"election", 3107}, {"air_temperature", 3076}};
  for (const auto& set : kSets) {
    const auto file = folder / (std::string(set.name) + "_test_rows_seed1.txt");
    EXPECT_EQ(read_row_numbers(file, set.rows), paper_test_rows(set.rows)) << set.name;
  }
}

}  // namespace
}  // namespace pegnn
