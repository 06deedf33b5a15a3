#pragma once
// Gradients against finite differences in double.

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"

namespace pegnn::test {

// Numbers in [-1, 1) that depend on (seed, index) alone.
inline std::vector<double> random_values(std::size_t n, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = 2.0 * rng.uniform(0, i) - 1.0;
  return values;
}

// Compares `gradient` with central differences of `f` with respect to every element of `x`. The
// step of 1e-6 balances rounding (1e-16 / 1e-6) against curvature (1e-12). The tolerance is 1e-6 of
// the largest entry, so that small gradients are held to it too; below 1e-3 rounding would show.
template <class F>
void expect_gradient(F&& f, std::span<double> x, std::span<const double> gradient,
                     const std::string& what) {
  ASSERT_EQ(x.size(), gradient.size()) << what;
  constexpr double kStep = 1e-6;
  std::vector<double> numeric(x.size());
  double scale = 1e-3;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double before = x[i];
    x[i] = before + kStep;
    const double up = f();
    x[i] = before - kStep;
    const double down = f();
    x[i] = before;
    numeric[i] = (up - down) / (2 * kStep);
    scale = std::max(scale, std::abs(numeric[i]));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(numeric[i], gradient[i], 1e-6 * scale) << what << ", element " << i;
  }
}

}  // namespace pegnn::test
