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
double weighted_loss(LossFunction<T> loss, std::span<const T> predicted,
                     std::span<const T> observed, std::span<const T> weight, double scale,
                     std::span<T> gradient) {
  if (weight.empty()) return loss(predicted, observed, scale, gradient);
  if (predicted.empty()) return 0;
  const auto n = static_cast<double>(predicted.size());
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const auto w = static_cast<double>(weight[i]);
    const std::span<T> own = gradient.empty() ? gradient : gradient.subspan(i, 1);
    sum += w * loss(predicted.subspan(i, 1), observed.subspan(i, 1), scale * w / n, own);
  }
  return sum / n;
}
template double weighted_loss(LossFunction<float>, std::span<const float>, std::span<const float>,
                              std::span<const float>, double, std::span<float>);
template double weighted_loss(LossFunction<double>, std::span<const double>,
                              std::span<const double>, std::span<const double>, double,
                              std::span<double>);

template <>
LossFunction<float> find_loss<float>(const std::string& name) {
  return find_part(losses(), "loss", name).of_float;
}

template <>
LossFunction<double> find_loss<double>(const std::string& name) {
  return find_part(losses(), "loss", name).of_double;
}

}  // namespace pegnn
