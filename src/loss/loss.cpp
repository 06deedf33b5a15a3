#include "loss/loss.h"

namespace pegnn {

#define LOSS(name) extern const LossEntry name##_loss;
#include "loss/losses.def"
#undef LOSS

std::span<const LossEntry* const> losses() {
  static constexpr const LossEntry* kList[] = {
#define LOSS(name) &name##_loss,
#include "loss/losses.def"
#undef LOSS
  };
  return kList;
}

template <class T>
double mean_loss(LossFunction loss, std::span<const T> predicted, std::span<const T> observed,
                 std::span<const T> weight, double scale, std::span<T> gradient) {
  if (predicted.empty()) return 0;
  const auto n = static_cast<double>(predicted.size());
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const RowLoss row = loss(static_cast<double>(predicted[i]) - static_cast<double>(observed[i]));
    const double w = weight.empty() ? 1.0 : static_cast<double>(weight[i]);
    sum += w * row.value;
    if (gradient.empty()) continue;
    // Rounded in an order of their own each: models with the same seed keep their bits.
    gradient[i] =
        static_cast<T>(weight.empty() ? scale * row.slope / n : scale * w / n * row.slope);
  }
  return sum / n;
}
template double mean_loss(LossFunction, std::span<const float>, std::span<const float>,
                          std::span<const float>, double, std::span<float>);
template double mean_loss(LossFunction, std::span<const double>, std::span<const double>,
                          std::span<const double>, double, std::span<double>);

LossFunction find_loss(const std::string& name) { return find_part(losses(), "loss", name).of_row; }

}  // namespace pegnn
