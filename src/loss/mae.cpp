// Mean absolute error: 1/n sum_i |p_i - y_i|; the gradient at zero error is zero.

#include <cmath>

#include "loss/loss.h"

namespace pegnn {
namespace {

template <class T>
double mae(std::span<const T> predicted, std::span<const T> observed, double scale,
           std::span<T> gradient) {
  if (predicted.empty()) return 0;
  const double n = static_cast<double>(predicted.size());
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const double error = static_cast<double>(predicted[i]) - static_cast<double>(observed[i]);
    sum += std::abs(error);
    if (!gradient.empty()) {
      const double sign = error > 0 ? 1.0 : (error < 0 ? -1.0 : 0.0);
      gradient[i] = static_cast<T>(scale * sign / n);
    }
  }
  return sum / n;
}

}  // namespace

extern constinit const LossEntry mae_loss{
    .info = {.name = "mae",
             .summary = "Mean absolute error; predicts the median, robust to outliers.",
             .source = "the usual least absolute deviations"},
    .of_float = mae<float>,
    .of_double = mae<double>};

}  // namespace pegnn
