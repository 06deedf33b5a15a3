#pragma once
// A head that is one linear layer with one output.

#include <memory>

#include "head/head.h"
#include "nn/linear.h"

namespace pegnn {

//   out_i = w . h_i + b
template <class T>
class LinearHead final : public Head<T> {
 public:
  void plan(Builder builder, std::int64_t in) override {
    layer_.plan(builder, {.in = in, .out = 1});
  }
  void initialise(Initialiser<T>& init) const override { layer_.initialise(init); }
  ParamSlot weight() const override { return layer_.weight(); }
  ParamSlot bias() const override { return layer_.bias(); }
  void forward(const Pass<T>& pass, Mat<const T> h, Mat<T> out) const override {
    layer_.forward(pass, h, out);
  }
  void backward(const Pass<T>& pass, Mat<const T> h, Mat<const T> out, Mat<T> dout, Mat<T> dh,
                bool add_to_dh) const override {
    layer_.backward(pass, h, out, dout, dh, add_to_dh);
  }

 private:
  Linear<T> layer_;
};

template <class T>
std::unique_ptr<Head<T>> make_linear_head() {
  return std::make_unique<LinearHead<T>>();
}

}  // namespace pegnn
