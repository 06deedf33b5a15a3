#include "baseline/minimise.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

const Bounds kWide{{-10, -10}, {10, 10}};

// Rosenbrock's valley (Computer Journal 3, 1960): lowest at (1, 1), where it is 0.
double valley(std::span<const double> x, std::span<double> gradient) {
  const double a = 1 - x[0], b = x[1] - x[0] * x[0];
  if (!gradient.empty()) {
    gradient[0] = -2 * a - 400 * x[0] * b;
    gradient[1] = 200 * b;
  }
  return a * a + 100 * b * b;
}

// (x - 3)^2 + (y + 2)^2
double bowl(std::span<const double> x, std::span<double> gradient) {
  if (!gradient.empty()) {
    gradient[0] = 2 * (x[0] - 3);
    gradient[1] = 2 * (x[1] + 2);
  }
  return std::pow(x[0] - 3, 2) + std::pow(x[1] + 2, 2);
}

TEST(Minimise, FollowsACurvedValleyToItsEnd) {
  const Minimum found = minimise(valley, {-1.2, 1}, kWide, 1e-14, 500);
  EXPECT_NEAR(found.x[0], 1, 1e-5);
  EXPECT_NEAR(found.x[1], 1, 1e-5);
  EXPECT_LT(found.value, 1e-10);
  EXPECT_GT(found.evaluations, 10);
}

TEST(Minimise, StopsAtABound) {
  const Minimum found = minimise(bowl, {0, 0}, {{-1, -1}, {1, 1}}, 1e-12, 200);
  EXPECT_NEAR(found.x[0], 1, 1e-9);
  EXPECT_NEAR(found.x[1], -1, 1e-9);
  EXPECT_NEAR(found.value, 4 + 1, 1e-9);
}

TEST(Minimise, ClipsTheStartIntoTheBounds) {
  double first = 0;
  const auto objective = [&](std::span<const double> x, std::span<double> gradient) {
    if (first == 0) first = x[0];
    return bowl(x, gradient);
  };
  minimise(objective, {50, 0}, {{-1, -1}, {1, 1}}, 1e-12, 50);
  EXPECT_EQ(first, 1);
}

TEST(Minimise, ReturnsTheBestPointMetWithinTheCallsAllowed) {
  std::int64_t calls = 0;
  double lowest = 1e300;
  const auto objective = [&](std::span<const double> x, std::span<double> gradient) {
    ++calls;
    const double value = valley(x, gradient);
    lowest = std::min(lowest, value);
    return value;
  };
  const Minimum found = minimise(objective, {-1.2, 1}, kWide, 1e-14, 7);
  EXPECT_LE(calls, 7);
  EXPECT_EQ(found.evaluations, calls);
  EXPECT_EQ(found.value, lowest);
  EXPECT_EQ(valley(found.x, {}), found.value);
}

TEST(Minimise, WalksAroundPointsThatCannotBeUsed) {
  // Not defined right of 2; lowest where it still is.
  const auto objective = [](std::span<const double> x, std::span<double> gradient) {
    if (x[0] > 2) return std::nan("");
    return bowl(x, gradient);
  };
  for (const bool simplex : {false, true}) {
    const std::vector<double> size{0.5, 0.5};
    const Minimum found = simplex ? minimise_simplex(objective, {0, 0}, kWide, size, 1e-10, 2000)
                                  : minimise(objective, {0, 0}, kWide, 1e-10, 200);
    EXPECT_TRUE(std::isfinite(found.value));
    EXPECT_LE(found.x[0], 2);
    EXPECT_LT(found.value, 9 + 4);  // better than the start
  }
}

TEST(Minimise, LetsExceptionsOfTheObjectivePass) {
  std::int64_t calls = 0;
  const auto objective = [&](std::span<const double> x, std::span<double> gradient) {
    if (++calls == 3) throw std::runtime_error("enough");
    return valley(x, gradient);
  };
  EXPECT_THROW(minimise(objective, {-1.2, 1}, kWide, 1e-14, 100), std::runtime_error);
  EXPECT_EQ(calls, 3);
}

TEST(MinimiseSimplex, NeedsNoGradient) {
  const auto objective = [](std::span<const double> x, std::span<double> gradient) {
    EXPECT_TRUE(gradient.empty());
    return valley(x, {});
  };
  const std::vector<double> size{0.5, 0.5};
  const Minimum found = minimise_simplex(objective, {-1.2, 1}, kWide, size, 1e-14, 2000);
  EXPECT_NEAR(found.x[0], 1, 1e-4);
  EXPECT_NEAR(found.x[1], 1, 1e-4);
}

TEST(MinimiseSimplex, StaysWithinTheBounds) {
  const auto objective = [](std::span<const double> x, std::span<double>) {
    EXPECT_LE(std::abs(x[0]), 1);
    EXPECT_LE(std::abs(x[1]), 1);
    return bowl(x, {});
  };
  const std::vector<double> size{0.3, 0.3};
  const Minimum found = minimise_simplex(objective, {0, 0}, {{-1, -1}, {1, 1}}, size, 1e-12, 2000);
  EXPECT_NEAR(found.x[0], 1, 1e-6);
  EXPECT_NEAR(found.x[1], -1, 1e-6);
}

}  // namespace
}  // namespace pegnn
