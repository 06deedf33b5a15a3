// Mean squared error: 1/n sum_i (p_i - y_i)^2.

#include "loss/loss.h"

namespace pegnn {
namespace {

RowLoss mse(double error) noexcept { return {error * error, 2.0 * error}; }

}  // namespace

extern constinit const LossEntry mse_loss{
    .info = {.name = "mse",
             .summary = "Mean squared error; predicts the mean.",
             .source = "Klemmer et al. 2023, Eq. 8"},
    .of_row = mse};

}  // namespace pegnn
