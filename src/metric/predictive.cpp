#include "metric/predictive.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace pegnn {
namespace {

double normal_share_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normal_density(double z) {
  return std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

}  // namespace

// By Halley's steps on the lower half, from the first terms of the tail's expansion. Where the
// share is small it is compared by logarithms, so that no digits are lost.
double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);
  const double t = std::sqrt(-2 * std::log(p));
  // Hastings (1955), 26.2.23 in Abramowitz and Stegun: within 4.5e-4.
  double z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int step = 0; step < 3; ++step) {
    const double slope = normal_density(z);
    if (!(slope > 0)) break;
    const double off = (normal_share_below(z) - p) / slope;
    z -= off / (1 + 0.5 * z * off);
  }
  return z;
}

bool gives_distribution(std::span<const OutputColumn> columns) {
  return has_column(columns, OutputKind::deviation);
}

double Predictive::z(std::int64_t i, double y) const {
  const double error = y - mean_[i];
  if (error == 0) return 0;
  if (deviation_[i] > 0) return error / deviation_[i];
  return std::copysign(std::numeric_limits<double>::infinity(), error);
}

double Predictive::share_below(std::int64_t i, double y) const {
  return normal_share_below(z(i, y));
}

double Predictive::quantile(std::int64_t i, double p) const {
  return mean_[i] + deviation_[i] * normal_quantile(p);
}

double Predictive::log_score(std::int64_t i, double y) const {
  const double off = z(i, y);
  return 0.5 * off * off + std::log(deviation_[i]) + 0.5 * std::log(2 * std::numbers::pi);
}

// Gneiting and Raftery (2007), Eq. 21: s (z (2 Phi(z) - 1) + 2 phi(z) - 1 / sqrt(pi)).
double Predictive::crps(std::int64_t i, double y) const {
  const double off = z(i, y), s = deviation_[i];
  return (y - mean_[i]) * (2 * normal_share_below(off) - 1) +
         s * (2 * normal_density(off) - std::numbers::inv_sqrtpi);
}

}  // namespace pegnn
