#pragma once
// Initial weights, drawn from counters: parameter p, element e depend on (seed, p, e) alone.

#include <cmath>
#include <cstdint>

#include "base/array.h"
#include "base/philox.h"
#include "nn/layout.h"

namespace pegnn {

template <class T>
class Initialiser {
 public:
  Initialiser(std::uint64_t seed, Span<T> parameters)
      : rng_{seed, Stream::initial_weights}, parameters_(parameters) {}

  // Uniform in +-limit.
  void uniform(ParamSlot slot, double limit) {
    for (std::int64_t e = 0; e < slot.size(); ++e) {
      // A slot's offset is its identity: no two slots share one.
      const double u =
          rng_.uniform(static_cast<std::uint64_t>(slot.offset), static_cast<std::uint64_t>(e));
      parameters_[slot.offset + e] = static_cast<T>((2.0 * u - 1.0) * limit);
    }
  }
  // Glorot and Bengio (AISTATS 2010): keeps the variance through forward and backward.
  void glorot(ParamSlot slot) {
    uniform(slot, std::sqrt(6.0 / static_cast<double>(slot.rows + slot.cols)));
  }
  // The default of PyTorch's Linear for weight and bias: uniform in +-1/sqrt(inputs).
  void fan_in(ParamSlot slot, std::int64_t inputs) {
    uniform(slot, 1.0 / std::sqrt(static_cast<double>(inputs)));
  }
  void constant(ParamSlot slot, double value) {
    for (std::int64_t e = 0; e < slot.size(); ++e) {
      parameters_[slot.offset + e] = static_cast<T>(value);
    }
  }

 private:
  Rng rng_;
  Span<T> parameters_;
};

}  // namespace pegnn
