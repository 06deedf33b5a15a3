#include "baseline/kriging_weights.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "support/spatial_rows.h"
#include "support/targets.h"

namespace pegnn {
namespace {

constexpr Covariance kKernels[] = {Covariance::exponential, Covariance::matern32,
                                   Covariance::matern52, Covariance::gaussian};

struct Solved {
  std::int64_t k = 0;
  std::vector<std::int32_t> rows;
  std::vector<float> weights, variance;

  std::vector<float> of(std::size_t query) const {
    const auto first = weights.begin() + static_cast<std::ptrdiff_t>(query) * k;
    return {first, first + k};
  }
};

Solved solve(const SpatialModel& model, Space space, const std::vector<Point>& training,
             const std::vector<Point>& queries, std::int64_t k, int threads = 1) {
  const ThreadPool pool(threads);
  NearestIndex index;
  index.build(training, space, pool);
  Neighbours found;
  index.search(queries, k, false, pool, found);
  Solved out{found.k, found.rows, {}, {}};
  out.weights.resize(queries.size() * static_cast<std::size_t>(found.k), -7.0F);
  out.variance.resize(queries.size(), -7.0F);
  KrigingWeights(model, space)
      .solve(queries, found, places_of(space, training), pool, out.weights, out.variance);
  return out;
}

// The bordered system as it stands in the books, with the same jitter.
struct Dense {
  std::vector<double> weights;
  double variance;
};

Dense dense(const SpatialModel& model, Space space, const std::vector<Point>& training,
            const std::vector<std::int32_t>& rows, Point query) {
  const std::size_t k = rows.size(), n = k + 1;
  const Correlations rho(model.kernel, model.range, model.share());
  std::vector<double> a(n * n, 1.0), b(n, 1.0);
  const auto place = [&](std::size_t i) {
    return place_of(space, i < k ? training[static_cast<std::size_t>(rows[i])] : query);
  };
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      a[i * n + j] = i == j ? 1 + KrigingWeights::kJitter : rho(place(i), place(j));
    }
    b[i] = rho(place(i), place(k));
  }
  a[n * n - 1] = 0;
  const std::vector<double> x = test::solve(a, b);
  return {{x.begin(), x.end() - 1}, 1 - test::dot(x, b)};
}

std::vector<Point> scattered(std::size_t n, Point lo, Point hi, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  std::vector<Point> out;
  for (std::size_t i = 0; i < n; ++i) {
    out.push_back(
        {lo.x + (hi.x - lo.x) * rng.uniform(1, i), lo.y + (hi.y - lo.y) * rng.uniform(2, i)});
  }
  return out;
}

void expect_dense(const SpatialModel& model, Space space, const std::vector<Point>& training,
                  const std::vector<Point>& queries, std::int64_t k) {
  const Solved got = solve(model, space, training, queries, k);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const std::vector<float> weights = got.of(q);
    const auto first = got.rows.begin() + static_cast<std::ptrdiff_t>(q) * got.k;
    const Dense want = dense(model, space, training, {first, first + got.k}, queries[q]);
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      // Float keeps seven digits, and 1e-8 on the diagonal costs double all but seven.
      const double size = std::max(1.0, std::abs(want.weights[i]));
      ASSERT_NEAR(weights[i], want.weights[i], 1e-6 * size)
          << name_of(model.kernel) << ", range " << model.range << ", query " << q << ", " << i;
      sum += weights[i];
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_NEAR(got.variance[q], want.variance, 1e-6 * want.variance + 2e-8);
    EXPECT_GT(got.variance[q], 0);
  }
}

TEST(KrigingWeights, AreThoseOfTheBorderedSystem) {
  const std::vector<Point> training = scattered(200, {0, 0}, {1, 1}, 1);
  const std::vector<Point> queries = scattered(21, {-0.1, -0.1}, {1.1, 1.1}, 2);
  test::for_every_target([&](const char*) {
    for (const Covariance kernel : kKernels) {
      for (const double range : {0.01, 0.2, 3.0}) {
        for (const double share : {0.01, 0.4}) {
          const SpatialModel model{kernel, range, 1 - share, share};
          expect_dense(model, Space::plane, training, queries, 24);
        }
      }
      expect_dense({kernel, 0.05, 2, 0}, Space::plane, training, queries, 9);
    }
  });
}

TEST(KrigingWeights, AnyNumberOfNeighboursWillDo) {
  const std::vector<Point> training = scattered(130, {0, 0}, {1, 1}, 3);
  const std::vector<Point> queries = scattered(3, {0, 0}, {1, 1}, 4);
  const SpatialModel model{Covariance::matern32, 0.3, 0.8, 0.2};
  for (const std::int64_t k : {1, 2, 3, 4, 5, 6, 7, 8, 13, 30, 130}) {
    expect_dense(model, Space::plane, training, queries, k);
  }
  const Solved one = solve(model, Space::plane, training, queries, 1);
  EXPECT_NEAR(one.weights[0], 1, 1e-7);
  const Solved none = solve(model, Space::plane, {}, queries, 5);
  EXPECT_TRUE(none.weights.empty());
  EXPECT_EQ(none.variance, std::vector<float>(3, 1.0F));
  EXPECT_TRUE(solve(model, Space::plane, training, {}, 5).weights.empty());
}

TEST(KrigingWeights, PolesAndTheAntimeridianArePlacesLikeAnyOther) {
  std::vector<Point> training = scattered(60, {-180, 86}, {180, 90}, 5);
  training.push_back({0, 90});
  training.push_back({180, 87});
  training.push_back({-180, 87.5});
  const std::vector<Point> queries = {{77, 90}, {-180, 88}, {180, 88}, {179.9, 87}, {12, 89.9}};
  for (const Covariance kernel : kKernels) {
    const SpatialModel model{kernel, 200e3, 0.9, 0.1};
    expect_dense(model, Space::sphere, training, queries, 12);
  }
  // One place by two names.
  const Solved got = solve({Covariance::exponential, 200e3, 0.9, 0.1}, Space::sphere, training,
                           {{-180, 88}, {180, 88}, {-40, 90}, {130, 90}}, 12);
  EXPECT_EQ(got.of(0), got.of(1));
  EXPECT_EQ(got.of(2), got.of(3));
}

TEST(KrigingWeights, WithoutNoiseATrainingPlaceKeepsItsLabel) {
  const std::vector<Point> training = scattered(80, {0, 0}, {1, 1}, 6);
  const SpatialModel model{Covariance::exponential, 0.3, 1, 0};
  const Solved got = solve(model, Space::plane, training, {training[17]}, 10);
  ASSERT_EQ(got.rows[0], 17);
  EXPECT_NEAR(got.weights[0], 1, 1e-6);
  for (std::size_t i = 1; i < 10; ++i) EXPECT_NEAR(got.weights[i], 0, 1e-6);
  EXPECT_NEAR(got.variance[0], 1e-8, 1e-9);
}

TEST(KrigingWeights, RowsOfOnePlaceShareItsWeight) {
  std::vector<Point> training = scattered(40, {0, 0}, {1, 1}, 7);
  const Point query = {0.5, 0.5};
  training.push_back({0.51, 0.5});
  const SpatialModel model{Covariance::matern52, 0.3, 1, 0};
  const double whole = solve(model, Space::plane, training, {query}, 12).weights[0];
  training.push_back({0.51, 0.5});
  training.push_back({0.51, 0.5});
  const Solved got = solve(model, Space::plane, training, {query}, 14);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GE(got.rows[i], 40);
    EXPECT_NEAR(got.weights[i], whole / 3, 1e-5);
  }
  // All in one place, the query too.
  const Solved flat = solve(model, Space::plane, std::vector<Point>(6, query), {query}, 6);
  for (const float weight : flat.weights) EXPECT_NEAR(weight, 1.0 / 6, 1e-6);
  EXPECT_GE(flat.variance[0], 1e-8F);
}

TEST(KrigingWeights, NearlyAllNoiseIsAMean) {
  const std::vector<Point> training = scattered(40, {0, 0}, {1, 1}, 8);
  const Solved got =
      solve({Covariance::exponential, 0.3, 1e-7, 4}, Space::plane, training, {{0.5, 0.5}}, 16);
  for (const float weight : got.weights) EXPECT_NEAR(weight, 1.0 / 16, 1e-7);
  EXPECT_NEAR(got.variance[0], 1 + 1.0 / 16, 1e-6);
}

TEST(KrigingWeights, AFieldThatDoesNotVaryIsWeighedToo) {
  const std::vector<Point> training = scattered(40, {0, 0}, {1, 1}, 9);
  const Solved got =
      solve({Covariance::exponential, 0.3, 0, 0}, Space::plane, training, {{0.5, 0.5}}, 8);
  EXPECT_NEAR(std::accumulate(got.weights.begin(), got.weights.end(), 0.0), 1, 1e-6);
}

TEST(KrigingWeights, AQueryDoesNotFeelTheOthersNorTheThreads) {
  const std::vector<Point> training = scattered(500, {-10, 40}, {10, 50}, 10);
  const std::vector<Point> queries = scattered(301, {-10, 40}, {10, 50}, 11);
  test::for_every_target([&](const char*) {
    for (const Covariance kernel : kKernels) {
      const SpatialModel model{kernel, 50e3, 0.97, 0.03};
      const Solved all = solve(model, Space::sphere, training, queries, 24);
      const Solved threaded = solve(model, Space::sphere, training, queries, 24, 3);
      EXPECT_EQ(all.weights, threaded.weights);
      EXPECT_EQ(all.variance, threaded.variance);
      std::vector<Point> turned(queries.rbegin(), queries.rend());
      const Solved back = solve(model, Space::sphere, training, turned, 24);
      for (std::size_t q = 0; q < queries.size(); q += 7) {
        const Solved alone = solve(model, Space::sphere, training, {queries[q]}, 24);
        ASSERT_EQ(all.of(q), alone.weights);
        ASSERT_EQ(all.variance[q], alone.variance[0]);
        ASSERT_EQ(all.of(q), back.of(queries.size() - 1 - q));
      }
    }
  });
}

TEST(KrigingWeights, PlacesOfQueriesMayBeGiven) {
  const std::vector<Point> training = scattered(200, {-10, 40}, {10, 50}, 12);
  const std::vector<Point> queries = scattered(45, {-10, 40}, {10, 50}, 13);
  const SpatialModel model{Covariance::matern32, 80e3, 0.9, 0.1};
  const Solved expected = solve(model, Space::sphere, training, queries, 8);
  Neighbours found;
  found.k = 8;
  found.rows.assign(expected.rows.begin(), expected.rows.end());
  std::vector<float> weights(expected.weights.size()), variance(queries.size());
  KrigingWeights(model, Space::sphere)
      .solve_at(places_of(Space::sphere, queries), found, {}, places_of(Space::sphere, training),
                ThreadPool(2), weights, variance);
  EXPECT_EQ(expected.weights, weights);
  EXPECT_EQ(expected.variance, variance);
}

TEST(KrigingWeights, OfNoiseNeighboursHaveNothingToTell) {
  const std::vector<Point> training = {{0, 0}, {1, 0}, {0, 1}}, queries = {{0, 0}, {5, 5}};
  const Solved got =
      solve({Covariance::exponential, 1, 0, 0.5}, Space::plane, training, queries, 3);
  for (const float w : got.weights) EXPECT_EQ(w, 0);
  for (const float v : got.variance) EXPECT_EQ(v, 1);
}

}  // namespace
}  // namespace pegnn
