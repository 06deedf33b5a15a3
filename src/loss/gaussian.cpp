// Negative logarithm of the normal likelihood, without its constant: with m and log s the outputs
// of the head `gaussian`,
//
//   l(y) = log s + ((y - m) / s)^2 / 2

#include <algorithm>
#include <cmath>

#include "loss/loss.h"

namespace pegnn {
namespace {

// Beyond these the deviation counts as that at the bound, and the slope leads back: exp must not
// overflow in the first steps.
constexpr double kMostLog = 12;

double gaussian(const double* raw, double observed, double* slope) noexcept {
  const double log_s = std::clamp(raw[1], -kMostLog, kMostLog);
  const double precision = std::exp(-2 * log_s), error = raw[0] - observed;
  const double square = error * error * precision;
  slope[0] = error * precision;
  slope[1] = 1 - square;
  return log_s + 0.5 * square;
}

}  // namespace

extern constinit const LossEntry gaussian_loss{
    .info = {.name = "gaussian",
             .summary = "Negative log-likelihood of a normal distribution; for the head gaussian.",
             .source = "Nix and Weigend 1994"},
    .outputs = 2,
    .of_row = gaussian};

}  // namespace pegnn
