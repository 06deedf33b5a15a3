#include "stats/moran.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "base/thread_pool.h"
#include "pegnn/error.h"
#include "support/json.h"
#include "support/places.h"
#include "support/refused.h"

namespace pegnn {
namespace {

using Rows = std::vector<std::vector<std::int32_t>>;

// Neighbour lists that own their arrays.
struct Lists {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> columns;

  explicit Lists(const Rows& rows) {
    for (const auto& row : rows) {
      columns.insert(columns.end(), row.begin(), row.end());
      offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
  }
  operator NeighbourLists() const { return {offsets, columns}; }
};

// Rook neighbours on a grid of `side` x `side` cells.
Lists grid(int side) {
  Rows rows;
  for (int r = 0; r < side; ++r) {
    for (int c = 0; c < side; ++c) {
      auto& row = rows.emplace_back();
      if (r > 0) row.push_back((r - 1) * side + c);
      if (c > 0) row.push_back(r * side + c - 1);
      if (c + 1 < side) row.push_back(r * side + c + 1);
      if (r + 1 < side) row.push_back((r + 1) * side + c);
    }
  }
  return Lists(rows);
}

// The next `count` points around a ring.
Lists ring(int n, int count) {
  Rows rows(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 1; j <= count; ++j) rows[static_cast<std::size_t>(i)].push_back((i + j) % n);
  return Lists(rows);
}

std::vector<double> noise(std::size_t n, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) y[i] = rng.normal(0, i);
  return y;
}

// A path of four points with y = 1, 2, 4, 5: mean 3, z = -2, -1, 1, 2, sum z^2 = 10.
const Lists kPath({{1}, {0, 2}, {1, 3}, {2}});
const std::vector<double> kPathY{1, 2, 4, 5};

TEST(LocalMoran, MatchesAHandComputedPathOfFourPoints) {
  // Sums of neighbours' z: -1, -1, 1, 1; times 3 z_i / 10.
  std::vector<double> out(4);
  local_moran(kPathY, kPath, {}, ThreadPool(1), out);
  const std::vector<double> expected{0.6, 0.3, 0.3, 0.6};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(out[i], expected[i], 1e-15);
}

TEST(LocalMoran, UsesOneWeightPerEdge) {
  // Sums: 2 * -1 = -2; 0.5 * -2 + 3 * 1 = 2; 0 * -1 + 1 * 2 = 2; -1 * 1 = -1; times 3 z_i / 10.
  const std::vector<double> weights{2, 0.5, 3, 0, 1, -1};
  std::vector<double> out(4);
  local_moran(kPathY, kPath, weights, ThreadPool(1), out);
  const std::vector<double> expected{1.2, -0.6, 0.6, -0.6};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(out[i], expected[i], 1e-15);
}

TEST(LocalMoran, IsZeroForEqualValuesEvenWhenTheirMeanIsRounded) {
  const std::vector<double> y(3, 0.1);
  std::vector<double> out(3, 9.0);
  local_moran(y, Lists({{1}, {2}, {0}}), {}, ThreadPool(1), out);
  EXPECT_EQ(out, std::vector<double>(3, 0.0));
}

TEST(LocalMoran, AcceptsNoPointsAndOnePoint) {
  std::vector<double> out;
  local_moran({}, Lists(Rows{}), {}, ThreadPool(2), out);
  out.assign(1, 9.0);
  local_moran(std::vector<double>{3}, Lists(Rows(1)), {}, ThreadPool(2), out);
  EXPECT_EQ(out[0], 0);
}

TEST(LocalMoran, GivesTheSameBitsForAnyNumberOfThreads) {
  const std::vector<double> y = noise(5000, 1);
  const Lists lists = ring(5000, 5);
  std::vector<double> one(y.size()), other(y.size());
  local_moran(y, lists, {}, ThreadPool(1), one);
  for (const int threads : {2, 3}) {
    local_moran(y, lists, {}, ThreadPool(threads), other);
    EXPECT_EQ(one, other) << threads << " threads";
  }
}

TEST(MinmaxScale, MapsTheEndsToExactlyZeroAndOne) {
  std::vector<double> v{0.3, -0.7, 0.1, 1.3};
  minmax_scale(v);
  EXPECT_EQ(v[1], 0);
  EXPECT_EQ(v[3], 1);
  EXPECT_NEAR(v[0], 0.5, 1e-15);
  EXPECT_NEAR(v[2], 0.4, 1e-15);
}

TEST(MinmaxScale, EqualValuesBecomeZeros) {
  std::vector<double> v(4, 7.5), none;
  minmax_scale(v);
  EXPECT_EQ(v, std::vector<double>(4, 0.0));
  minmax_scale(none);
  EXPECT_TRUE(none.empty());
}

TEST(Moran, MatchesAHandComputedPathOfFourPoints) {
  // z in deviations of sqrt(2.5). Binary: sum_ij z_i z_j = 2 + 1 + 1 + 2 = 6 (before
  // standardising), S0 = 6, I = 4 / 6 * 6 / 10 = 0.4. By rows: 2 + 0.5 + 0.5 + 2 = 5, S0 = 4, I = 4
  // / 4 * 5 / 10.
  const double sd = std::sqrt(2.5);
  const Moran b = moran(kPathY, kPath, {MoranWeights::binary, 0, 0}, ThreadPool(1));
  EXPECT_NEAR(b.I, 0.4, 1e-14);
  EXPECT_NEAR(b.EI, -1.0 / 3, 1e-16);
  const std::vector<double> z{-2, -1, 1, 2}, lag_b{-1, -1, 1, 1}, lag_r{-1, -0.5, 0.5, 1};
  const Moran r = moran(kPathY, kPath, {MoranWeights::row_standardised, 0, 0}, ThreadPool(1));
  EXPECT_NEAR(r.I, 0.5, 1e-14);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(b.z[i], z[i] / sd, 1e-15);
    EXPECT_NEAR(b.lag[i], lag_b[i] / sd, 1e-15);
    EXPECT_NEAR(r.lag[i], lag_r[i] / sd, 1e-15);
    EXPECT_NEAR(b.Is[i], 0.3 * z[i] * lag_b[i], 1e-14);
    EXPECT_NEAR(r.Is[i], 0.3 * z[i] * lag_r[i], 1e-14);
  }
  EXPECT_EQ(b.q, (std::vector<int>{3, 3, 1, 1}));
}

TEST(Moran, QuadrantsFollowTheSignsOfValueAndLag) {
  // y = 0, 4, 3, 1 has mean 2 and z = -2, 2, 1, -1 (before standardising).
  const std::vector<double> y{0, 4, 3, 1};
  const Moran m =
      moran(y, Lists({{1}, {2}, {3}, {0}}), {MoranWeights::binary, 0, 0}, ThreadPool(1));
  EXPECT_EQ(m.q, (std::vector<int>{2, 1, 4, 3}));
  // A value at the mean counts as low, a lag of zero as low.
  const std::vector<double> tied{0, 1, 2};
  const Moran t = moran(tied, Lists({{1}, {2}, {1}}), {MoranWeights::binary, 0, 0}, ThreadPool(1));
  EXPECT_EQ(t.q, (std::vector<int>{3, 2, 4}));
}

TEST(Moran, WithoutPermutationsPValuesAreNaN) {
  const Moran m = moran(kPathY, kPath, {MoranWeights::binary, 0, 0}, ThreadPool(1));
  EXPECT_TRUE(std::isnan(m.p_sim));
  EXPECT_TRUE(std::isnan(m.z_sim));
  ASSERT_EQ(m.p.size(), 4U);
  for (const double p : m.p) EXPECT_TRUE(std::isnan(p));
}

TEST(Moran, EqualValuesAndFewerThanThreePointsAreUndefinedButSafe) {
  const MoranOptions options{MoranWeights::row_standardised, 99, 0};
  const std::vector<double> equal(3, 0.1), two{1, 2};
  for (const auto& [y, lists] :
       {std::pair(equal, Lists({{1}, {2}, {0}})), std::pair(two, Lists({{1}, {0}})),
        std::pair(std::vector<double>{4}, Lists(Rows(1)))}) {
    const Moran m = moran(y, lists, options, ThreadPool(2));
    EXPECT_TRUE(std::isnan(m.I));
    EXPECT_TRUE(std::isnan(m.p_sim));
    EXPECT_TRUE(std::isnan(m.z_sim));
    EXPECT_EQ(m.Is, std::vector<double>(y.size(), 0.0));
    EXPECT_EQ(m.lag, m.Is);
    EXPECT_EQ(m.z, m.Is);
    EXPECT_EQ(m.q, std::vector<int>(y.size(), 0));
    for (const double p : m.p) EXPECT_TRUE(std::isnan(p));
  }
  const Moran none = moran({}, Lists(Rows{}), options, ThreadPool(2));
  EXPECT_TRUE(std::isnan(none.I));
  EXPECT_TRUE(std::isnan(none.EI));
  EXPECT_TRUE(none.p.empty());
}

TEST(Moran, APointWithoutNeighboursIsLeftOutOfTheLocalTestAndCountsInN) {
  // The path's four points and a fifth, alone, at their mean: the same z and sum of squares, n = 5.
  const std::vector<double> y{1, 2, 4, 5, 3};
  const Lists lists({{1}, {0, 2}, {1, 3}, {2}, {}});
  const Moran m = moran(y, lists, {MoranWeights::binary, 99, 0}, ThreadPool(1));
  EXPECT_NEAR(m.I, 5.0 / 6 * 6 / 10, 1e-14);
  EXPECT_EQ(m.Is[4], 0);
  EXPECT_EQ(m.lag[4], 0);
  EXPECT_TRUE(std::isnan(m.p[4]));
  EXPECT_EQ(m.q[4], 0);
  EXPECT_FALSE(std::isnan(m.p[0]));
}

TEST(Moran, WithoutAnyEdgeTheGlobalFiguresAreNaN) {
  const Moran m =
      moran(kPathY, Lists({{}, {}, {}, {}}), {MoranWeights::binary, 99, 0}, ThreadPool(1));
  EXPECT_TRUE(std::isnan(m.I));
  EXPECT_TRUE(std::isnan(m.p_sim));
  EXPECT_EQ(m.q, std::vector<int>(4, 0));
}

TEST(Moran, APointThatNoPermutationCanChangeHasPOne) {
  const MoranOptions options{MoranWeights::row_standardised, 99, 0};
  // All others are neighbours: their sum is always the same.
  const Lists all({{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}});
  const Moran complete = moran(kPathY, all, options, ThreadPool(1));
  EXPECT_EQ(complete.p, std::vector<double>(4, 1.0));
  EXPECT_EQ(complete.p_sim, 1.0);
  EXPECT_TRUE(std::isnan(complete.z_sim));
  // A value exactly at the mean: I is 0 for any neighbours.
  const std::vector<double> y{0, 1, 2, 3, 4};
  const Moran middle = moran(y, Lists({{1}, {2}, {1}, {4}, {3}}), options, ThreadPool(1));
  EXPECT_EQ(middle.z[2], 0);
  EXPECT_EQ(middle.p[2], 1.0);
}

// Expected p from the share of simulated values at least as large as the observed one.
double folded(double share) { return std::min(share, 1 - share); }

TEST(Moran, LocalPValuesApproachTheExactConditionalDistribution) {
  // Two neighbours drawn from the six other points: 15 pairs, all tried.
  const std::vector<double> y{0.3, 1.9, -0.4, 2.2, 0.9, -1.7, 1.1};
  const Lists lists = ring(7, 2);
  constexpr int kPermutations = 20000;
  const Moran m = moran(y, lists, {MoranWeights::binary, kPermutations, 5}, ThreadPool(2));
  for (std::size_t i = 0; i < 7; ++i) {
    int at_least = 0;
    for (std::size_t a = 0; a < 7; ++a)
      for (std::size_t b = a + 1; b < 7; ++b)
        if (a != i && b != i) at_least += m.z[i] * (m.z[a] + m.z[b]) >= m.z[i] * m.lag[i] - 1e-12;
    // Five deviations of a share near one half.
    EXPECT_NEAR(m.p[i], folded(at_least / 15.0), 5 * 0.5 / std::sqrt(kPermutations)) << i;
  }
}

TEST(Moran, GlobalPValueApproachesTheExactPermutationDistribution) {
  const std::vector<double> y{0.3, 1.9, -0.4, 2.2, 0.9, -1.7};
  const Lists lists({{1, 2}, {0}, {0, 1, 3}, {4}, {5, 3}, {4}});
  constexpr int kPermutations = 20000;
  const MoranOptions options{MoranWeights::row_standardised, kPermutations, 5};
  const Moran m = moran(y, lists, options, ThreadPool(2));
  std::vector<double> simulated, shuffled = y;
  std::sort(shuffled.begin(), shuffled.end());
  do {
    simulated.push_back(moran(shuffled, lists, {options.weights, 0, 0}, ThreadPool(1)).I);
  } while (std::next_permutation(shuffled.begin(), shuffled.end()));
  ASSERT_EQ(simulated.size(), 720U);
  const auto at_least =
      std::count_if(simulated.begin(), simulated.end(), [&](double I) { return I >= m.I - 1e-12; });
  EXPECT_NEAR(m.p_sim, folded(static_cast<double>(at_least) / 720),
              5 * 0.5 / std::sqrt(kPermutations));
  double mean = 0, squares = 0;
  for (const double I : simulated) mean += I / 720;
  for (const double I : simulated) squares += (I - mean) * (I - mean) / 720;
  EXPECT_NEAR(m.z_sim, (m.I - mean) / std::sqrt(squares), 0.05);
}

TEST(Moran, LocalPValuesWithManyNeighboursMatchAnIndependentSimulation) {
  const std::vector<double> y = noise(60, 3);
  const Lists lists = ring(60, 40);
  constexpr int kPermutations = 4000;
  const Moran m = moran(y, lists, {MoranWeights::binary, kPermutations, 1}, ThreadPool(2));
  std::mt19937 engine(1);
  for (std::size_t i = 0; i < 60; i += 12) {
    std::vector<double> others = m.z;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    int at_least = 0;
    for (int p = 0; p < kPermutations; ++p) {
      std::shuffle(others.begin(), others.end(), engine);
      at_least +=
          m.z[i] * std::accumulate(others.begin(), others.begin() + 40, 0.0) >= m.z[i] * m.lag[i];
    }
    // Five deviations of the difference of two such shares.
    EXPECT_NEAR(m.p[i], folded(static_cast<double>(at_least) / kPermutations),
                5 * 0.5 * std::sqrt(2.0 / kPermutations))
        << i;
  }
}

TEST(Moran, AGradientHasTinyPValuesAndHighI) {
  std::vector<double> y;
  for (int i = 0; i < 400; ++i) y.push_back(i / 20);
  const Moran m = moran(y, grid(20), {}, ThreadPool(2));
  EXPECT_GT(m.I, 0.9);
  EXPECT_EQ(m.p_sim, 0.001);
  EXPECT_GT(m.z_sim, 10);
  // The corner's neighbours lie in rows 0 and 1. Of the 399 * 398 / 2 pairs of other cells,
  // 19 * 18 / 2 + 19 * 20 = 551 have no larger sum: p = 0.0069 + 0.001, deviation 0.0026.
  EXPECT_NEAR(m.p[0], 0.0079, 0.009);
  EXPECT_EQ(m.q[0], 3);
  EXPECT_LT(m.p[30], 0.003);  // four neighbours in rows 0 to 2
  EXPECT_NEAR(m.p[399], 0.0079, 0.009);
  EXPECT_EQ(m.q[399], 1);
}

TEST(Moran, ACheckerboardHasTinyPValuesAndI) {
  std::vector<double> y;
  for (int i = 0; i < 100; ++i) y.push_back((i / 10 + i) % 2);
  const Moran m = moran(y, grid(10), {}, ThreadPool(2));
  EXPECT_NEAR(m.I, -1, 1e-12);
  EXPECT_EQ(m.p_sim, 0.001);
  EXPECT_LT(m.z_sim, -10);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(m.q[i], m.z[i] > 0 ? 4 : 2);
    // No simulated value is lower; those that are equal count as at least the observed one.
    EXPECT_EQ(m.p[i], 0.001) << i;
  }
}

TEST(Moran, NoiseHasPValuesUniformUpToOneHalf) {
  const Lists lists = grid(8);
  constexpr int kSeeds = 200;
  double global = 0, local = 0;
  int small = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Moran m = moran(noise(64, seed + 100), lists, {MoranWeights::row_standardised, 199, seed},
                          ThreadPool(1));
    global += m.p_sim / kSeeds;
    local += m.p[27] / kSeeds;
    small += m.p_sim <= 0.05;
  }
  // A uniform value on [0, 1/2] has mean 1/4 and deviation 0.144; the bands are three deviations.
  EXPECT_NEAR(global, 0.25, 0.031);
  EXPECT_NEAR(local, 0.25, 0.031);
  EXPECT_NEAR(small, 20, 13);  // a tenth of the seeds, as both tails reach 0.05
}

TEST(Moran, GivesTheSameBitsForAnyNumberOfThreadsAndAnotherSeedChangesThem) {
  const std::vector<double> y = noise(500, 2);
  const Lists lists = ring(500, 5);
  MoranOptions options{MoranWeights::row_standardised, 99, 11};
  const Moran one = moran(y, lists, options, ThreadPool(1));
  for (const int threads : {2, 3}) {
    const Moran other = moran(y, lists, options, ThreadPool(threads));
    EXPECT_EQ(one.p, other.p) << threads << " threads";
    EXPECT_EQ(one.p_sim, other.p_sim);
    EXPECT_EQ(one.z_sim, other.z_sim);
    EXPECT_EQ(one.Is, other.Is);
    EXPECT_EQ(one.I, other.I);
  }
  options.seed = 12;
  const Moran reseeded = moran(y, lists, options, ThreadPool(1));
  EXPECT_NE(one.p, reseeded.p);
  EXPECT_NE(one.z_sim, reseeded.z_sim);
  EXPECT_EQ(one.I, reseeded.I);
}

class MoranGolden : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path file = test::golden_file();
    std::ifstream in(file);
    ASSERT_TRUE(in) << file << " cannot be opened; set PEGNN_GOLDEN";
    const auto golden = test::parse_json(in);
    y_ = golden["graph"]["y"].get<std::vector<double>>();
    rows_ = golden["graph"]["neighbours"].get<Rows>();
    for (const auto& row : golden["graph"]["edge_weight"])
      for (const double weight : row) weights_.push_back(weight);
    expected_ = golden["moran"];
  }

  void compare(const std::vector<double>& actual, const char* key) const {
    const auto expected = expected_[key].get<std::vector<double>>();
    ASSERT_EQ(actual.size(), expected.size());
    ASSERT_FALSE(expected.empty());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(actual[i], expected[i], 1e-9) << key << " of point " << i;
  }

  std::vector<double> y_, weights_;
  Rows rows_;
  nlohmann::json expected_;
};

TEST_F(MoranGolden, LocalMoranMatches) {
  const Lists lists(rows_);
  std::vector<double> out(y_.size());
  local_moran(y_, lists, {}, ThreadPool(2), out);
  compare(out, "local_binary");
  minmax_scale(out);
  compare(out, "local_binary_minmax");
  local_moran(y_, lists, weights_, ThreadPool(2), out);
  compare(out, "local_weighted");
}

TEST_F(MoranGolden, GlobalMoranMatches) {
  const Lists lists(rows_);
  const Moran binary = moran(y_, lists, {MoranWeights::binary, 0, 0}, ThreadPool(1));
  EXPECT_NEAR(binary.I, expected_["global_binary"].get<double>(), 1e-9);
  compare(binary.Is, "local_binary");
  const Moran row = moran(y_, lists, {MoranWeights::row_standardised, 0, 0}, ThreadPool(1));
  EXPECT_NEAR(row.I, expected_["global_rowstandardised"].get<double>(), 1e-9);
}

// Work that the calling thread asks about many times, for either test.
struct LongTest {
  Lists lists = ring(1000, 30);
  std::vector<double> values;
  MoranOptions options{.permutations = 999};

  LongTest() {
    const Rng rng{5, Stream::sample};
    for (std::uint64_t i = 0; i < 1000; ++i) values.push_back(rng.uniform(0, i));
  }
  Moran run(int threads) const { return moran(values, lists, options, ThreadPool(threads)); }
};

TEST(Moran, CanBeStoppedByTheCallingThreadInEitherTest) {
  LongTest test;
  int asked = 0;
  test.options.stop = [&] { return ++asked < 0; };
  test.run(1);
  const int most = asked;
  ASSERT_GT(most, 10);
  const auto caller = std::this_thread::get_id();
  for (const int when : {1, most}) {
    asked = 0;
    test.options.stop = [&] {
      EXPECT_EQ(caller, std::this_thread::get_id());
      return ++asked == when;
    };
    try {
      test.run(1);
      FAIL() << "not stopped at question " << when;
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::interrupted, e.kind());
    }
    EXPECT_EQ(when, asked);
  }
}

TEST(Moran, GivesTheSameBitsWhetherItCanBeStoppedOrNot) {
  LongTest test;
  const Moran plain = test.run(2);
  const auto caller = std::this_thread::get_id();
  test.options.stop = [&] { return caller != std::this_thread::get_id(); };
  for (const int threads : {1, 3}) {
    const Moran asked = test.run(threads);
    EXPECT_EQ(plain.p, asked.p) << threads;
    EXPECT_EQ(plain.p_sim, asked.p_sim) << threads;
    EXPECT_EQ(plain.z_sim, asked.z_sim) << threads;
  }
}

TEST(Moran, OfPointsOrValuesThatDoNotFitIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Point> points = {{0, 0}, {1, 0}, {0, 1}}, nowhere = {{0, 0}, {1, 0}, {0, nan}};
  const std::vector<double> three = {1, 2, 4}, missing = {1, nan, 4};
  const auto run = [](const std::vector<Point>& at, std::span<const double> values,
                      std::int64_t k) { moran(at, Space::sphere, values, k, {}, 1); };
  run(points, three, 1);
  test::refusal([&] { run(points, std::span(three).first(2), 1); });
  test::refusal([&] { run(points, missing, 1); });
  test::refusal([&] { run(nowhere, three, 1); });
  test::refusal([&] { run(points, three, 0); });
  EXPECT_TRUE(std::isnan(moran({}, Space::plane, {}, 1, {}, 1).I));
}

TEST(Moran, TheUnitOfTheValuesDoesNotMatter) {
  // Squares of these overflow and vanish.
  const std::vector<std::int64_t> offsets{0, 2, 4, 6, 8};
  const std::vector<std::int32_t> columns{1, 2, 0, 2, 1, 3, 2, 1};
  const std::vector<double> y{1, 2, 4, 8};
  const ThreadPool pool(1);
  std::vector<double> local(4), scaled_local(4);
  local_moran(y, {offsets, columns}, {}, pool, local);
  const Moran want = moran(y, {offsets, columns}, {.permutations = 99}, pool);
  for (const double unit : {1e200, 1e-200}) {
    std::vector<double> scaled = y;
    for (double& v : scaled) v *= unit;
    const Moran got = moran(scaled, {offsets, columns}, {.permutations = 99}, pool);
    EXPECT_NEAR(want.I, got.I, 1e-12) << unit;
    EXPECT_EQ(want.p_sim, got.p_sim) << unit;
    local_moran(scaled, {offsets, columns}, {}, pool, scaled_local);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(local[i], scaled_local[i], 1e-12) << unit;
  }
}

}  // namespace
}  // namespace pegnn
