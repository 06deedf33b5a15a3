#include "pegnn/answer.h"

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(Answer, ColumnsAreNamedAfterTheMean) {
  EXPECT_EQ("pred", column_name({.kind = OutputKind::mean}));
  EXPECT_EQ("z_sd", column_name({.kind = OutputKind::deviation}, "z"));
  EXPECT_EQ("z_distance", column_name({.kind = OutputKind::distance}, "z"));
  EXPECT_EQ("pred_aoa", column_name({.kind = OutputKind::applicable}));
  EXPECT_EQ("pred_q05", column_name({.kind = OutputKind::quantile, .level = 0.05}));
  EXPECT_EQ("pred_q50", column_name({.kind = OutputKind::quantile, .level = 0.5}));
  EXPECT_EQ("pred_q975", column_name({.kind = OutputKind::quantile, .level = 0.975}));
  EXPECT_EQ("pred_p_wood", column_name({.kind = OutputKind::probability, .label = "wood"}));
}

TEST(Answer, ColumnsStandOneAfterTheOther) {
  Answer answer({{.kind = OutputKind::mean}, {.kind = OutputKind::deviation}}, 3);
  EXPECT_EQ(6U, answer.values.size());
  answer.column(1)[2] = 7;
  EXPECT_EQ(7, answer.values[5]);
  EXPECT_EQ(7, answer.deviation()[2]);
  EXPECT_EQ(3U, answer.mean().size());
  EXPECT_TRUE(answer.find(OutputKind::quantile).empty());
  EXPECT_TRUE(has_column(answer.columns, OutputKind::deviation));
  EXPECT_FALSE(has_column(answer.columns, OutputKind::probability));
}

TEST(Answer, OfNoRowsHasItsColumns) {
  const Answer none({{.kind = OutputKind::mean}}, 0);
  EXPECT_TRUE(none.mean().empty());
  EXPECT_EQ(1U, none.columns.size());
}

}  // namespace
}  // namespace pegnn
