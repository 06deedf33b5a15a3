#pragma once
// A head that is one linear layer: what its outputs mean is told by those who derive from it.

#include <memory>

#include "head/head.h"
#include "nn/linear.h"

namespace pegnn {

//   out_i = W h_i + b
template <class T>
class LinearHead : public Head<T> {
 public:
  explicit LinearHead(std::int64_t outputs) : outputs_(outputs) {}

  std::int64_t outputs() const override { return outputs_; }
  void plan(Builder builder, std::int64_t in) override {
    layer_.plan(builder, {.in = in, .out = outputs_});
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
  std::int64_t outputs_;
  Linear<T> layer_;
};

template <template <class> class H, class T>
std::unique_ptr<Head<T>> make_head_of() {
  return std::make_unique<H<T>>();
}

}  // namespace pegnn
