#include "table/row_weights.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/log.h"
#include "table/dataset.h"

namespace pegnn {
namespace {

using Values = std::vector<double>;
using Rows = std::vector<std::int64_t>;

class Notes final : public Log {
 public:
  void note(std::string_view text) override { notes += std::string(text) + "\n"; }
  void warn(std::string_view) override {}
  void detail(std::string_view) override {}
  std::string notes;
};

Dataset weighed(const std::string& rows, MissingRows missing = MissingRows::refuse,
                Log& log = silent_log()) {
  const Table table = parse_table("lon,lat,y,w\n" + rows, "t.csv");
  const Roles roles = resolve_roles(table, {.target = "y", .weight = "w"}, silent_log());
  return make_dataset(table, roles, Space::sphere, missing, log);
}

std::string error_of(const std::string& rows, MissingRows missing = MissingRows::refuse) {
  try {
    weighed(rows, missing);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    return error.what();
  }
  return "no error";
}

TEST(RowWeights, AreDividedByTheirMean) {
  const Dataset data = weighed("1,1,5,2\n2,2,6,4\n3,3,7,6\n");
  EXPECT_EQ(data.weight, (Values{0.5, 1, 1.5}));
  EXPECT_TRUE(data.feature_names.empty()) << "a weight is no feature";
}

TEST(RowWeights, ThatAreEqualAreNone) {
  EXPECT_TRUE(weighed("1,1,5,0.3\n2,2,6,0.3\n3,3,7,0.3\n").weight.empty());
  EXPECT_TRUE(weighed("1,1,5,7\n").weight.empty()) << "one row";
  EXPECT_TRUE(weighed("1,1,5,7\n2,2,6,0\n3,3,7,7\n").weight.empty()) << "beside rows of weight 0";
}

TEST(RowWeights, RowsOfWeightZeroAreNotLookedAt) {
  Notes log;
  // Missing and impossible values, too, do not matter there; -0 is 0.
  const Dataset data =
      weighed("1,1,5,1\n,,,0\n2,2,6,3\n999,-999,inf,-0\n", MissingRows::refuse, log);
  EXPECT_EQ(data.table_rows, (Rows{0, 2}));
  EXPECT_EQ(data.y, (Values{5, 6}));
  EXPECT_EQ(data.weight, (Values{0.5, 1.5}));
  EXPECT_EQ(log.notes, "t.csv: 2 rows of weight 0 left out (column 'w')\n");
}

TEST(RowWeights, ThatAreAllZeroAreRefused) {
  EXPECT_EQ(error_of("1,1,5,0\n2,2,6,0\n"),
            "t.csv: column 'w': every row has weight 0; --weight takes a column in which some are "
            "positive");
  EXPECT_NE(error_of("1,1,5,0\n,2,6,1\n", MissingRows::drop).find("without missing"),
            std::string::npos)
      << "the only other row is dropped";
}

TEST(RowWeights, ThatCannotBeAreToldWithTheirPlace) {
  EXPECT_EQ(error_of("1,1,5,1\n2,2,6,-0.5\n"),
            "t.csv, line 3, column 'w': the weight -0.5 is negative; weights (--weight) are "
            "positive numbers, and 0 leaves a row out");
  EXPECT_NE(error_of("1,1,5,inf\n2,2,6,1\n", MissingRows::drop).find("line 2, column 'w': the "),
            std::string::npos);
  EXPECT_NE(error_of("1,1,5,1e101\n2,2,6,1\n").find("1e+101 is too large"), std::string::npos);
  EXPECT_NE(error_of("1,1,5,1e-101\n2,2,6,1\n").find("1e-101 is too small"), std::string::npos);
}

TEST(RowWeights, ThatAreMissingCountAsOtherMissingValues) {
  EXPECT_NE(error_of("1,1,5,1\n2,2,6,NA\n3,3,7,2\n").find("line 3 (column 'w'); --drop-na"),
            std::string::npos);
  const Dataset data = weighed("1,1,5,1\n2,2,6,NA\n3,3,7,3\n", MissingRows::drop);
  EXPECT_EQ(data.table_rows, (Rows{0, 2}));
  EXPECT_EQ(data.weight, (Values{0.5, 1.5}));
}

TEST(RowWeights, FarApartStayFinite) {
  const Dataset data = weighed("1,1,5,1e100\n2,2,6,1e-100\n3,3,7,1e100\n");
  EXPECT_DOUBLE_EQ(data.weight[0], 1.5);
  EXPECT_GT(data.weight[1], 0);
}

TEST(RowWeights, OfASubsetAreThoseOfItsRowsWithMeanOne) {
  const Dataset data = weighed("1,1,5,1\n2,2,6,3\n3,3,7,1\n4,4,8,3\n");
  EXPECT_EQ(subset(data, Rows{3, 0}).weight, (Values{1.5, 0.5}));
  EXPECT_TRUE(subset(data, Rows{0, 2}).weight.empty()) << "equal";
  EXPECT_TRUE(subset(data, Rows{}).weight.empty()) << "no rows";
}

}  // namespace
}  // namespace pegnn
