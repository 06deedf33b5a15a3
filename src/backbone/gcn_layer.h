#pragma once
// Graph convolution (Kipf and Welling, ICLR 2017) with PyTorch Geometric's semantics: the layer
// that gcn and kcn are made of.
//
//   A' = A + I,  d_i = sum_j a'_ij  (weighted in-degree, self loop of weight 1)
//   y_i = sum_j d_i^-1/2 a'_ij d_j^-1/2 W x_j + b            i <- j
//
// A point without edges keeps its self loop alone: y_i = W x_i + b.

#include <cmath>

#include "backbone/stack.h"

namespace pegnn {

template <class T, bool kBias = true>
class GcnLayer {
 public:
  static constexpr bool kPassesMessages = true;

  // The normalised weights of all edges, in both directions, once per graph.
  struct Shared {
    NodeSlot self_slot;
    EdgeSlot forward_slot, reverse_slot;

    void plan(Builder builder) {
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
      T* self_weight = pass.work.nodes(self_slot, g.nodes).data;
      const auto weight = pass.work.edges(forward_slot, g.edges());
      const auto at = [](const auto& v, std::int64_t i) { return v[static_cast<std::size_t>(i)]; };
      for (std::int64_t i = 0; i < g.nodes; ++i) {
        double degree = 1.0;
        for (std::int64_t e = at(g.offsets, i); e < at(g.offsets, i + 1); ++e) {
          degree += at(g.weights, e);
        }
        // Held as d^-1/2 until all edges have used it. Degrees are at least 1: no guard needed.
        self_weight[i] = static_cast<T>(1.0 / std::sqrt(degree));
      }
      for (std::int64_t i = 0; i < g.nodes; ++i) {
        for (std::int64_t e = at(g.offsets, i); e < at(g.offsets, i + 1); ++e) {
          weight[static_cast<std::size_t>(e)] =
              self_weight[i] * static_cast<T>(at(g.weights, e)) * self_weight[at(g.columns, e)];
        }
      }
      for (std::int64_t i = 0; i < g.nodes; ++i) self_weight[i] *= self_weight[i];
      if (pass.gradients == nullptr) return;  // inference
      const auto reversed = pass.work.edges(reverse_slot, g.edges());
      for (std::size_t e = 0; e < reversed.size(); ++e) {
        reversed[e] = at(weight, g.reverse_edge[e]);
      }
    }
  };

  void plan(Builder builder, std::int64_t in, std::int64_t out) {
    weight_ = builder.parameter("weight", out, in);
    if constexpr (kBias) bias_ = builder.parameter("bias", 1, out);
    transformed_ = builder.work.nodes(out);
    gradient_ = builder.work.gradients(out);
    partial_ = builder.work.scratch(linear_partials(in, out));
  }

  void initialise(Initialiser<T>& init) const {
    init.glorot(weight_);
    if constexpr (kBias) init.constant(bias_, 0);
  }

  void forward(const Pass<T>& pass, const Graph& g, const Shared& shared, Mat<const T> x,
               const Finish& finish, Mat<T> y) const {
    const Mat<T> t = pass.work.nodes(transformed_, x.rows);
    pass.kernels.linear(pass.pool, x, pass.parameter(weight_), {}, t);
    pass.kernels.aggregate(pass.pool, g.csr(), shared.forward(pass, g), shared.self(pass, g), t,
                           epilogue(pass, finish), y);
  }

  void backward(const Pass<T>& pass, const Graph& g, const Shared& shared, Mat<const T> x,
                Mat<const T> y, const Finish& finish, Mat<T> dy, Mat<T> dx) const {
    const auto partial = pass.work.scratch(partial_);
    pass.kernels.epilogue_backward(pass.pool, y, epilogue(pass, finish), dy,
                                   kBias ? pass.gradient(bias_).data : nullptr, partial);
    const Mat<T> dt = pass.work.nodes(gradient_, x.rows);
    pass.kernels.aggregate(pass.pool, g.reverse(), shared.reverse(pass, g), shared.self(pass, g),
                           dy, {}, dt);
    const Mat<const T> t = pass.work.nodes(transformed_, x.rows);
    pass.kernels.linear_backward(pass.pool, x, pass.parameter(weight_), t, {}, dt, dx, false,
                                 pass.gradient(weight_), nullptr, partial);
  }

 private:
  Epilogue<T> epilogue(const Pass<T>& pass, const Finish& finish) const {
    return {kBias ? pass.parameter(bias_).data : nullptr, finish.activation, finish.dropout};
  }

  ParamSlot weight_, bias_;
  NodeSlot transformed_, gradient_;
  ScratchSlot partial_;
};

}  // namespace pegnn
