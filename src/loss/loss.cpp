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

template <>
LossFunction<float> find_loss<float>(const std::string& name) {
  return find_part(losses(), "loss", name).of_float;
}

template <>
LossFunction<double> find_loss<double>(const std::string& name) {
  return find_part(losses(), "loss", name).of_double;
}

}  // namespace pegnn
