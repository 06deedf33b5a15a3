// GraphSAGE (Hamilton, Ying and Leskovec, NeurIPS 2017) with PyTorch Geometric's semantics.
//
//   m_i = mean or, column by column, largest of x_j                      i <- j
//   y_i = W_neighbour m_i + W_self x_i + b
//
// Edge weights play no part. A point without edges has m_i = 0: y_i = W_self x_i + b. The two
// matrices are one parameter, W_neighbour above W_self. A mean may be taken after the product as
// well as before, so that one product does for both; the largest may not.

#include "backbone/stack.h"

namespace pegnn {
namespace {

constexpr const char* kAggregation = "aggregation";
constexpr PartOption kOptions[] = {{.group = "Network",
                                    .name = kAggregation,
                                    .standard = "mean",
                                    .limits = {.words = "mean|max"},
                                    .sentence = "What sage takes of the neighbours.",
                                    .after = "edge-attention"}};

bool takes_mean(const BackboneSpec& spec) { return spec.part.word(kAggregation) != "max"; }

template <class T>
class SageLayer {
 public:
  static constexpr bool kPassesMessages = true;

  // The share of each edge in the mean of its receiver, in both directions, once per graph.
  struct Shared {
    explicit Shared(const BackboneSpec& spec) : mean(takes_mean(spec)) {}

    bool mean;
    EdgeSlot forward_slot, reverse_slot;

    void plan(Builder builder) {
      if (!mean) return;
      forward_slot = builder.work.edges();
      reverse_slot = builder.work.edges();
    }

    const T* forward(const Pass<T>& pass, const Graph& g) const {
      return pass.work.edges(forward_slot, g.edges()).data();
    }
    const T* reverse(const Pass<T>& pass, const Graph& g) const {
      return pass.work.edges(reverse_slot, g.edges()).data();
    }

    void prepare(const Pass<T>& pass, const Graph& g) {
      if (!mean) return;
      T* const reversed = pass.gradients != nullptr  // else inference: there are no reverse edges
                              ? pass.work.edges(reverse_slot, g.edges()).data()
                              : nullptr;
      pass.kernels.normalise_mean(pass.schedule, g.csr(), g.reverse(),
                                  pass.work.edges(forward_slot, g.edges()).data(), reversed);
    }
  };

  explicit SageLayer(const BackboneSpec& spec) : mean_(takes_mean(spec)) {}

  void plan(Builder builder, std::int64_t in, std::int64_t out) {
    in_ = in;
    out_ = out;
    weight_ = builder.parameter("weight", 2 * out, in);
    bias_ = builder.parameter("bias", 1, out);
    transformed_ = builder.work.nodes(mean_ ? 2 * out : out);
    if (!mean_) largest_ = builder.work.nodes(in);
    gradient_ = builder.work.gradients(mean_ ? 2 * out : in);
  }

  // As PyTorch's Linear does, which both halves are.
  void initialise(Initialiser<T>& init) const {
    init.fan_in(weight_, in_);
    init.fan_in(bias_, in_);
  }

  void forward(const Pass<T>& pass, const Graph& g, const Shared& shared, Mat<const T> x,
               const Finish& finish, Mat<T> y) const {
    const Mat<T> t = pass.work.nodes(transformed_, x.rows);
    const Mat<const T> weight = pass.parameter(weight_);
    if (mean_) {
      pass.kernels.linear(pass.schedule, x, weight, {}, t);
      pass.kernels.aggregate(pass.schedule, g.csr(), shared.forward(pass, g), nullptr,
                             t.columns(0, out_), epilogue(pass, finish, t.columns(out_, out_)), y);
      return;
    }
    const Mat<T> largest = pass.work.nodes(largest_, x.rows);
    pass.kernels.aggregate_max(pass.schedule, g.csr(), x, largest);
    pass.kernels.linear(pass.schedule, x, weight.block(out_, out_), {}, t);
    pass.kernels.linear(pass.schedule, largest, weight.block(0, out_), epilogue(pass, finish, t),
                        y);
  }

  void backward(const Pass<T>& pass, const Graph& g, const Shared& shared, Mat<const T> x,
                Mat<const T> y, const Finish& finish, Mat<T> dy, Mat<T> dx) const {
    if (mean_) {
      backward_mean(pass, g, shared, x, y, finish, dy, dx);
    } else {
      backward_max(pass, g, x, y, finish, dy, dx);
    }
  }

 private:
  void backward_mean(const Pass<T>& pass, const Graph& g, const Shared& shared, Mat<const T> x,
                     Mat<const T> y, const Finish& finish, Mat<T> dy, Mat<T> dx) const {
    pass.kernels.epilogue_backward(pass.schedule, y, epilogue(pass, finish, {}), dy,
                                   pass.gradient(bias_).data);
    const Mat<T> dt = pass.work.nodes(gradient_, x.rows);
    pass.kernels.aggregate(pass.schedule, g.reverse(), shared.reverse(pass, g), nullptr, dy, {},
                           dt.columns(0, out_));
    pass.kernels.copy(pass.schedule, dy, dt.columns(out_, out_));
    const Mat<const T> t = pass.work.nodes(transformed_, x.rows);
    pass.kernels.linear_backward(pass.schedule, x, pass.parameter(weight_), t, {}, dt, dx, false,
                                 pass.gradient(weight_), nullptr);
  }

  void backward_max(const Pass<T>& pass, const Graph& g, Mat<const T> x, Mat<const T> y,
                    const Finish& finish, Mat<T> dy, Mat<T> dx) const {
    const Mat<const T> weight = pass.parameter(weight_);
    const Mat<T> weight_gradient = pass.gradient(weight_);
    const Mat<const T> largest = pass.work.nodes(largest_, x.rows);
    const Mat<T> dlargest = dx.data != nullptr ? pass.work.nodes(gradient_, x.rows) : Mat<T>();
    pass.kernels.linear_backward(pass.schedule, largest, weight.block(0, out_), y,
                                 epilogue(pass, finish, {}), dy, dlargest, false,
                                 weight_gradient.block(0, out_), pass.gradient(bias_).data);
    // By now dy is the gradient of the sum of both products.
    const Mat<const T> t = pass.work.nodes(transformed_, x.rows);
    pass.kernels.linear_backward(pass.schedule, x, weight.block(out_, out_), t, {}, dy, dx, false,
                                 weight_gradient.block(out_, out_), nullptr);
    if (dx.data == nullptr) return;  // nobody below wants a gradient
    pass.kernels.aggregate_max_backward(pass.schedule, g.csr(), g.reverse(), x, largest, dlargest,
                                        dx);
  }

  Epilogue<T> epilogue(const Pass<T>& pass, const Finish& finish, Mat<const T> base) const {
    return {pass.parameter(bias_).data, finish.activation, finish.dropout, base};
  }

  bool mean_;
  std::int64_t in_ = 0, out_ = 0;
  ParamSlot weight_, bias_;
  NodeSlot transformed_, largest_, gradient_;
};

}  // namespace

extern constinit const BackboneEntry sage_backbone{
    .info = {.name = "sage",
             .summary = "GraphSAGE: a point and the mean or the largest of its neighbours, each "
                        "with weights of its own.",
             .source = "Hamilton, Ying and Leskovec, NeurIPS 2017",
             .options = kOptions},
    .make_float = make_stack_float<SageLayer>,
    .make_double = make_stack_double<SageLayer>};

}  // namespace pegnn
