// Graph attention (Velickovic et al., ICLR 2018) with PyTorch Geometric's semantics.
//
//   t_i = W x_i; the columns of t are shared out among the heads, and for each head
//   l_ij = LeakyReLU_0.2(a_source . t_j + a_target . t_i)                i <- j, and i <- i
//   y_i = sum_j softmax_j(l_ij) t_j + b
//
// With edge attention, a_edge . (u w_ij) is added to a logit, w_ij being the weight of the edge; a
// self loop has the mean weight of the edges into its point, 0 where there are none. A point
// without edges attends to itself alone: y_i = W x_i + b.

#include <fmt/core.h>

#include "backbone/stack.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr const char* kEdgeAttention = "edge-attention";
constexpr PartOption kOptions[] = {
    {.group = "Network",
     .name = kEdgeAttention,
     .standard = false,
     .sentence = "Attention of gat also sees the weight of the edge.",
     .after = "heads"}};

template <class T>
class GatLayer {
 public:
  static constexpr bool kPassesMessages = true;

  // The weights of edges and self loops, where attention sees them.
  struct Shared {
    explicit Shared(const BackboneSpec& spec) : sees_edges(spec.part.flag(kEdgeAttention)) {}

    bool sees_edges;
    EdgeSlot edge_slot;
    NodeSlot loop_slot;

    void plan(Builder builder) {
      if (!sees_edges) return;
      edge_slot = builder.work.edges();
      loop_slot = builder.work.node_values();
    }

    void prepare(const Pass<T>& pass, const Graph& g) {
      if (!sees_edges) return;
      pass.kernels.weigh_loops(pass.schedule, g.csr(), g.weights.data(),
                               pass.work.edges(edge_slot, g.edges()).data(),
                               pass.work.nodes(loop_slot, g.nodes).data);
    }
  };

  explicit GatLayer(const BackboneSpec& spec)
      : heads_(spec.heads), sees_edges_(spec.part.flag(kEdgeAttention)) {}

  void plan(Builder builder, std::int64_t in, std::int64_t out) {
    weight_ = builder.parameter("weight", out, in);
    source_ = builder.parameter("attention_source", heads_, out / heads_);
    target_ = builder.parameter("attention_target", heads_, out / heads_);
    if (sees_edges_) {
      edge_ = builder.parameter("attention_edge", heads_, out / heads_);
      edge_map_ = builder.parameter("edge_weight", out, 1);
    }
    bias_ = builder.parameter("bias", 1, out);
    transformed_ = builder.work.nodes(out);
    source_score_ = builder.work.node_values(heads_);
    target_score_ = builder.work.node_values(heads_);
    loop_share_ = builder.work.node_values(heads_);
    edge_share_ = builder.work.edges(heads_);
    gradient_ = builder.work.gradients(out);
    target_gradient_ = builder.work.gradient_values(heads_);
    loop_gradient_ = builder.work.gradient_values(heads_);
    edge_gradient_ = builder.work.edges(heads_);
  }

  void initialise(Initialiser<T>& init) const {
    init.glorot(weight_);
    init.glorot(source_);
    init.glorot(target_);
    if (sees_edges_) {
      init.glorot(edge_);
      init.glorot(edge_map_);
    }
    init.constant(bias_, 0);
  }

  void forward(const Pass<T>& pass, const Graph& g, const Shared& shared, Mat<const T> x,
               const Finish& finish, Mat<T> y) const {
    const Mat<T> t = pass.work.nodes(transformed_, x.rows);
    pass.kernels.linear(pass.schedule, x, pass.parameter(weight_), {}, t);
    pass.kernels.attend(pass.schedule, g.csr(), attention(pass, g, shared), t,
                        epilogue(pass, finish), state(pass, g), y);
  }

  void backward(const Pass<T>& pass, const Graph& g, const Shared& shared, Mat<const T> x,
                Mat<const T> y, const Finish& finish, Mat<T> dy, Mat<T> dx) const {
    pass.kernels.epilogue_backward(pass.schedule, y, epilogue(pass, finish), dy,
                                   pass.gradient(bias_).data);
    const Mat<const T> t = pass.work.nodes(transformed_, x.rows);
    const Mat<T> dt = pass.work.nodes(gradient_, x.rows);
    pass.kernels.attend_backward(pass.schedule, g.csr(), g.reverse(), g.reverse_edge.data(),
                                 attention(pass, g, shared), t, state(pass, g), dy,
                                 gradient(pass, g), dt);
    pass.kernels.linear_backward(pass.schedule, x, pass.parameter(weight_), t, {}, dt, dx, false,
                                 pass.gradient(weight_), nullptr);
  }

 private:
  Epilogue<T> epilogue(const Pass<T>& pass, const Finish& finish) const {
    return {pass.parameter(bias_).data, finish.activation, finish.dropout};
  }

  Attention<T> attention(const Pass<T>& pass, const Graph& g, const Shared& shared) const {
    Attention<T> a{.heads = heads_,
                   .source = pass.parameter(source_).data,
                   .target = pass.parameter(target_).data};
    if (sees_edges_) {
      a.edge = pass.parameter(edge_).data;
      a.edge_map = pass.parameter(edge_map_).data;
      a.edge_weight = pass.work.edges(shared.edge_slot, g.edges()).data();
      a.loop_weight = pass.work.nodes(shared.loop_slot, g.nodes).data;
    }
    return a;
  }

  AttentionState<T> state(const Pass<T>& pass, const Graph& g) const {
    return {.source_score = pass.work.nodes(source_score_, g.nodes).data,
            .target_score = pass.work.nodes(target_score_, g.nodes).data,
            .loop_share = pass.work.nodes(loop_share_, g.nodes).data,
            .edge_share = pass.work.edges(edge_share_, g.edges()).data()};
  }

  AttentionGradient<T> gradient(const Pass<T>& pass, const Graph& g) const {
    return {.source = pass.gradient(source_).data,
            .target = pass.gradient(target_).data,
            .edge = sees_edges_ ? pass.gradient(edge_).data : nullptr,
            .edge_map = sees_edges_ ? pass.gradient(edge_map_).data : nullptr,
            .node_target = pass.work.nodes(target_gradient_, g.nodes).data,
            .node_loop = pass.work.nodes(loop_gradient_, g.nodes).data,
            .per_edge = pass.work.edges(edge_gradient_, g.edges()).data()};
  }

  std::int64_t heads_;
  bool sees_edges_;
  ParamSlot weight_, source_, target_, edge_, edge_map_, bias_;
  NodeSlot transformed_, source_score_, target_score_, loop_share_;
  NodeSlot gradient_, target_gradient_, loop_gradient_;
  EdgeSlot edge_share_, edge_gradient_;
};

// The heads share the width evenly.
void check_heads(const BackboneSpec& spec) {
  const std::int64_t rest = spec.width % spec.heads;
  if (rest == 0) return;
  const std::int64_t below = spec.width - rest, above = below + spec.heads;
  throw Error(
      ErrorKind::usage,
      fmt::format("gat cannot share a width of {} among {} heads: take <option:width> {}{}, or "
                  "<option:heads> that divide the width",
                  spec.width, spec.heads, below > 0 ? fmt::format("{} or ", below) : "", above));
}

}  // namespace

extern constinit const BackboneEntry gat_backbone{
    .info = {.name = "gat",
             .summary = "Graph attention: a point learns how much to listen to each neighbour.",
             .source = "Velickovic et al., ICLR 2018",
             .options = kOptions},
    .check = check_heads,
    .make_float = make_stack_float<GatLayer>,
    .make_double = make_stack_double<GatLayer>};

}  // namespace pegnn
