#include "table/split.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/atomic_file.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

using Rows = std::vector<std::int64_t>;

// Both parts ascending, together every row once.
void expect_partition(const Split& split, std::int64_t rows) {
  EXPECT_TRUE(std::is_sorted(split.train.begin(), split.train.end()));
  EXPECT_TRUE(std::is_sorted(split.test.begin(), split.test.end()));
  Rows all = split.train;
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::sort(all.begin(), all.end());
  Rows expected(static_cast<std::size_t>(rows));
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
}

void expect_each_row_tested_once(const std::vector<Split>& folds, std::int64_t rows) {
  Rows tested;
  for (const Split& fold : folds) {
    expect_partition(fold, rows);
    EXPECT_FALSE(fold.test.empty());
    tested.insert(tested.end(), fold.test.begin(), fold.test.end());
  }
  EXPECT_EQ(static_cast<std::int64_t>(tested.size()), rows);
}

template <class Function>
std::string error_of(ErrorKind kind, Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

TEST(Split, ARandomSplitHasTheShareAsked) {
  const Split split = random_split(1000, 0.2, 1);
  EXPECT_EQ(split.test.size(), 200U);
  expect_partition(split, 1000);
  // 200 of the first rows would be no random choice.
  EXPECT_GT(split.test.back(), 900);
}

TEST(Split, TheSeedDecides) {
  EXPECT_EQ(random_split(100, 0.3, 7).test, random_split(100, 0.3, 7).test);
  EXPECT_NE(random_split(100, 0.3, 7).test, random_split(100, 0.3, 8).test);
  EXPECT_NE(random_folds(100, 5, 7)[0].test, random_folds(100, 5, 8)[0].test);
}

TEST(Split, BothPartsHaveARowHoweverSmallTheShare) {
  EXPECT_EQ(random_split(2, 0.001, 0).test.size(), 1U);
  EXPECT_EQ(random_split(3, 0.999, 0).train.size(), 1U);
  EXPECT_TRUE(random_split(3, 0, 0).test.empty());
}

TEST(Split, ImpossibleSharesAreRefused) {
  EXPECT_EQ(error_of(ErrorKind::usage, [] { random_split(10, 1.0, 0); }),
            "share 1 of the rows: must lie in [0, 1)");
  error_of(ErrorKind::usage, [] { random_split(10, -0.1, 0); });
  EXPECT_EQ(error_of(ErrorKind::data, [] { random_split(1, 0.5, 0); }),
            "1 data row(s) cannot be split; at least 2 are needed");
}

TEST(Split, RandomFoldsTestEachRowOnce) {
  const std::vector<Split> folds = random_folds(103, 10, 3);
  ASSERT_EQ(folds.size(), 10U);
  expect_each_row_tested_once(folds, 103);
  for (const Split& fold : folds) {
    EXPECT_GE(fold.test.size(), 10U);
    EXPECT_LE(fold.test.size(), 11U);
  }
}

TEST(Split, EveryRowMayBeItsOwnFold) {
  expect_each_row_tested_once(random_folds(4, 4, 0), 4);
  EXPECT_EQ(error_of(ErrorKind::usage, [] { random_folds(4, 5, 0); }),
            "--folds 5: at least 2, at most the number of rows (4)");
  error_of(ErrorKind::usage, [] { random_folds(4, 1, 0); });
}

TEST(Split, GroupsStayTogetherAndFoldsBalance) {
  // Sizes 6, 3, 2, 1 into two folds can only balance as 6 and 3 + 2 + 1.
  const std::vector<std::int32_t> group = {9, 9, 4, -1, 9, 4, 7, 9, -1, 9, 4, 9};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<Split> folds = group_folds(group, 2, seed);
    expect_each_row_tested_once(folds, 12);
    EXPECT_EQ(folds[0].test, (Rows{0, 1, 4, 7, 9, 11}));
  }
}

TEST(Split, GroupsOfOneSizeAreDealtAtRandom) {
  std::vector<std::int32_t> group(40);
  std::iota(group.begin(), group.end(), 0);
  std::set<Rows> seen;
  for (std::uint64_t seed = 0; seed < 5; ++seed) seen.insert(group_folds(group, 4, seed)[0].test);
  EXPECT_EQ(seen.size(), 5U);
}

TEST(Split, FewerGroupsThanFoldsAreRefused) {
  const std::vector<std::int32_t> group = {1, 1, 2};
  EXPECT_EQ(
      error_of(ErrorKind::usage, [&] { group_folds(group, 3, 0); }),
      "--folds 3: at least 2, at most the number of groups (spatial blocks: smaller ones give "
      "more) (2)");
}

RC_GTEST_PROP(Split, GroupFoldsDifferByNoMoreThanTheLargestGroup, ()) {
  const auto group = *rc::gen::container<std::vector<std::int32_t>>(50, rc::gen::inRange(0, 20));
  const std::set<std::int32_t> ids(group.begin(), group.end());
  const auto folds = *rc::gen::inRange<std::int64_t>(2, 5);
  RC_PRE(static_cast<std::int64_t>(ids.size()) >= folds);
  std::int64_t least = std::ssize(group), most = 0, largest = 0;
  std::map<std::int32_t, std::int64_t> sizes;
  std::map<std::int32_t, std::size_t> fold_of;
  for (const std::int32_t id : group) largest = std::max(largest, ++sizes[id]);
  const std::vector<Split> splits = group_folds(group, folds, 5);
  for (std::size_t f = 0; f < splits.size(); ++f) {
    least = std::min(least, splits[f].test.size());
    most = std::max(most, splits[f].test.size());
    for (const std::int64_t row : splits[f].test) {
      const auto [at, first] = fold_of.emplace(group[static_cast<std::size_t>(row)], f);
      RC_ASSERT(first || at->second == f);
    }
  }
  RC_ASSERT(most - least <= largest);
}

TEST(Split, TestRowsMayBeGiven) {
  const Split split = split_by_rows(5, Rows{4, 1});
  EXPECT_EQ(split.train, (Rows{0, 2, 3}));
  EXPECT_EQ(split.test, (Rows{1, 4}));
}

TEST(Split, WrongTestRowsAreRefused) {
  EXPECT_EQ(error_of(ErrorKind::usage, [] { split_by_rows(5, Rows{5}); }),
            "test row 5 is outside 0 to 4");
  EXPECT_EQ(error_of(ErrorKind::usage,
                     [] {
                       split_by_rows(5, Rows{1, 1});
                     }),
            "test row 1 is given twice");
  EXPECT_EQ(error_of(ErrorKind::usage,
                     [] {
                       split_by_rows(2, Rows{0, 1});
                     }),
            "all rows are test rows; none are left to train on");
}

// A file of row numbers that is gone at the end of the test.
class RowNumbers : public ::testing::Test {
 protected:
  ~RowNumbers() override { std::filesystem::remove(file_); }

  Rows read(const std::string& text, std::int64_t rows = 10) {
    write_file(file_, text);
    return read_row_numbers(file_, rows);
  }
  std::string data_error(const std::string& text) {
    std::string message = error_of(ErrorKind::data, [&] { read(text); });
    if (message.starts_with(file_.string())) message.erase(0, file_.string().size());
    return message;
  }

  const std::filesystem::path file_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("pegnn_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(RowNumbers, AreReadInTheOrderOfTheFile) {
  EXPECT_EQ(read("3\n0\r\n 9 \n\n"), (Rows{3, 0, 9}));
  EXPECT_EQ(read("5"), Rows{5});
}

TEST_F(RowNumbers, AWrongLineIsRefusedWithItsNumber) {
  EXPECT_EQ(data_error("1\n2.5\n"),
            ", line 2: '2.5' is not a row number; one 0-based data-row "
            "number per line is expected");
  EXPECT_NE(data_error("1\n\n2\n").find("line 2: '' is not a row number"), std::string::npos);
  EXPECT_NE(data_error("\n1\n").find("line 1: '' is not"), std::string::npos);
  EXPECT_EQ(data_error("1\n10\n"),
            ", line 2: row 10 is outside 0 to 9, the data rows of the table");
  EXPECT_NE(data_error("-1\n").find("row -1 is outside"), std::string::npos);
  EXPECT_EQ(data_error("4\n1\n4\n"), ", line 3: row 4 was named before, on line 1");
}

TEST_F(RowNumbers, AFileWithoutAnyIsRefused) {
  EXPECT_EQ(data_error(""), " names no rows");
  EXPECT_EQ(data_error("\n \n"), " names no rows");
}

TEST_F(RowNumbers, AMissingFileIsAResourceError) {
  error_of(ErrorKind::resource, [&] { read_row_numbers("no/such/file", 3); });
}

TEST(RandomSplit, ValidationAndTestOfOneSeedAreDrawnApart) {
  const Split test = random_split(400, 0.2, 1);
  const Split validation = random_split(400, 0.2, 1, SplitUse::validation);
  std::vector<std::int64_t> both;
  std::set_intersection(test.test.begin(), test.test.end(), validation.test.begin(),
                        validation.test.end(), std::back_inserter(both));
  EXPECT_LT(both.size(), 32U) << "16 of 80 are expected by chance";
}

TEST(GroupSplit, HoldsOutWholeGroupsOfAboutTheShare) {
  std::vector<std::int32_t> group;
  for (std::int32_t g = 0; g < 50; ++g) group.insert(group.end(), 10, g);
  for (const double share : {0.05, 0.2, 0.5, 0.9}) {
    const Split split = group_split(group, share, 3);
    EXPECT_NEAR(share * 500, static_cast<double>(split.test.size()), 5.0) << share;
    EXPECT_EQ(500U, split.train.size() + split.test.size());
    std::set<std::int32_t> held;
    for (const std::int64_t row : split.test) held.insert(group[static_cast<std::size_t>(row)]);
    for (const std::int64_t row : split.train) {
      EXPECT_EQ(0U, held.count(group[static_cast<std::size_t>(row)]));
    }
  }
}

TEST(GroupSplit, LeavesAGroupOnEachSide) {
  const std::vector<std::int32_t> group{1, 1, 1, 2};
  for (const double share : {0.01, 0.99}) {
    const Split split = group_split(group, share, 1);
    EXPECT_FALSE(split.test.empty());
    EXPECT_FALSE(split.train.empty());
  }
  EXPECT_THROW(group_split(std::vector<std::int32_t>{1, 1}, 0.5, 1), Error);
  EXPECT_THROW(group_split(group, 1.0, 1), Error);
}

}  // namespace
}  // namespace pegnn
