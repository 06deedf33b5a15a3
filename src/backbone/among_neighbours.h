#pragma once
// Layers of attention among the neighbours of a point, before the point listens to them.
//
// What a point sees of its neighbours, a_ij, are tokens that attend to each other, so that two
// neighbours side by side can know that they say the same thing twice. Each layer, as one of
// Vaswani et al. (NeurIPS 2017) without normalisation, adds to a token what it hears of the others
// and then a correction (the formula is at AmongLayer in kernels/kernels.h). The logits of a head
// fall with the distance between neighbours at a rate of its own, which is learned; it begins at 1,
// 1/2, 1/4 ... per unit, as in Press et al. (ICLR 2022) along a text. What is added begins at zero:
// a network with these layers starts as one without.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "nn/initialiser.h"
#include "nn/pass.h"

namespace pegnn {

template <class T>
class AmongNeighbours {
 public:
  void plan(Builder builder, std::int64_t layers, std::int64_t width, std::int64_t heads) {
    layers_ = layers;
    // Heads share the width, but each has at least one column.
    const std::int64_t all = heads * std::max<std::int64_t>(1, width / heads);
    for (std::int64_t l = 0; l < layers; ++l) {
      const Builder inside = builder.inside(std::to_string(l));
      Slots& s = slots_[l];
      s.mix = inside.parameter("mix.weight", 3 * all, width);
      s.distance = inside.parameter("distance.weight", 2, heads);
      s.join = inside.parameter("join.weight", width, all);
      s.hidden = inside.parameter("hidden.weight", width, width);
      s.hidden_bias = inside.parameter("hidden.bias", 1, width);
      s.correction = inside.parameter("correction.weight", width, width);
      s.correction_bias = inside.parameter("correction.bias", 1, width);
    }
  }

  std::int64_t layers() const { return layers_; }

  void initialise(Initialiser<T>& init) const {
    for (std::int64_t l = 0; l < layers_; ++l) {
      const Slots& s = slots_[l];
      init.fan_in(s.mix, s.mix.cols);
      init.fan_in(s.hidden, s.hidden.cols);
      init.fan_in(s.hidden_bias, s.hidden.cols);
      for (const ParamSlot& slot : {s.join, s.correction, s.correction_bias, s.distance}) {
        init.constant(slot, 0);
      }
      for (std::int64_t h = 0; h < s.distance.cols; ++h) {
        init.constant({s.distance.offset + h, 1, 1}, -std::ldexp(1.0, -static_cast<int>(h)));
      }
    }
  }

  Among<const T> parameters(const Pass<T>& pass) const {
    return made_of<const T>([&](ParamSlot slot) { return pass.parameter(slot); });
  }
  Among<T> gradients(const Pass<T>& pass) const {
    return made_of<T>([&](ParamSlot slot) { return pass.gradient(slot); });
  }

 private:
  struct Slots {
    ParamSlot mix, distance, join, hidden, hidden_bias, correction, correction_bias;
  };

  template <class U, class F>
  Among<U> made_of(F&& at) const {
    Among<U> among;
    among.layers = layers_;
    for (std::int64_t l = 0; l < layers_; ++l) {
      const Slots& s = slots_[l];
      among.layer[l] = {.mix = at(s.mix),
                        .distance = at(s.distance),
                        .join = at(s.join),
                        .hidden = at(s.hidden),
                        .correction = at(s.correction),
                        .hidden_bias = at(s.hidden_bias).data,
                        .correction_bias = at(s.correction_bias).data};
    }
    return among;
  }

  std::int64_t layers_ = 0;
  Slots slots_[kMostAmong];
};

}  // namespace pegnn
