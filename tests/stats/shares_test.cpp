#include "stats/shares.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/philox.h"

namespace pegnn {
namespace {

const ThreadPool kPool(1);

double value_of(Mat<const double> q, const Array<double>& c, const Array<double>& a) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    sum -= 2 * c[i] * a[i];
    for (std::int64_t j = 0; j < a.size(); ++j) sum += a[i] * q(i, j) * a[j];
  }
  return sum;
}

// Positive definite: B B^T and a little more.
Array<double> some_system(std::int64_t n, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  Array<double> b, q(n * n);
  for (std::int64_t i = 0; i < n * n; ++i)
    b.push_back(rng.normal(1, static_cast<std::uint64_t>(i)));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t k = 0; k < n; ++k) q[i * n + j] += b[i * n + k] * b[j * n + k];
    }
    q[i * n + i] += 0.1;
  }
  return q;
}

// a^2 + 4 b^2 with a + b = 1 is least at b = 1/5.
TEST(Shares, OfTwoAreInverseToTheirSquares) {
  const Array<double> q{1, 0, 0, 4}, c{0, 0};
  const Array<double> a = best_shares({q.data(), 2, 2}, c, 2, kPool);
  EXPECT_NEAR(0.8, a[0], 1e-12);
  EXPECT_NEAR(0.2, a[1], 1e-12);
}

TEST(Shares, ThatWouldBeNegativeAreZero) {
  const Array<double> q{1, 2, 2, 5}, c{0, 0};  // without the bound the second would be -1/2
  const Array<double> a = best_shares({q.data(), 2, 2}, c, 2, kPool);
  EXPECT_EQ(1, a[0]);
  EXPECT_EQ(0, a[1]);
}

TEST(Shares, OfOneAreAllOfIt) {
  const Array<double> q{3, 0, 0, 2}, c{7, -1};
  EXPECT_EQ((Array<double>{1, 1}), best_shares({q.data(), 2, 2}, c, 1, kPool));
}

// Against a fine grid over both triangles.
TEST(Shares, NoOthersAreBetter) {
  constexpr int kParts = 24;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Rng rng{seed, Stream::sample};
    const Array<double> room = some_system(6, seed);
    const Mat<const double> q(room.data(), 6, 6);
    Array<double> c;
    for (std::uint64_t i = 0; i < 6; ++i) c.push_back(rng.normal(2, i));
    const Array<double> a = best_shares(q, c, 3, kPool);
    ASSERT_EQ(6, a.size());
    EXPECT_NEAR(1, a[0] + a[1] + a[2], 1e-12);
    EXPECT_NEAR(1, a[3] + a[4] + a[5], 1e-12);
    for (const double w : a) EXPECT_GE(w, 0);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= kParts; ++i) {
      for (int j = 0; i + j <= kParts; ++j) {
        for (int k = 0; k <= kParts; ++k) {
          for (int l = 0; k + l <= kParts; ++l) {
            const double d = kParts;
            least = std::min(least, value_of(q, c,
                                             {i / d, j / d, (kParts - i - j) / d, k / d, l / d,
                                              (kParts - k - l) / d}));
          }
        }
      }
    }
    const double found = value_of(q, c, a);
    EXPECT_LE(found, least + 1e-12);
    EXPECT_GE(found, least - 0.1) << "the grid is near it";
  }
}

}  // namespace
}  // namespace pegnn
