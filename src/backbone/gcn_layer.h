#pragma once
// Graph convolution (Kipf and Welling, ICLR 2017) with PyTorch Geometric's semantics: the layer
// that gcn and kcn are made of.
//
//   A' = A + I,  d_i = sum_j a'_ij  (weighted in-degree, self loop of weight 1)
//   y_i = sum_j d_i^-1/2 a'_ij d_j^-1/2 W x_j + b            i <- j
//
// A point without edges keeps its self loop alone: y_i = W x_i + b.

#include "backbone/stack.h"

namespace pegnn {

template <class T, bool kBias = true>
class GcnLayer {
 public:
  static constexpr bool kPassesMessages = true;

  // The normalised weights of all edges, in both directions, once per graph.
  struct Shared {
    NodeSlot root_slot, self_slot;
    EdgeSlot forward_slot, reverse_slot;

    void plan(Builder builder) {
      root_slot = builder.work.node_values();
      self_slot = builder.work.node_values();
      forward_slot = builder.work.edges();
      reverse_slot = builder.work.edges();
    }

    const T* self(const Pass<T>& pass, const Graph& g) const {
      return pass.work.nodes(self_slot, g.nodes).data;
    }
    const T* forward(const Pass<T>& pass, const Graph& g) const {
      return pass.work.edges(forward_slot, g.edges()).data();
    }
    const T* reverse(const Pass<T>& pass, const Graph& g) const {
      return pass.work.edges(reverse_slot, g.edges()).data();
    }

    void prepare(const Pass<T>& pass, const Graph& g) {
      T* const reversed = pass.gradients != nullptr  // else inference: there are no reverse edges
                              ? pass.work.edges(reverse_slot, g.edges()).data()
                              : nullptr;
      pass.kernels.normalise_symmetric(pass.schedule, g.csr(), g.weights.data(), g.reverse(),
                                       g.reverse_edge.data(),
                                       {.root = pass.work.nodes(root_slot, g.nodes).data,
                                        .self = pass.work.nodes(self_slot, g.nodes).data,
                                        .forward = pass.work.edges(forward_slot, g.edges()).data(),
                                        .backward = reversed});
    }
  };

  void plan(Builder builder, std::int64_t in, std::int64_t out) {
    weight_ = builder.parameter("weight", out, in);
    if constexpr (kBias) bias_ = builder.parameter("bias", 1, out);
    transformed_ = builder.work.nodes(out);
    gradient_ = builder.work.gradients(out);
  }

  void initialise(Initialiser<T>& init) const {
    init.glorot(weight_);
    if constexpr (kBias) init.constant(bias_, 0);
  }

  void forward(const Pass<T>& pass, const Graph& g, const Shared& shared, Mat<const T> x,
               const Finish& finish, Mat<T> y) const {
    const Mat<T> t = pass.work.nodes(transformed_, x.rows);
    pass.kernels.linear(pass.schedule, x, pass.parameter(weight_), {}, t);
    pass.kernels.aggregate(pass.schedule, g.csr(), shared.forward(pass, g), shared.self(pass, g), t,
                           epilogue(pass, finish), y);
  }

  void backward(const Pass<T>& pass, const Graph& g, const Shared& shared, Mat<const T> x,
                Mat<const T> y, const Finish& finish, Mat<T> dy, Mat<T> dx) const {
    pass.kernels.epilogue_backward(pass.schedule, y, epilogue(pass, finish), dy,
                                   kBias ? pass.gradient(bias_).data : nullptr);
    const Mat<T> dt = pass.work.nodes(gradient_, x.rows);
    pass.kernels.aggregate(pass.schedule, g.reverse(), shared.reverse(pass, g),
                           shared.self(pass, g), dy, {}, dt);
    const Mat<const T> t = pass.work.nodes(transformed_, x.rows);
    pass.kernels.linear_backward(pass.schedule, x, pass.parameter(weight_), t, {}, dt, dx, false,
                                 pass.gradient(weight_), nullptr);
  }

 private:
  Epilogue<T> epilogue(const Pass<T>& pass, const Finish& finish) const {
    return {kBias ? pass.parameter(bias_).data : nullptr, finish.activation, finish.dropout};
  }

  ParamSlot weight_, bias_;
  NodeSlot transformed_, gradient_;
};

}  // namespace pegnn
