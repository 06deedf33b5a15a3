#include "loss/loss.h"

namespace pegnn {

#define LOSS(name) extern const LossEntry name##_loss;
#include "loss/losses.def"
#undef LOSS

Span<const LossEntry* const> losses() {
  static constexpr const LossEntry* kList[] = {
#define LOSS(name) &name##_loss,
#include "loss/losses.def"
#undef LOSS
  };
  return kList;
}

template <class T>
double mean_loss(const LossEntry& loss, Mat<const T> predicted, Span<const T> observed,
                 Span<const T> weight, double scale, Mat<T> gradient) {
  if (predicted.rows == 0) return 0;
  const auto n = static_cast<double>(predicted.rows);
  double sum = 0;
  double raw[kMostOutputs], slope[kMostOutputs];
  for (std::int64_t i = 0; i < predicted.rows; ++i) {
    for (std::int64_t o = 0; o < loss.outputs; ++o) raw[o] = static_cast<double>(predicted(i, o));
    const double value = loss.of_row(raw, static_cast<double>(observed[i]), slope);
    const double w = weight.empty() ? 1.0 : static_cast<double>(weight[i]);
    sum += w * value;
    if (gradient.rows == 0) continue;
    // Rounded in an order of their own each: models with the same seed keep their bits.
    for (std::int64_t o = 0; o < loss.outputs; ++o) {
      gradient(i, o) =
          static_cast<T>(weight.empty() ? scale * slope[o] / n : scale * w / n * slope[o]);
    }
  }
  return sum / n;
}
template double mean_loss(const LossEntry&, Mat<const float>, Span<const float>, Span<const float>,
                          double, Mat<float>);
template double mean_loss(const LossEntry&, Mat<const double>, Span<const double>,
                          Span<const double>, double, Mat<double>);

const LossEntry& find_loss(const std::string& name) { return find_part(losses(), "loss", name); }

}  // namespace pegnn
