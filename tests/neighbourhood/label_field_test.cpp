#include "neighbourhood/label_field.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/covariance.h"
#include "support/gradient.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

const ThreadPool kPool(1);

// Training points with all that a field borrows.
struct Known {
  std::vector<Point> points;
  std::vector<float> features, labels;
  std::int64_t width = 0;
  LabelModel model = {};
  bool taper = false;

  Known(std::vector<Point> places, std::int64_t feature_count)
      : points(std::move(places)), width(feature_count) {
    features = numbers(static_cast<std::int64_t>(points.size()) * width, 11);
    labels = numbers(static_cast<std::int64_t>(points.size()), 12);
  }
  static std::vector<float> numbers(std::int64_t count, std::uint64_t seed) {
    const std::vector<double> v = test::random_values(static_cast<std::size_t>(count), seed);
    return {v.begin(), v.end()};
  }
  LabelField field(Space space, std::int64_t k, bool smooth, const ThreadPool& pool = kPool) const {
    const auto rows = static_cast<std::int64_t>(points.size());
    return {{points, {features.data(), rows, width}, labels, model},
            space,
            k,
            smooth,
            taper,
            best_backend<float>(pool)};
  }
};

// Places in a box, in the plane or around the antimeridian; every fifth stands where the one before
// it does, and the last ten in one place.
std::vector<Point> crowded_places(std::size_t count, Space space) {
  const std::vector<double> c = test::random_values(2 * count, 3);
  std::vector<Point> points;
  for (std::size_t i = 0; i < count; ++i) {
    Point p{5 * c[2 * i], 5 * c[2 * i + 1]};
    if (space == Space::sphere) p.x += p.x > 0 ? -180 : 180;
    if (i % 5 == 4) p = points.back();
    if (i + 10 >= count) p = points[0];
    points.push_back(p);
  }
  return points;
}

std::vector<std::int32_t> numbers_up_to(std::size_t count) {
  std::vector<std::int32_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

LabelNeighbourhoods neighbours_of_own(const Known& known, const LabelField& field,
                                      const LabelIndex& index, const ThreadPool& pool = kPool) {
  LabelNeighbourhoods out;
  field.find_neighbours(index, known.points, field.training().features,
                        numbers_up_to(known.points.size()), pool, out);
  return out;
}

// The neighbourhoods of new points without features.
LabelNeighbourhoods neighbours_of_new(const LabelField& field, const std::vector<Point>& queries) {
  LabelNeighbourhoods out;
  field.find_neighbours(field.all(), queries,
                        {nullptr, static_cast<std::int64_t>(queries.size()), 0}, {}, kPool, out);
  return out;
}

// The inputs of the edges of one new point.
std::vector<float> edges_of(const LabelField& field, Point query) {
  const LabelNeighbourhoods around = neighbours_of_new(field, {query});
  NeighbourhoodView graph;
  const std::vector<std::int32_t> first{0},
      ranks = numbers_up_to(as_size(around.found.rows.size()));
  field.link(std::vector<Point>{query}, around, first, ranks, best_backend<float>(kPool), graph);
  const Mat<const float> edges = graph.edge_columns();
  return {edges.data, edges.data + edges.rows * edges.cols};
}

TEST(LabelField, ATrainingPointIsNotItsOwnNeighbourHoweverManyStandAtItsPlace) {
  for (const Space space : {Space::sphere, Space::plane}) {
    const Known known(crowded_places(80, space), 0);
    for (const std::int64_t k : {1, 6, 79, 200}) {
      const LabelField field = known.field(space, k, false);
      Neighbours expected;
      search_by_brute_force(known.points, known.points, space, k, true, expected);
      const LabelNeighbourhoods around = neighbours_of_own(known, field, field.all());
      EXPECT_EQ(expected.k, around.found.k);
      EXPECT_EQ(expected.rows, around.found.rows) << name_of(space) << ", k " << k;
    }
  }
}

TEST(LabelField, AnIndexOfSomePointsNamesThemByTheirNumbersAmongAll) {
  for (const Space space : {Space::sphere, Space::plane}) {
    const Known known(crowded_places(80, space), 0);
    const LabelField field = known.field(space, 5, false);
    std::vector<std::int32_t> some;
    for (std::int32_t row = 0; row < 80; row += 3) some.push_back(row);
    LabelIndex index;
    field.build(some, kPool, index);
    const LabelNeighbourhoods around = neighbours_of_own(known, field, index);
    ASSERT_EQ(5, around.found.k);
    for (std::size_t i = 0; i < 80; ++i) {
      std::vector<Point> others;
      std::vector<std::int32_t> numbers;
      for (const std::int32_t row : some) {
        if (static_cast<std::size_t>(row) == i) continue;
        others.push_back(known.points[static_cast<std::size_t>(row)]);
        numbers.push_back(row);
      }
      Neighbours expected;
      search_by_brute_force(others, std::vector<Point>{known.points[i]}, space, 5, false, expected);
      for (std::size_t j = 0; j < 5; ++j) {
        EXPECT_EQ(numbers[static_cast<std::size_t>(expected.rows[j])],
                  around.found.rows[i * 5 + j]);
      }
    }
  }
}

TEST(LabelField, SourcesAreFeaturesAndLabel) {
  const Known known({{0, 0}, {1, 0}}, 2);
  const LabelField field = known.field(Space::plane, 1, false);
  const Mat<const float> sources = field.sources();
  ASSERT_EQ(2, sources.rows);
  ASSERT_EQ(3, sources.cols);
  for (std::int64_t i = 0; i < 2; ++i) {
    EXPECT_EQ(known.features[static_cast<std::size_t>(2 * i)], sources(i, 0));
    EXPECT_EQ(known.features[static_cast<std::size_t>(2 * i + 1)], sources(i, 1));
    EXPECT_EQ(known.labels[static_cast<std::size_t>(i)], sources(i, 2));
  }
}

TEST(LabelField, AnEdgeTellsOffsetAndDistanceInUnits) {
  Known known({{11, 20}, {13, 24}, {11 + 2 * 320, 20}}, 0);
  known.model.unit = 2;
  const LabelField field = known.field(Space::plane, 3, false);
  const std::vector<float> e = edges_of(field, {10, 20});
  ASSERT_EQ(3U * kEdgeInputs, e.size());
  const std::vector<float> near{0.5F, 0, 0, 0.5F, std::log(0.501F), 0, 0};
  const std::vector<float> second{1.5F, 2, 0, 2.5F, std::log(2.501F), 0, 0};
  for (std::size_t c = 0; c < kEdgeInputs; ++c) {
    EXPECT_FLOAT_EQ(near[c], e[c]) << c;
    EXPECT_FLOAT_EQ(second[c], e[kEdgeInputs + c]) << c;
  }
}

TEST(LabelField, AnEdgeAtThePlaceItselfIsMarked) {
  Known known({{10, 20}}, 0);
  known.model.unit = 2;
  const LabelField field = known.field(Space::plane, 1, false);
  const std::vector<float> at = edges_of(field, {10, 20});
  const std::vector<float> expected{0, 0, 0, 0, std::log(1e-3F), 1, 0};
  EXPECT_EQ(expected, at);
  EXPECT_EQ(0, edges_of(field, {10, std::nextafter(20, 21)})[5]);
}

TEST(LabelField, FarDistancesCountByTheirLogarithmAndKeepTheirDirection) {
  Known known({{0, 0}}, 0);
  known.model.unit = 10;
  const LabelField field = known.field(Space::plane, 1, false);
  // At the limit, e times beyond it, and as far away as a coordinate may be.
  for (const double times : {1.0, std::exp(1.0), 1e90}) {
    const double d = times * kFarUnits * 10;
    const std::vector<float> e = edges_of(field, {-0.6 * d, 0.8 * d});
    const double shown = kFarUnits * (1 + std::log(times));
    EXPECT_NEAR(shown, static_cast<double>(e[3]), 1e-5 * shown) << times;
    EXPECT_NEAR(0.6 * shown, static_cast<double>(e[0]), 1e-5 * shown) << times;
    EXPECT_NEAR(-0.8 * shown, static_cast<double>(e[1]), 1e-5 * shown) << times;
    EXPECT_NEAR(std::log(shown), static_cast<double>(e[4]), 1e-3) << times;
  }
}

TEST(LabelField, OnTheSphereTheAntimeridianAndThePolesAreNoEdges) {
  Known known({{-179.999, 0}, {77, 90}}, 0);
  known.model.unit = 100;
  const LabelField field = known.field(Space::sphere, 1, false);
  // Two thousandths of a degree of the equator, to the east.
  const std::vector<float> over = edges_of(field, {179.999, 0});
  EXPECT_NEAR(2.2239, over[3], 1e-3);
  EXPECT_NEAR(over[3], std::hypot(over[0], over[1], over[2]), 1e-5F);
  EXPECT_NEAR(-2.2239, over[1], 1e-3);
  const std::vector<float> pole = edges_of(field, {-120, 90});
  EXPECT_EQ(0, pole[3]);
  EXPECT_EQ(1, pole[5]);
  // A hundredth of a degree south of it, on either side: the same distance, opposite offsets.
  const std::vector<float> one = edges_of(field, {30, 89.99}),
                           other = edges_of(field, {-150, 89.99});
  EXPECT_NEAR(11.119, one[3], 1e-2);
  EXPECT_NEAR(one[0], -other[0], 1e-4);
  EXPECT_NEAR(one[1], -other[1], 1e-4);
  EXPECT_NEAR(one[3], other[3], 1e-4);
}

// w and variance of ordinary kriging from k places, by the dense system with a multiplier.
std::vector<double> kriging_by_hand(const SpatialModel& m, const std::vector<Place>& places,
                                    const Place& query, double& variance) {
  const std::size_t k = places.size();
  const auto related = [&](const Place& a, const Place& b) {
    const double d = std::sqrt(squared_distance(a, b));
    return m.sill / m.variance() * correlation(m.kernel, d / m.range);
  };
  std::vector<double> system((k + 1) * (k + 1), 0.0), right;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      system[i * (k + 1) + j] =
          related(places[i], places[j]) + (i == j ? m.nugget / m.variance() : 0.0);
    }
    system[i * (k + 1) + k] = system[k * (k + 1) + i] = 1;
    right.push_back(related(places[i], query));
  }
  right.push_back(1);
  std::vector<double> w = test::solve(system, right);
  variance = 1;
  for (std::size_t i = 0; i <= k; ++i) variance -= w[i] * right[i];
  w.pop_back();
  return w;
}

TEST(LabelField, TheSmootherIsOrdinaryKrigingOfWhatALinearMeanLeaves) {
  for (const Space space : {Space::sphere, Space::plane}) {
    Known known(crowded_places(40, space), 2);
    const double degree = space == Space::sphere ? 111e3 : 1;
    known.model.kriging = {.process = {Covariance::matern32, 2 * degree, 0.7, 0.2},
                           .mean = {0.3, -1.5, 2.0}};
    const LabelField field = known.field(space, 7, true);
    ASSERT_TRUE(field.smooths());
    std::vector<Point> queries{{180, 0}, {-179, 1}, known.points[3], known.points[0]};
    const std::vector<float> features = Known::numbers(8, 21);
    LabelNeighbourhoods around;
    field.find_neighbours(field.all(), queries, {features.data(), 4, 2}, {}, kPool, around);
    const std::vector<Place> places = places_of(space, known.points);
    const auto linear = [&](const float* f) {
      return 0.3 - 1.5 * static_cast<double>(f[0]) + 2.0 * static_cast<double>(f[1]);
    };
    for (std::size_t q = 0; q < 4; ++q) {
      std::vector<Place> near;
      for (std::size_t j = 0; j < 7; ++j) {
        near.push_back(places[static_cast<std::size_t>(around.found.rows[7 * q + j])]);
      }
      double variance = 0;
      const std::vector<double> w =
          kriging_by_hand(known.model.kriging.process, near, place_of(space, queries[q]), variance);
      double mean = linear(features.data() + 2 * q);
      for (std::size_t j = 0; j < 7; ++j) {
        EXPECT_NEAR(w[j], static_cast<double>(around.weights[7 * q + j]), 1e-5);
        const auto row = static_cast<std::size_t>(around.found.rows[7 * q + j]);
        mean += w[j] *
                (static_cast<double>(known.labels[row]) - linear(known.features.data() + 2 * row));
      }
      EXPECT_NEAR(mean, static_cast<double>(around.smooth[q * kLabelInputs]), 1e-5);
      EXPECT_NEAR(std::log(variance), static_cast<double>(around.smooth[q * kLabelInputs + 1]),
                  1e-5);
    }
  }
}

TEST(LabelField, LinksTheNeighboursWhoseRanksAreListedWithTheirWeights) {
  Known known(crowded_places(40, Space::plane), 1);
  known.model.kriging = {.process = {Covariance::exponential, 2, 1, 0.1}, .mean = {0, 0}};
  const LabelField field = known.field(Space::plane, 6, true);
  const LabelNeighbourhoods around = neighbours_of_own(known, field, field.all());
  const std::vector<std::int32_t> which{17, 3, 17}, ranks{0, 2, 5};
  const std::vector<Point> places{known.points[17], known.points[3], known.points[17]};
  NeighbourhoodView out;
  field.link(places, around, which, ranks, best_backend<float>(kPool), out);
  EXPECT_EQ(3, out.graph.nodes);
  EXPECT_EQ((std::vector<std::int64_t>{0, 3, 6, 9}), out.graph.offsets);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(which[i]);
    for (std::size_t e = 0; e < 3; ++e) {
      const std::size_t from = at * 6 + static_cast<std::size_t>(ranks[e]);
      EXPECT_EQ(around.found.rows[from], out.graph.columns[3 * i + e]);
      EXPECT_EQ(4 * around.weights[from],
                out.edge_columns()(static_cast<std::int64_t>(3 * i + e), 6));
    }
    for (std::size_t c = 0; c < kLabelInputs; ++c) {
      EXPECT_EQ(around.smooth[at * kLabelInputs + c],
                out.node_columns()(static_cast<std::int64_t>(i), static_cast<std::int64_t>(c)));
    }
  }
}

TEST(LabelField, WithoutASmootherNothingIsSaidBeforehand) {
  const Known known(crowded_places(30, Space::plane), 0);
  const LabelField field = known.field(Space::plane, 4, false);
  const LabelNeighbourhoods around = neighbours_of_own(known, field, field.all());
  EXPECT_EQ(std::vector<float>(120, 0.0F), around.weights);
  EXPECT_EQ(std::vector<float>(60, 0.0F), around.smooth);
}

TEST(LabelField, OneTrainingPointHasNoNeighboursAndIsThatOfAllOthers) {
  Known known({{7, 50}}, 0);
  known.model.kriging = {.process = {Covariance::exponential, 1e5, 1, 0.1}, .mean = {0.25}};
  const LabelField field = known.field(Space::sphere, 24, true);
  const LabelNeighbourhoods own = neighbours_of_own(known, field, field.all());
  EXPECT_EQ(0, own.found.k);
  EXPECT_EQ((std::vector<float>{0.25F, 0}), own.smooth);  // the mean, with all of the variance
  NeighbourhoodView graph;
  field.link(known.points, own, std::vector<std::int32_t>{0}, {}, best_backend<float>(kPool),
             graph);
  EXPECT_EQ(1, graph.graph.nodes);
  EXPECT_EQ(0, graph.graph.edges());

  const LabelNeighbourhoods asked = neighbours_of_new(field, {{8, 50}, {7, 50}});
  EXPECT_EQ(1, asked.found.k);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(1, asked.weights[i]);
    EXPECT_FLOAT_EQ(known.labels[0], asked.smooth[i * kLabelInputs]);
  }
}

TEST(LabelField, PointsAllInOnePlaceShareTheirWeight) {
  for (const double nugget : {0.0, 0.3}) {
    Known known(std::vector<Point>(9, Point{12, 90}), 0);
    known.model.kriging = {.process = {Covariance::exponential, 1, 1, nugget}, .mean = {0}};
    const LabelField field = known.field(Space::sphere, 8, true);
    const LabelNeighbourhoods around = neighbours_of_own(known, field, field.all());
    EXPECT_EQ(8, around.found.k);
    for (const float w : around.weights) EXPECT_NEAR(0.125, w, 1e-4);
    for (const float v : around.smooth) EXPECT_TRUE(std::isfinite(v));
  }
}

TEST(LabelField, WithoutTrainingPointsThereIsNothingToSee) {
  const Known known({}, 0);
  const LabelField field = known.field(Space::sphere, 5, false);
  const LabelNeighbourhoods around = neighbours_of_new(field, {{0, 0}, {1, 1}});
  EXPECT_EQ(0, around.found.k);
  EXPECT_EQ(2, around.points());
}

TEST(LabelField, APointSeesTheSameWhateverIsAskedBesideItOnAnyNumberOfThreads) {
  Known known(crowded_places(900, Space::sphere), 0);
  known.model.kriging = {.process = {Covariance::exponential, 2e5, 1, 0.1}, .mean = {0.1}};
  known.model.unit = 5e4;
  const LabelField field = known.field(Space::sphere, 24, true);
  const LabelNeighbourhoods all = neighbours_of_own(known, field, field.all());
  for (const int threads : {2, 3}) {
    const ThreadPool pool(threads);
    const LabelField same = known.field(Space::sphere, 24, true, pool);
    const LabelNeighbourhoods other = neighbours_of_own(known, same, same.all(), pool);
    EXPECT_EQ(all.found.rows, other.found.rows);
    EXPECT_EQ(all.weights, other.weights);
    EXPECT_EQ(all.smooth, other.smooth);
  }
  for (const std::int32_t row : {0, 431, 899}) {
    LabelNeighbourhoods alone;
    const auto at = static_cast<std::size_t>(row);
    field.find_neighbours(field.all(), std::vector<Point>{known.points[at]}, {nullptr, 1, 0},
                          std::vector<std::int32_t>{row}, kPool, alone);
    for (std::size_t j = 0; j < 24; ++j) {
      EXPECT_EQ(all.found.rows[at * 24 + j], alone.found.rows[j]);
      EXPECT_EQ(all.weights[at * 24 + j], alone.weights[j]);
    }
    EXPECT_EQ(all.smooth[at * kLabelInputs], alone.smooth[0]);
    EXPECT_EQ(all.smooth[at * kLabelInputs + 1], alone.smooth[1]);
  }
}

}  // namespace
}  // namespace pegnn
