#include "train/hold_out.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/scattered_rows.h"

namespace pegnn {
namespace {

TEST(HeldBlocks, AreWholeAndAboutAFifthOfTheRows) {
  for (const Space space : {Space::plane, Space::sphere, Space::degrees}) {
    Dataset data = test::scattered_rows(1000);
    data.space = space;
    Options o;
    o.validation = 0.1;
    const HeldBlocks held = hold_back_blocks(data, o);
    EXPECT_NEAR(200, static_cast<double>(held.rows.test.size()), 40);
    std::set<std::int32_t> test, train;
    for (const std::int64_t row : held.rows.test) {
      test.insert(held.block[static_cast<std::size_t>(row)]);
    }
    for (const std::int64_t row : held.rows.train) {
      train.insert(held.block[static_cast<std::size_t>(row)]);
    }
    for (const std::int32_t block : test) EXPECT_FALSE(train.contains(block));
    EXPECT_GE(test.size(), 8U);
    EXPECT_EQ(1000U, held.rows.test.size() + held.rows.train.size());
  }
}

TEST(HeldBlocks, OfFewRowsOrPlacesAreSingleRowsOrNone) {
  Options o;
  o.validation = 0.1;
  EXPECT_TRUE(hold_back_blocks(test::scattered_rows(3), o).rows.test.empty());
  const HeldBlocks few = hold_back_blocks(test::scattered_rows(20), o);
  EXPECT_EQ(2U, few.rows.test.size());
  EXPECT_TRUE(few.block.empty());
  Dataset one = test::scattered_rows(300);
  for (Point& p : one.points) p = {1, 2};
  EXPECT_EQ(30U, hold_back_blocks(one, o).rows.test.size());
  o.validation = 0;
  EXPECT_TRUE(hold_back_blocks(test::scattered_rows(500), o).rows.test.empty());
}

}  // namespace
}  // namespace pegnn
