#include "report/moran_page.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "report/plots.h"
#include "support/markup.h"

namespace pegnn {
namespace {

using testing_report::holds_no_number;
using testing_report::markup_fault;
using testing_report::occurrences;
using testing_report::pictures;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Sample {
  std::vector<Point> points;
  std::vector<double> values;
  Moran result;
  Lisa lisa;
  LisaRule rule;
  std::int64_t permutations;

  // Values that rise to the east, or noise.
  Sample(std::size_t rows, double slope, int tests = 999, LisaRule by = {})
      : rule(by), permutations(tests) {
    const Rng rng{3, Stream::sample};
    for (std::size_t i = 0; i < rows; ++i) {
      points.push_back({10 * rng.uniform(1, i), 40 + 8 * rng.uniform(2, i)});
      values.push_back(slope * points[i].x + rng.normal(3, i));
    }
    result = moran(points, Space::sphere, values, 5, {.permutations = tests}, 1);
    lisa = classify(result, tests, rule);
  }

  std::string page() const {
    const ThreadPool pool(1);
    const Variogram variogram = empirical_variogram(points, Space::sphere, values, {}, pool);
    return moran_page({.value = "rain & <snow>",
                       .source = "t.csv",
                       .x_name = "lon",
                       .y_name = "lat",
                       .space = Space::sphere,
                       .points = points,
                       .moran = result,
                       .lisa = lisa,
                       .rule = rule,
                       .neighbours = 5,
                       .permutations = permutations,
                       .usual = variogram,
                       .robust = variogram,
                       .provenance = {{"command", "pegnn moran", ""}}});
  }
};

void expect_sound(const std::string& page) {
  EXPECT_EQ(markup_fault(page), "");
  EXPECT_FALSE(holds_no_number(pictures(page)));
  EXPECT_EQ(occurrences(page, "http"), 0) << "asks for nothing outside";
}

TEST(MoranPage, ShowsMapCountsScatterAndVariogram) {
  const Sample sample(400, 1);
  const std::string page = sample.page();
  expect_sound(page);
  EXPECT_EQ(occurrences(page, "<svg"), 3);
  for (const char* part :
       {"rain &amp; &lt;snow&gt;", "Moran&#39;s I on t.csv", "id=\"clusters-t\"", "How many rows",
        "id=\"moran-t\"", "id=\"variogram-t\"", "Semivariance by distance", "adjusted p ≤ 0.05",
        "pegnn moran", "Values of neighbours are alike, more than by chance."}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
  EXPECT_TRUE(has(page, "HH high among high: " + std::to_string(sample.lisa.kinds[1])));
  EXPECT_GT(sample.lisa.kinds[1], 10);
}

TEST(MoranPage, SaysWhatWouldHelpWhenControlLeavesNothing) {
  const Sample sample(400, 0);
  ASSERT_EQ(sample.lisa.kinds[0], 400);
  const std::string page = sample.page();
  expect_sound(page);
  EXPECT_TRUE(has(page, "No row is significant once false discoveries are controlled at 0.05."));
  const std::vector<std::string> said = nothing_left(sample.lisa, sample.rule, 999);
  ASSERT_EQ(said.size(), 2U);
  EXPECT_TRUE(nothing_left(sample.lisa, {.control = false}, 999).empty());
}

TEST(MoranPage, WithoutControlHasOneColumnOfCounts) {
  const std::string page = Sample(300, 1, 99, {.alpha = 0.1, .control = false}).page();
  expect_sound(page);
  EXPECT_TRUE(has(page, "a local p-value of at most 0.1"));
  EXPECT_FALSE(has(page, "adjusted p ≤"));
}

TEST(MoranPage, WithoutPermutationsHasNoCounts) {
  const std::string page = Sample(300, 1, 0).page();
  expect_sound(page);
  EXPECT_TRUE(has(page, "Without permutations there is no p-value to judge I by."));
  EXPECT_FALSE(has(page, "hot spot</td>"));
}

TEST(MoranPage, OfAConstantSaysSo) {
  Sample sample(50, 0);
  sample.values.assign(50, 3.5);
  sample.result = moran(sample.points, Space::sphere, sample.values, 5, {}, 1);
  sample.lisa = classify(sample.result, 999, {});
  const std::string page = sample.page();
  expect_sound(page);
  EXPECT_TRUE(has(page, "The values are all equal"));
  EXPECT_TRUE(has(page, "There is no Moran scatter"));
}

TEST(ClusterMap, OfManyPointsStaysSmallAndShowsEveryKind) {
  const Rng rng{5, Stream::sample};
  std::vector<Point> points;
  std::vector<int> cluster;
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    points.push_back({10 * rng.uniform(1, i), 8 * rng.uniform(2, i)});
    cluster.push_back(i % 50 == 0 ? 1 + static_cast<int>(i / 50 % 4) : 0);
  }
  const MapFrame frame(points, Space::plane, "x", "y");
  const Plot plot = cluster_map({{"m", "t", "d"}, points, cluster}, frame);
  EXPECT_EQ(markup_fault(plot.svg), "");
  EXPECT_LT(plot.svg.size(), 400'000U);
  EXPECT_TRUE(has(plot.note, "small square"));
  for (const char* kind : {"q0", "q1", "q2", "q3", "q4"}) EXPECT_TRUE(has(plot.svg, kind)) << kind;
  EXPECT_TRUE(has(plot.svg, "not significant: 58,800"));
}

TEST(ClusterMap, LeavesOutPlacesThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Point> points = {{1, 1}, {nan, 2}, {3, 3}};
  const std::vector<int> cluster = {1, 3, 9};
  const MapFrame frame(points, Space::sphere, "x", "y");
  const Plot plot = cluster_map({{"m", "t", "d"}, points, cluster}, frame);
  EXPECT_FALSE(holds_no_number(plot.svg));
  EXPECT_TRUE(has(plot.svg, "not significant: 1"));
  EXPECT_TRUE(plot.note.empty());
}

}  // namespace
}  // namespace pegnn
