#include "kernels/kernels.h"

namespace pegnn {

template <>
const Kernels<float>& best_kernels<float>() {
  return cpu::kernels();
}

template <>
const Kernels<double>& best_kernels<double>() {
  return reference::kernels<double>();
}

}  // namespace pegnn
