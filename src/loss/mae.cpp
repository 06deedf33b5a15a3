// Mean absolute error: 1/n sum_i |p_i - y_i|; the gradient at zero error is zero.

#include <cmath>

#include "loss/loss.h"

namespace pegnn {
namespace {

double mae(const double* raw, double observed, double* slope) noexcept {
  const double error = raw[0] - observed;
  slope[0] = error > 0 ? 1.0 : (error < 0 ? -1.0 : 0.0);
  return std::abs(error);
}

}  // namespace

extern constinit const LossEntry mae_loss{
    .info = {.name = "mae",
             .summary = "Mean absolute error; predicts the median, robust to outliers.",
             .source = "the usual least absolute deviations"},
    .of_row = mae};

}  // namespace pegnn
