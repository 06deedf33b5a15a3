#pragma once
// A fully connected layer with activation and dropout: y = drop(act(x W^T + b)).

#include <cstdint>
#include <string>

#include "nn/initialiser.h"
#include "nn/pass.h"

namespace pegnn {

template <class T>
class Linear {
 public:
  struct Shape {
    std::int64_t in = 0, out = 0;
    bool bias = true;
    Activation activation = Activation::identity;
    double dropout = 0;
  };

  // Parameters `weight` (out x in) and `bias` (1 x out).
  void plan(Builder builder, const Shape& shape) {
    shape_ = shape;
    weight_ = builder.parameter("weight", shape.out, shape.in);
    if (shape.bias) bias_ = builder.parameter("bias", 1, shape.out);
    if (shape.dropout > 0) dropout_layer_ = builder.work.dropout_layer();
  }

  ParamSlot weight() const { return weight_; }
  ParamSlot bias() const { return bias_; }

  // As PyTorch's Linear does.
  void initialise(Initialiser<T>& init) const {
    init.fan_in(weight_, shape_.in);
    if (shape_.bias) init.fan_in(bias_, shape_.in);
  }

  // x: n x in, y: n x out
  void forward(const Pass<T>& pass, Mat<const T> x, Mat<T> y) const {
    pass.kernels.linear(pass.schedule, x, pass.parameter(weight_), epilogue(pass), y);
  }

  // Adds to the gradients of weight and bias. dy is overwritten. dx may have no data: not wanted.
  void backward(const Pass<T>& pass, Mat<const T> x, Mat<const T> y, Mat<T> dy, Mat<T> dx,
                bool add_to_dx = false) const {
    T* db = shape_.bias ? pass.gradient(bias_).data : nullptr;
    pass.kernels.linear_backward(pass.schedule, x, pass.parameter(weight_), y, epilogue(pass), dy,
                                 dx, add_to_dx, pass.gradient(weight_), db);
  }

 private:
  Epilogue<T> epilogue(const Pass<T>& pass) const {
    return {.bias = shape_.bias ? pass.parameter(bias_).data : nullptr,
            .activation = shape_.activation,
            .dropout = pass.dropout(shape_.dropout, dropout_layer_)};
  }

  Shape shape_;
  ParamSlot weight_, bias_;
  std::uint32_t dropout_layer_ = 0;
};

}  // namespace pegnn
