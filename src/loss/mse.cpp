// Mean squared error: 1/n sum_i (p_i - y_i)^2.

#include "loss/loss.h"

namespace pegnn {
namespace {

template <class T>
double mse(std::span<const T> predicted, std::span<const T> observed, double scale,
           std::span<T> gradient) {
  if (predicted.empty()) return 0;
  const double n = static_cast<double>(predicted.size());
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const double error = static_cast<double>(predicted[i]) - static_cast<double>(observed[i]);
    sum += error * error;
    if (!gradient.empty()) gradient[i] = static_cast<T>(scale * 2.0 * error / n);
  }
  return sum / n;
}

}  // namespace

extern constinit const LossEntry mse_loss{
    .info = {.name = "mse",
             .summary = "Mean squared error; predicts the mean.",
             .source = "Klemmer et al. 2023, Eq. 8"},
    .of_float = mse<float>,
    .of_double = mse<double>};

}  // namespace pegnn
