#include "baseline/side_correlations.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/aligned_buffer.h"
#include "base/philox.h"
#include "support/targets.h"

namespace pegnn {
namespace {

constexpr Covariance kKernels[] = {Covariance::exponential, Covariance::matern32,
                                   Covariance::matern52, Covariance::gaussian};

// Correlations of places that are the same in every system.
std::vector<double> correlated(const SpatialModel& model, const std::vector<Place>& places) {
  const auto count = static_cast<std::int64_t>(places.size());
  AlignedBuffer<double> groups(count * 3 * kSide), triangle(triangle_at(count, 0));
  triangle.fill(777);
  for (std::int64_t i = 0; i < count; ++i) {
    const Place& p = places[static_cast<std::size_t>(i)];
    for (std::int64_t s = 0; s < kSide; ++s) {
      double* group = groups.data() + i * 3 * kSide + s;
      group[0] = p.x;
      group[kSide] = p.y;
      group[2 * kSide] = p.z;
    }
  }
  side_correlations(model, count, groups.data(), triangle.data());
  std::vector<double> out;
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      out.push_back(triangle[triangle_at(i, j)]);
      for (std::int64_t s = 1; s < kSide; ++s) {
        EXPECT_EQ(triangle[triangle_at(i, j) + s], out.back());
      }
    }
    EXPECT_EQ(triangle[triangle_at(i, i) + 3], 777) << "the diagonal is the caller's";
  }
  return out;
}

TEST(SideCorrelations, AreThoseOfOnePairAfterTheOther) {
  const Rng rng{3, Stream::sample};
  std::vector<Place> places;
  for (std::uint64_t i = 0; i < 12; ++i) {
    places.push_back({rng.uniform(1, i), 10 * rng.uniform(2, i), 3 * rng.uniform(3, i)});
  }
  test::for_every_target([&](const char*) {
    for (const Covariance kernel : kKernels) {
      for (const double range : {1e-3, 0.02, 0.5, 7.0, 1e6}) {
        const SpatialModel model{kernel, range, 0.75, 0.25};
        const Correlations want(kernel, range, 0.25);
        const std::vector<double> got = correlated(model, places);
        std::size_t at = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
          for (std::size_t j = 0; j < i; ++j, ++at) {
            const double expected = want(places[i], places[j]);
            ASSERT_NEAR(got[at], expected, 1e-12 * expected + 1e-300)
                << name_of(kernel) << ", range " << range;
          }
        }
      }
    }
  });
}

TEST(SideCorrelations, AreWholeAtOnePlaceAndZeroFarAway) {
  test::for_every_target([&](const char*) {
    for (const Covariance kernel : kKernels) {
      for (const double range : {1e-200, 1.0, 1e200}) {
        const std::vector<double> got = correlated({kernel, range, 2, 0}, {{4, 5, 6}, {4, 5, 6}});
        EXPECT_NEAR(got[0], 1, 1e-15);
      }
      for (const double far : {1e4, 1e160, 1e300}) {
        EXPECT_EQ(correlated({kernel, 1, 2, 0}, {{0, 0, 0}, {far, -far, 0}})[0], 0);
      }
      EXPECT_EQ(correlated({kernel, 1, 0, 3}, {{0, 0, 0}, {0, 0.1, 0}})[0], 0) << "noise alone";
    }
  });
}

}  // namespace
}  // namespace pegnn
