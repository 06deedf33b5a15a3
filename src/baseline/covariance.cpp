#include "baseline/covariance.h"

#include <cmath>

#include "base/assert.h"

namespace pegnn {
namespace {

constexpr double kRoot3 = 1.7320508075688772;
constexpr double kRoot5 = 2.2360679774997896;

// From here on every correlation is zero in double; an infinite u would otherwise be infinity times
// zero.
constexpr double kFar = 1000;

}  // namespace

Covariance covariance_of(const std::string& name, Covariance automatic) {
  if (name == "auto") return automatic;
  for (const Covariance c : {Covariance::exponential, Covariance::matern32, Covariance::matern52,
                             Covariance::gaussian}) {
    if (name == name_of(c)) return c;
  }
  PEGNN_ASSERT(false, "options are checked against the words allowed");
  return automatic;
}

const char* name_of(Covariance covariance) {
  switch (covariance) {
    case Covariance::exponential:
      return "exponential";
    case Covariance::matern32:
      return "matern32";
    case Covariance::matern52:
      return "matern52";
    case Covariance::gaussian:
      return "gaussian";
  }
  return "";
}

double correlation(Covariance covariance, double u) {
  if (u > kFar) return 0;
  switch (covariance) {
    case Covariance::exponential:
      return std::exp(-u);
    case Covariance::matern32:
      return (1 + kRoot3 * u) * std::exp(-kRoot3 * u);
    case Covariance::matern52:
      return (1 + kRoot5 * u + 5.0 / 3.0 * u * u) * std::exp(-kRoot5 * u);
    case Covariance::gaussian:
      return std::exp(-0.5 * u * u);
  }
  return 0;
}

double slope_over_u(Covariance covariance, double u) {
  if (u > kFar) return 0;
  switch (covariance) {
    case Covariance::exponential:
      return u > 0 ? std::exp(-u) / u : 0.0;
    case Covariance::matern32:
      return 3 * std::exp(-kRoot3 * u);
    case Covariance::matern52:
      return 5.0 / 3.0 * (1 + kRoot5 * u) * std::exp(-kRoot5 * u);
    case Covariance::gaussian:
      return std::exp(-0.5 * u * u);
  }
  return 0;
}

}  // namespace pegnn
