#pragma once
// A backbone made of equal layers one after the other, each followed by activation and dropout.

#include <string>
#include <type_traits>
#include <vector>

#include "backbone/backbone.h"
#include "base/array.h"

namespace pegnn {

// `Layer` is a class with
//   static constexpr bool kPassesMessages;
//   struct Shared { void plan(Builder); void prepare(const Pass<T>&, const Graph&); }
//       what the layers compute once per graph, such as normalised edge weights;
//   void plan(Builder, std::int64_t in, std::int64_t out);
//   void initialise(Initialiser<T>&) const;
//   void forward(pass, graph, shared, x, const Finish&, y);
//   void backward(pass, graph, shared, x, y, const Finish&, dy, dx);
// where Finish is the activation and dropout to apply to the layer's result. A layer or a Shared
// that must know more of the spec than the widths has a constructor that takes the BackboneSpec.
struct Finish {
  Activation activation = Activation::identity;
  Dropout dropout;
};

template <template <class> class Layer, class T>
class Stack final : public Backbone<T> {
 public:
  explicit Stack(const BackboneSpec& spec)
      : spec_(spec), shared_(made<typename Layer<T>::Shared>(spec)) {}

  std::int64_t width() const override { return spec_.width; }
  std::int64_t hops() const override { return Layer<T>::kPassesMessages ? spec_.layers : 0; }

  void plan(Builder builder) override {
    shared_.plan(builder);
    const std::int64_t count = spec_.layers;
    layers_.assign(count, made<Layer<T>>(spec_));
    dropout_layer_.resize(count);
    for (std::int64_t l = 0; l < count; ++l) {
      layers_[l].plan(builder.inside(std::to_string(l)), l == 0 ? spec_.in : spec_.width,
                      spec_.width);
      dropout_layer_[l] = builder.work.dropout_layer();
      if (l + 1 == count) break;
      value_.push_back(builder.work.nodes(spec_.width));
      gradient_.push_back(builder.work.gradients(spec_.width));
    }
  }

  void initialise(Initialiser<T>& init) const override {
    for (const Layer<T>& layer : layers_) layer.initialise(init);
  }

  void forward(const Pass<T>& pass, const BackboneInput<T>& given, Mat<T> h) override {
    shared_.prepare(pass, given.graph);
    Mat<const T> in = given.x;
    for (std::int64_t l = 0; l < std::ssize(layers_); ++l) {
      const bool last = l + 1 == layers_.size();
      const Mat<T> out = last ? h : pass.work.nodes(value_[l], h.rows);
      layers_[l].forward(pass, given.graph, shared_, in, finish(pass, l), out);
      in = out;
    }
  }

  void backward(const Pass<T>& pass, const BackboneInput<T>& given, Mat<const T> h, Mat<T> dh,
                Mat<T> dx) override {
    Mat<const T> y = h;
    Mat<T> dy = dh;
    for (std::int64_t l = layers_.size(); l-- > 0;) {
      const bool first = l == 0;
      const Mat<const T> in = first ? given.x : pass.work.nodes(value_[l - 1], h.rows);
      const Mat<T> din = first ? dx : pass.work.nodes(gradient_[l - 1], h.rows);
      layers_[l].backward(pass, given.graph, shared_, in, y, finish(pass, l), dy, din);
      y = in;
      dy = din;
    }
  }

 private:
  template <class Made>
  static Made made(const BackboneSpec& spec) {
    if constexpr (std::is_constructible_v<Made, const BackboneSpec&>) {
      return Made(spec);
    } else {
      return Made();
    }
  }

  Finish finish(const Pass<T>& pass, std::int64_t layer) const {
    return {spec_.activation, pass.dropout(spec_.dropout, dropout_layer_[layer])};
  }

  BackboneSpec spec_;
  typename Layer<T>::Shared shared_;
  Array<Layer<T>> layers_;
  Array<std::uint32_t> dropout_layer_;
  Array<NodeSlot> value_, gradient_;  // between the layers
};

// The two constructors a BackboneEntry needs.
template <template <class> class Layer>
std::unique_ptr<Backbone<float>> make_stack_float(const BackboneSpec& spec) {
  return std::make_unique<Stack<Layer, float>>(spec);
}
template <template <class> class Layer>
std::unique_ptr<Backbone<double>> make_stack_double(const BackboneSpec& spec) {
  return std::make_unique<Stack<Layer, double>>(spec);
}

}  // namespace pegnn
