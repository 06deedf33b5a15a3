// The real tables the project learns from, against the counts and means in their README.

#include <filesystem>
#include <numeric>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "pegnn/table.h"
#include "support/places.h"
#include "table/split.h"

namespace pegnn {
namespace {

struct Expected {
  const char* file;
  std::int64_t rows;
  std::size_t columns;
  const char* column;
  double mean;  // as the README gives it, to 8 digits
};

const Expected kTables[] = {
    {"california_housing.csv", 20640, 9, "MedHouseVal", 2.0685582},
    {"election.csv", 3107, 11, "median_income", 49388.115},
    {"air_temperature.csv", 3076, 4, "meanT", 13.51528},
    {"3d_road_sample5000.csv.gz", 5000, 3, "altitude", 24.387816},
    {"standin_jacksboro_dem.csv.gz", 138632, 3, "elevation", 531.03117},
};

TEST(SharedData, EveryTableReadsWholeAndNumeric) {
  const std::filesystem::path folder = test::data_folder();
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "shared/data is not here; set PEGNN_DATA";
  }
  for (const Expected& expected : kTables) {
    SCOPED_TRACE(expected.file);
    const Table table = read_table(folder / expected.file);
    EXPECT_EQ(table.rows(), expected.rows);
    EXPECT_EQ(table.columns().size(), expected.columns);
    for (const Column& column : table.columns()) EXPECT_EQ(column.text_cells, 0) << column.name;
    EXPECT_EQ(table.line_of(table.rows() - 1), expected.rows + 1);
    const Column* column = table.find(expected.column);
    ASSERT_NE(column, nullptr);
    const double mean = std::accumulate(column->values.begin(), column->values.end(), 0.0) /
                        static_cast<double>(table.rows());
    EXPECT_NEAR(mean, expected.mean, 5e-8 * expected.mean);  // half a unit of the eighth digit
  }
}

TEST(SharedData, TheReferenceSplitsHaveTheirSizes) {
  const std::filesystem::path folder = test::data_folder() / "splits";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "shared/data is not here; set PEGNN_DATA";
  }
  using Sizes = std::pair<std::int64_t, std::int64_t>;
  const auto sizes = [&](const char* name, std::int64_t rows) {
    const auto test = read_row_numbers(folder / (std::string(name) + "_test_rows_seed1.txt"), rows);
    const Split split = split_by_rows(rows, test);
    return Sizes(split.train.size(), split.test.size());
  };
  EXPECT_EQ(sizes("california_housing", 20640), Sizes(16512, 4128));
  EXPECT_EQ(sizes("election", 3107), Sizes(2485, 622));
  EXPECT_EQ(sizes("air_temperature", 3076), Sizes(2460, 616));
}

}  // namespace
}  // namespace pegnn
