// Fully connected layers, no graph: every point for itself. What a positional encoder can do alone.
//
//   y_i = W x_i + b

#include "backbone/stack.h"

namespace pegnn {
namespace {

template <class T>
class MlpLayer {
 public:
  static constexpr bool kPassesMessages = false;

  struct Shared {
    void plan(const Builder&) {}
    void prepare(const Pass<T>&, const Graph&) {}
  };

  void plan(Builder builder, std::int64_t in, std::int64_t out) {
    weight_ = builder.parameter("weight", out, in);
    bias_ = builder.parameter("bias", 1, out);
  }

  void initialise(Initialiser<T>& init) const {
    init.glorot(weight_);
    init.constant(bias_, 0);
  }

  void forward(const Pass<T>& pass, const Graph&, const Shared&, Mat<const T> x,
               const Finish& finish, Mat<T> y) const {
    pass.kernels.linear(pass.schedule, x, pass.parameter(weight_), epilogue(pass, finish), y);
  }

  void backward(const Pass<T>& pass, const Graph&, const Shared&, Mat<const T> x, Mat<const T> y,
                const Finish& finish, Mat<T> dy, Mat<T> dx) const {
    pass.kernels.linear_backward(pass.schedule, x, pass.parameter(weight_), y,
                                 epilogue(pass, finish), dy, dx, false, pass.gradient(weight_),
                                 pass.gradient(bias_).data);
  }

 private:
  Epilogue<T> epilogue(const Pass<T>& pass, const Finish& finish) const {
    return {pass.parameter(bias_).data, finish.activation, finish.dropout};
  }

  ParamSlot weight_, bias_;
};

}  // namespace

extern constinit const BackboneEntry mlp_backbone{
    .info = {.name = "mlp",
             .summary = "Fully connected layers without a graph: every point for itself.",
             .source = "the usual multilayer perceptron"},
    .neighbourhood = "alone",
    .make_float = make_stack_float<MlpLayer>,
    .make_double = make_stack_double<MlpLayer>};

}  // namespace pegnn
