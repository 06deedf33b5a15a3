#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "geo/nearest.h"
#include "pegnn/parts.h"
#include "support/gradient.h"
#include "support/refused.h"

namespace pegnn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<Point> scattered(std::size_t n) {
  const std::vector<double> c = test::random_values(2 * n, 3);
  std::vector<Point> points;
  for (std::size_t i = 0; i < n; ++i) points.push_back({180 * c[2 * i], 90 * c[2 * i + 1]});
  return points;
}

TEST(SinusoidalTransform, IsLaidOutByCoordinateThenScaleThenSineAndCosine) {
  const std::vector<Point> points = {{0, 0}, {std::numbers::pi, 2}};
  const std::vector<double> found = sinusoidal_transform(points, 2, 1, 2, 1);
  ASSERT_EQ(16U, found.size());
  const double pi = std::numbers::pi;
  const double wanted[] = {0,
                           1,
                           0,
                           1,
                           0,
                           1,
                           0,
                           1,
                           std::sin(pi),
                           std::cos(pi),
                           std::sin(pi / 2),
                           std::cos(pi / 2),
                           std::sin(2.0),
                           std::cos(2.0),
                           std::sin(1.0),
                           std::cos(1.0)};
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(wanted[i], found[i], 1e-15) << i;
}

TEST(SinusoidalTransform, TakesNoPointsOneScaleAndAnyNumberOfThreads) {
  EXPECT_TRUE(sinusoidal_transform({}, 4, 0.1, 10, 1).empty());
  const std::vector<Point> points = scattered(5000);
  EXPECT_EQ(4U * 5000, sinusoidal_transform(points, 1, 3, 3, 1).size());
  EXPECT_EQ(sinusoidal_transform(points, 8, 0.1, 10, 1),
            sinusoidal_transform(points, 8, 0.1, 10, 3));
}

TEST(SinusoidalTransform, RefusesWhatHasNoAngle) {
  const std::vector<Point> points = {{1, 2}}, nowhere = {{1, 2}, {kNaN, 0}}, far = {{1e99, 0}};
  test::refusal([&] { sinusoidal_transform(points, 0, 1, 2, 1); });
  test::refusal([&] { sinusoidal_transform(points, -3, 1, 2, 1); });
  test::refusal([&] { sinusoidal_transform(points, 2, 0, 2, 1); });
  test::refusal([&] { sinusoidal_transform(points, 2, 1, -2, 1); });
  test::refusal([&] { sinusoidal_transform(points, 2, kNaN, 2, 1); });
  test::refusal([&] { sinusoidal_transform({}, 2, 1, 0, 1); });
  test::refusal([&] { sinusoidal_transform(nowhere, 2, 1, 2, 1); });
  test::refusal([&] { sinusoidal_transform(far, 2, 1e-300, 2, 1); });
}

TEST(SinusoidalTransform, LargerThanAnyMemoryIsRefusedBeforeItIsTaken) {
  const std::vector<Point> points = scattered(1000);
  test::refusal([&] { sinusoidal_transform(points, 2147483647, 1, 2, 1); }, ErrorKind::memory);
}

TEST(NeighbourGraph, HasTheNeighboursOfBruteForceWithPolesAntimeridianAndDuplicates) {
  std::vector<Point> points = scattered(200);
  points[0] = {180, 10};
  points[1] = {-180, 10};
  points[2] = {30, 90};
  points[3] = {-120, 90};
  points[4] = points[5];
  for (const Space space : {Space::sphere, Space::plane, Space::degrees}) {
    const NeighbourGraph graph = neighbour_graph(points, space, 7, "binary", 2);
    Neighbours wanted;
    search_by_brute_force(points, points, space, 7, true, wanted);
    EXPECT_EQ(200, graph.nodes());
    EXPECT_EQ(wanted.rows, graph.columns);
    EXPECT_EQ(wanted.distances, graph.lengths);
    EXPECT_EQ(std::vector<double>(1400, 1.0), graph.weights);
    EXPECT_EQ(7, graph.offsets[1]);
    EXPECT_EQ(1400, graph.offsets[200]);
  }
}

TEST(NeighbourGraph, OnTheGlobeIsTheSameWhereverLongitudesBegin) {
  std::vector<Point> east = scattered(100);
  const NeighbourGraph wanted = neighbour_graph(east, Space::sphere, 3, "minmax", 1);
  for (Point& p : east) {
    if (p.x < 0) p.x += 360;
  }
  const NeighbourGraph found = neighbour_graph(east, Space::sphere, 3, "minmax", 1);
  EXPECT_EQ(wanted.columns, found.columns);
}

TEST(NeighbourGraph, OfFewPointsLinksAllOthersAndOfNoneIsEmpty) {
  const std::vector<Point> three = {{0, 0}, {1, 0}, {3, 0}};
  const NeighbourGraph graph = neighbour_graph(three, Space::plane, 9, "minmax", 1);
  EXPECT_EQ((std::vector<std::int32_t>{1, 2, 0, 2, 1, 0}), graph.columns);
  EXPECT_EQ((std::vector<double>{1, 3, 1, 2, 2, 3}), graph.lengths);
  EXPECT_EQ((std::vector<double>{1, 0, 1, 0.5, 0.5, 0}), graph.weights);

  const NeighbourGraph one =
      neighbour_graph(std::span(three).first(1), Space::plane, 1, "binary", 1);
  EXPECT_EQ((std::vector<std::int64_t>{0, 0}), one.offsets);
  const NeighbourGraph none = neighbour_graph({}, Space::sphere, 1, "gaussian", 1);
  EXPECT_EQ(0, none.nodes());
  EXPECT_TRUE(none.columns.empty());
}

TEST(NeighbourGraph, RefusesWrongNumbersWordsAndPlaces) {
  const std::vector<Point> points = {{0, 0}, {1, 1}}, north = {{0, 0}, {0, 91}};
  test::refusal([&] { neighbour_graph(points, Space::plane, 0, "minmax", 1); });
  test::refusal([&] { neighbour_graph(points, Space::plane, kMostNeighbours + 1, "minmax", 1); });
  test::refusal([&] { neighbour_graph(points, Space::plane, 1, "min-max", 1); });
  test::refusal([&] { neighbour_graph({}, Space::plane, 1, "", 1); });
  test::refusal([&] { neighbour_graph(north, Space::sphere, 1, "minmax", 1); });
  test::refusal([&] { neighbour_graph(north, Space::degrees, 1, "minmax", 1); });
  EXPECT_EQ(2, neighbour_graph(north, Space::plane, 1, "minmax", 1).nodes());
}

// Two pairs far from each other.
NeighbourGraph pairs() { return {{0, 1, 2, 3, 4}, {1, 0, 3, 2}, {1, 1, 1, 1}, {1, 1, 1, 0.5}}; }

TEST(LocalMoranOnAGraph, TakesTheWeightsAsTheyAre) {
  // z = -1.5, -0.5, 0.5, 1.5; sum of squares 5; I_i = 3/5 z_i w z_j
  const std::vector<double> found = local_moran(std::vector<double>{1, 2, 3, 4}, pairs(), 1);
  const std::vector<double> wanted = {0.45, 0.45, 0.45, 0.225};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(wanted[i], found[i], 1e-15);
}

TEST(LocalMoranOnAGraph, OfEqualValuesIsZeroAndOfNoNodesEmpty) {
  EXPECT_EQ(std::vector<double>(4, 0.0), local_moran(std::vector<double>(4, 0.1), pairs(), 2));
  EXPECT_TRUE(local_moran({}, {{0}, {}, {}, {}}, 1).empty());
}

TEST(LocalMoranOnAGraph, RefusesValuesAndGraphsThatDoNotFit) {
  const std::vector<double> four = {1, 2, 3, 4};
  test::refusal([&] { local_moran(std::span(four).first(3), pairs(), 1); });
  for (const double wrong : {kNaN, std::numeric_limits<double>::infinity(), 1e200}) {
    test::refusal([&] { local_moran(std::vector<double>{1, 2, 3, wrong}, pairs(), 1); });
  }
  std::vector<NeighbourGraph> wrong(8, pairs());
  wrong[0].offsets = {};
  wrong[1].offsets = {0, 1, 2, 3, 5};
  wrong[2].offsets = {0, 3, 2, 3, 4};
  wrong[3].offsets = {-1, 1, 2, 3, 4};
  wrong[4].columns[2] = 4;
  wrong[5].columns[2] = -1;
  wrong[6].weights.pop_back();
  wrong[7].weights[0] = kNaN;
  for (const NeighbourGraph& graph : wrong) test::refusal([&] { local_moran(four, graph, 1); });
}

}  // namespace
}  // namespace pegnn
