// Mean squared error: 1/n sum_i (p_i - y_i)^2.

#include "loss/loss.h"

namespace pegnn {
namespace {

double mse(const double* raw, double observed, double* slope) noexcept {
  const double error = raw[0] - observed;
  slope[0] = 2.0 * error;
  return error * error;
}

}  // namespace

extern constinit const LossEntry mse_loss{
    .info = {.name = "mse",
             .summary = "Mean squared error; predicts the mean.",
             .source = "Klemmer et al. 2023, Eq. 8"},
    .of_row = mse};

}  // namespace pegnn
