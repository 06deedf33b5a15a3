#pragma once
// Numbers for kernels, and how near two backends must come.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/gradient.h"

namespace pegnn::test {

// In [-1, 1).
template <class T>
std::vector<T> values(std::int64_t n, std::uint64_t seed) {
  const std::vector<double> drawn = random_values(static_cast<std::size_t>(n), seed);
  return {drawn.begin(), drawn.end()};
}

// The tolerance is relative to the largest number wanted, or to one.
template <class A, class B>
void expect_near(const std::vector<A>& want, const std::vector<B>& got, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(want.size(), got.size()) << what;
  double scale = 1;
  for (const A v : want) scale = std::max(scale, std::abs(static_cast<double>(v)));
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(want[i]), static_cast<double>(got[i]), tolerance * scale)
        << what << ", element " << i;
  }
}

inline void expect_same_bits(const std::vector<float>& a, const std::vector<float>& b,
                             const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0) << what;
}

}  // namespace pegnn::test
