// The kernels that do not go over the rows of a network: the sinusoidal transform and Adam.

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/agreement.h"
#include "kernels/kernels.h"
#include "support/targets.h"

namespace pegnn {
namespace {

using test::expect_near;
using test::expect_same_bits;
using test::for_every_target;

TEST(Kernels, SinusoidalIsExactForLargeAnglesToo) {
  // 5e6 metres at a scale of 1e-6: far beyond where vectorised argument reduction holds.
  const std::vector<double> coordinates{500000.25, 4649776.5, -122.4, 37.8};
  const std::vector<double> scales{1e-6, 1e-3, 1, 360, 0.7};
  std::vector<float> out(2 * 20);
  for_every_target([&](const char*) {
    cpu::kernels().sinusoidal(ThreadPool(1), {coordinates.data(), 2, 2}, scales,
                              {out.data(), 2, 20});
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t v = 0; v < 2; ++v) {
        for (std::size_t s = 0; s < scales.size(); ++s) {
          const double angle = coordinates[2 * i + v] / scales[s];
          EXPECT_NEAR(std::sin(angle), out[i * 20 + v * 10 + 2 * s], 1e-7);
          EXPECT_NEAR(std::cos(angle), out[i * 20 + v * 10 + 2 * s + 1], 1e-7);
        }
      }
    }
  });
}

TEST(Kernels, AdamWShrinksWeightsAndAdamAddsDecayToTheGradient) {
  for (const bool decoupled : {false, true}) {
    // By hand: one step from rest moves every weight by the learning rate against its gradient.
    std::vector<double> g{0.5}, m{0}, v{0}, p{2.0};
    const AdamStep step{0.1, 0.9, 0.999, 1e-8, 0.01, decoupled, 1};
    reference::kernels<double>().adam(ThreadPool(1), step, g, m, v, p);
    const double want = decoupled ? 2.0 * (1 - 0.1 * 0.01) - 0.1 : 2.0 - 0.1;
    EXPECT_NEAR(want, p[0], 1e-7);
    EXPECT_NEAR(decoupled ? 0.05 : 0.052, m[0], 1e-12);
  }
}

// The parameters after twenty steps with random gradients.
template <class T>
std::vector<T> run_adam(const Kernels<T>& kernels,
                        const std::vector<std::vector<double>>& gradients, int threads) {
  const ThreadPool pool(threads);
  const std::size_t n = gradients[0].size();
  const std::vector<double> start = test::random_values(n, 1);
  std::vector<T> p(start.begin(), start.end()), m(n), v(n);
  std::int64_t step = 0;
  for (const std::vector<double>& drawn : gradients) {
    const std::vector<T> g(drawn.begin(), drawn.end());
    kernels.adam(pool, {1e-3, 0.9, 0.999, 1e-8, 0.01, true, ++step}, g, m, v, p);
  }
  return p;
}

TEST(Kernels, FastAdamFollowsTheReferenceOverManySteps) {
  std::vector<std::vector<double>> gradients;
  for (std::uint64_t s = 1; s <= 20; ++s) {
    gradients.push_back(test::random_values(40001, 100 + s));  // several blocks and a rest
  }
  const auto want = run_adam<double>(reference::kernels<double>(), gradients, 1);
  for_every_target([&](const char*) {
    const auto one = run_adam<float>(cpu::kernels(), gradients, 1);
    expect_near(want, one, 1e-5, "parameters");
    expect_same_bits(one, run_adam<float>(cpu::kernels(), gradients, 3), "threads");
  });
}

}  // namespace
}  // namespace pegnn
