#pragma once
// Adam and AdamW over the flat parameter buffer.

#include <cstdint>

#include "base/array.h"
#include "compute/backend.h"

namespace pegnn {

template <class T>
class Adam {
 public:
  struct Settings {
    double learning_rate = 1e-3;
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double weight_decay = 0;
    bool decoupled = false;  // AdamW
  };

  Adam(const Backend<T>& backend, const Settings& settings, std::int64_t size)
      : backend_(backend),
        settings_(settings),
        first_moment_(backend.buffer(size)),
        second_moment_(backend.buffer(size)) {}

  void step(Span<const T> gradients, Span<T> parameters) {
    const AdamStep s{
        settings_.learning_rate, settings_.beta1,     settings_.beta2, settings_.epsilon,
        settings_.weight_decay,  settings_.decoupled, ++steps_};
    backend_.kernels.adam(backend_.pool, s, gradients, first_moment_.span(), second_moment_.span(),
                          parameters);
  }

  void set_learning_rate(double rate) { settings_.learning_rate = rate; }

  // The state a snapshot keeps.
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }
  Span<T> first_moment() { return first_moment_.span(); }
  Span<T> second_moment() { return second_moment_.span(); }

 private:
  Backend<T> backend_;
  Settings settings_;
  Buffer<T> first_moment_, second_moment_;
  std::int64_t steps_ = 0;
};

}  // namespace pegnn
