#include "stats/variogram.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "geo/sphere.h"

namespace pegnn {
namespace {

struct Values {
  std::vector<Point> points;
  std::vector<double> values;
};

Values scattered(std::size_t n, std::uint64_t seed = 1) {
  const Rng rng{seed, Stream::sample};
  Values made;
  for (std::size_t i = 0; i < n; ++i) {
    made.points.push_back({20 * rng.uniform(1, i), 40 + 10 * rng.uniform(2, i)});
    made.values.push_back(std::sin(made.points[i].x) + rng.normal(3, i));
  }
  return made;
}

Variogram variogram_of(const Values& data, Space space, VariogramOptions options = {},
                       int threads = 1) {
  return empirical_variogram(data.points, space, data.values, options, ThreadPool(threads));
}

TEST(PointVariogram, OfThreePointsOnALineByHand) {
  const Variogram v =
      variogram_of({{{0, 0}, {1, 0}, {2, 0}}, {1, 3, 4}}, Space::plane, {.lags = 2});
  ASSERT_EQ(v.lags.size(), 2U);
  EXPECT_DOUBLE_EQ(v.lags[0].distance, 1);
  EXPECT_DOUBLE_EQ(v.lags[0].semivariance, 0.5 * (4 + 1) / 2);
  EXPECT_EQ(v.lags[0].pairs, 2);
  EXPECT_DOUBLE_EQ(v.lags[1].distance, 2);
  EXPECT_DOUBLE_EQ(v.lags[1].semivariance, 0.5 * 9);
  EXPECT_EQ(v.lags[1].pairs, 1);
  EXPECT_DOUBLE_EQ(v.sill, 7.0 / 3);  // variance of 1, 3, 4
  EXPECT_DOUBLE_EQ(v.reach, 2);
  EXPECT_FALSE(v.sampled);
}

TEST(PointVariogram, OfCressieAndHawkinsByHand) {
  const Variogram v = variogram_of({{{0, 0}, {1, 0}, {2, 0}}, {1, 5, 6}}, Space::plane,
                                   {.form = VariogramForm::cressie_hawkins, .lags = 2});
  ASSERT_EQ(v.lags.size(), 2U);
  // Roots of |differences| 4 and 1: mean 1.5, to the fourth power.
  EXPECT_DOUBLE_EQ(v.lags[0].semivariance, 1.5 * 1.5 * 1.5 * 1.5 / (2 * (0.457 + 0.494 / 2)));
  EXPECT_DOUBLE_EQ(v.lags[1].semivariance, 25 / (2 * (0.457 + 0.494)));
}

TEST(PointVariogram, OfCressieAndHawkinsIsLessMovedByOneFarValue) {
  Values data = scattered(400);
  const auto first = [&](VariogramForm form) {
    return variogram_of(data, Space::plane, {.form = form}).lags.front().semivariance;
  };
  const double plain = first(VariogramForm::matheron),
               robust = first(VariogramForm::cressie_hawkins);
  data.values[7] = 50;
  EXPECT_GT(first(VariogramForm::matheron), 4 * plain);
  EXPECT_LT(first(VariogramForm::cressie_hawkins), 2 * robust);
}

TEST(PointVariogram, OfOneValueEverywhereIsZero) {
  Values data = scattered(300);
  data.values.assign(300, 0.1);
  const Variogram v = variogram_of(data, Space::sphere);
  EXPECT_EQ(v.sill, 0);
  EXPECT_EQ(v.lags.size(), 15U);
  for (const VariogramBin& lag : v.lags) EXPECT_EQ(lag.semivariance, 0);
}

TEST(PointVariogram, OfTwoPointsHasOneLag) {
  const Variogram v = variogram_of({{{3, 4}, {0, 0}}, {2, 6}}, Space::plane);
  ASSERT_EQ(v.lags.size(), 1U);
  EXPECT_DOUBLE_EQ(v.lags[0].distance, 5);
  EXPECT_DOUBLE_EQ(v.lags[0].semivariance, 8);
  EXPECT_DOUBLE_EQ(v.sill, 8);
}

TEST(PointVariogram, NeedsTwoPlaces) {
  EXPECT_TRUE(variogram_of({}, Space::sphere).lags.empty());
  EXPECT_TRUE(variogram_of({{{1, 2}}, {3}}, Space::sphere).lags.empty());
  const Variogram one = variogram_of({{{1, 2}, {1, 2}, {361, 2}}, {3, 4, 5}}, Space::sphere);
  EXPECT_TRUE(one.lags.empty());
  EXPECT_DOUBLE_EQ(one.sill, 1);
}

TEST(PointVariogram, IsThatOfBruteForceInEverySpace) {
  const Values data = scattered(500);
  for (const Space space : {Space::sphere, Space::plane, Space::degrees}) {
    const Variogram v = variogram_of(data, space);
    ASSERT_EQ(v.lags.size(), 15U);
    const double width = v.reach / 15;
    std::vector<double> squares(15, 0.0), distances(15, 0.0), pairs(15, 0.0);
    for (std::size_t i = 0; i < 500; ++i) {
      for (std::size_t j = i + 1; j < 500; ++j) {
        const double d = distance(space, data.points[i], data.points[j]);
        if (d > v.reach) continue;
        const auto bin = std::min<std::size_t>(14, static_cast<std::size_t>(d / width));
        squares[bin] += std::pow(data.values[i] - data.values[j], 2);
        distances[bin] += d;
        ++pairs[bin];
      }
    }
    for (std::size_t b = 0; b < 15; ++b) {
      EXPECT_EQ(v.lags[b].pairs, pairs[b]) << b;
      // Sums in another order; the sphere's distances come from chords.
      EXPECT_NEAR(v.lags[b].semivariance, squares[b] / pairs[b] / 2, 1e-12) << b;
      EXPECT_NEAR(v.lags[b].distance, distances[b] / pairs[b], 1e-9 * v.reach) << b;
    }
  }
}

TEST(PointVariogram, ReachesAcrossTheAntimeridianAndToAThirdOfTheExtent) {
  Values west = scattered(300), across = west;
  for (Point& p : across.points) {
    p.x += 170;  // 170 to 190 degrees east
    if (p.x > 180) p.x -= 360;
  }
  const Variogram a = variogram_of(west, Space::sphere), b = variogram_of(across, Space::sphere);
  ASSERT_EQ(a.lags.size(), b.lags.size());
  // The box around the same points turned by 170 degrees is another one, of about the same size.
  EXPECT_NEAR(a.reach, b.reach, 0.1 * a.reach);
  EXPECT_LT(b.reach, great_circle({170, 40}, {-170, 50}).value / 2);
  EXPECT_GT(b.lags.front().pairs, 100);
}

TEST(PointVariogram, OfManyPointsDrawsPairsAndSaysTheSame) {
  const Values data = scattered(6000, 5);
  const Variogram drawn = variogram_of(data, Space::sphere);
  EXPECT_TRUE(drawn.sampled);
  EXPECT_FALSE(variogram_of(scattered(2800), Space::sphere).sampled);
  double pairs = 0;
  for (const VariogramBin& lag : drawn.lags) pairs += lag.pairs;
  EXPECT_LE(pairs, kMostVariogramPairs);
  EXPECT_GT(pairs, kMostVariogramPairs / 10.0);
  // All 18 million pairs.
  const auto reach = drawn.reach;
  double squares = 0, count = 0;
  for (std::size_t i = 0; i < data.points.size(); ++i) {
    for (std::size_t j = i + 1; j < data.points.size(); ++j) {
      if (std::abs(data.points[i].y - data.points[j].y) > 0.5) continue;  // farther than the lag
      if (distance(Space::sphere, data.points[i], data.points[j]) > reach / 15) continue;
      squares += std::pow(data.values[i] - data.values[j], 2);
      ++count;
    }
  }
  // Thousands of pairs were drawn: the standard error is below two per cent.
  EXPECT_NEAR(drawn.lags.front().semivariance, squares / count / 2, 0.05 * drawn.sill);
}

TEST(PointVariogram, HasTheSameBitsOnAnyNumberOfThreads) {
  for (const std::size_t n : {std::size_t{700}, std::size_t{4000}}) {
    const Values data = scattered(n);
    const Variogram one = variogram_of(data, Space::sphere, {}, 1);
    const Variogram three = variogram_of(data, Space::sphere, {}, 3);
    ASSERT_EQ(one.lags.size(), three.lags.size());
    for (std::int64_t b = 0; b < one.lags.size(); ++b) {
      EXPECT_EQ(one.lags[b].semivariance, three.lags[b].semivariance);
      EXPECT_EQ(one.lags[b].distance, three.lags[b].distance);
      EXPECT_EQ(one.lags[b].pairs, three.lags[b].pairs);
    }
  }
}

TEST(PointVariogram, OfIndependentValuesStandsAtTheirVariance) {
  Values data = scattered(2000);
  const Rng rng{9, Stream::sample};
  for (std::size_t i = 0; i < data.values.size(); ++i) data.values[i] = rng.normal(4, i);
  const Variogram v = variogram_of(data, Space::plane);
  for (const VariogramBin& lag : v.lags) EXPECT_NEAR(lag.semivariance, v.sill, 0.08 * v.sill);
}

}  // namespace
}  // namespace pegnn
