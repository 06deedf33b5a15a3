#include "paper/published.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "support/places.h"

namespace pegnn {
namespace {

constexpr Task kTasks[] = {Task::interpolation, Task::regression};

TEST(Published, TheRowsAreThoseOfThePaperInItsOrder) {
  for (const Task task : kTasks) {
    std::vector<std::string> expected;
    for (const std::string backbone : {"GCN", "GAT", "GraphSAGE", "KCN"}) {
      expected.push_back(backbone);
      for (const char* lambda : {"0", "0.25", "0.5", "0.75"}) {
        expected.push_back("PE-" + backbone + " λ=" + lambda);
      }
    }
    expected.insert(expected.end(), {"Approximate GP", "Exact GP"});
    std::vector<std::string> names;
    for (const PublishedRow& row : published_rows(task)) names.emplace_back(row.name);
    EXPECT_EQ(expected, names);
  }
}

TEST(Published, ALineStandsAboveEachFurtherBackboneAndTheProcesses) {
  for (const Task task : kTasks) {
    for (const PublishedRow& row : published_rows(task)) {
      const bool begins = row.name == "GAT" || row.name == "GraphSAGE" || row.name == "KCN" ||
                          row.name == "Approximate GP";
      EXPECT_EQ(begins, row.line_above) << row.name;
    }
  }
}

TEST(Published, OnlyTheExactProcessOnRoadsHasNoNumbers) {
  for (const Task task : kTasks) {
    for (const PublishedRow& row : published_rows(task)) {
      for (std::size_t d = 0; d < paper_datasets(task).size(); ++d) {
        const bool absent = row.model == "gp" && paper_datasets(task)[d] == "3d-road";
        EXPECT_EQ(absent, std::isnan(row.errors[d].mse)) << row.name;
        EXPECT_EQ(absent, std::isnan(row.errors[d].mae)) << row.name;
        if (absent) continue;
        EXPECT_GT(row.errors[d].mse, 0);
        // No mean of squares is below the square of the mean.
        EXPECT_GE(row.errors[d].mse + 5e-5, row.errors[d].mae * row.errors[d].mae) << row.name;
      }
    }
  }
}

TEST(Published, KcnIsTheSameInBothTables) {
  const auto one = published_rows(Task::interpolation), two = published_rows(Task::regression);
  for (std::size_t r = 15; r < 20; ++r) {
    for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(one[r].errors[d].mse, two[r].errors[d].mse);
  }
}

TEST(Published, TheHeadlineNumbersAreThere) {
  const auto one = published_rows(Task::interpolation), two = published_rows(Task::regression);
  EXPECT_EQ(0.0097, one[12].errors[0].mse);  // PE-GraphSAGE, California
  EXPECT_EQ(0.0025, one[16].errors[3].mse);  // PE-KCN, roads
  EXPECT_EQ(0.0029, two[12].errors[2].mse);  // PE-GraphSAGE, air
  EXPECT_EQ(0.0036, two[21].errors[0].mse);  // exact process, California
  EXPECT_EQ(0.0139, two[21].errors[1].mae);
}

// The lines of the paper's tables, without what is there for their looks.
TEST(Published, EveryNumberIsTheOneInTheText) {
  const std::filesystem::path file = test::paper_file();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not here";
  std::string text = read_file(file);
  for (const char* word : {"\\textbf{", "\t", " ", "}"}) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
      text.erase(at, std::string_view(word).size());
    }
  }
  for (const Task task : kTasks) {
    for (const PublishedRow& row : published_rows(task)) {
      std::string line;
      for (std::size_t d = 0; d < paper_datasets(task).size(); ++d) {
        const Errors& e = row.errors[d];
        line += std::isnan(e.mse) ? "&-&-" : fmt::format("&{:.4f}&{:.4f}", e.mse, e.mae);
      }
      EXPECT_NE(std::string::npos, text.find(line)) << row.name << line;
    }
  }
}

TEST(Published, IndependentRunsAreFoundByDataTaskModelAndWeight) {
  EXPECT_EQ(0.01456,
            independent_errors("california-housing", Task::interpolation, "pe-sage", 0.25).mse);
  EXPECT_EQ(0.0386, independent_errors("air-temperature", Task::regression, "pe-gcn", 0.5).mae);
  EXPECT_EQ(0.00987,
            independent_errors("california-housing", Task::regression, "gp", kNotThere).mse);
  EXPECT_TRUE(std::isnan(independent_errors("3d-road", Task::interpolation, "pe-gcn", 0).mse));
  EXPECT_TRUE(std::isnan(independent_errors("election", Task::regression, "pe-gcn", 0.25).mse));
}

}  // namespace
}  // namespace pegnn
