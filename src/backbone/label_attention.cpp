// Label attention: a point attends to its nearest training points, whose labels it sees.
//
// With z_i = [features, smoother's mean, log of its variance] of point i, p_i its encoder's vector,
// s_j = [features, label] of training point j and e_ij how they lie to each other:
//
//   q_i  = relu(W2 drop(relu(W1 z_i + b1)) + We p_i + b2)                 what the point is
//   a_ij = silu(Wb z_i + bb + We' e_ij + Ws s_j)                          what it sees of j
//   (with --among, the a_ij of a point are changed by layers of attention among them)
//   l_ij = u_h(q_i) . a_ij + log t_ij;   share = softmax over j, for each head h   how much it
//                                                                     listens; t: geo/taper.h
//   c_i  = sum of share a_ij;   y_i = sum of share label_j                for each head h
//   r_i  = relu(Wp drop(relu(Wo [q_i, c_i, y_i, z_i] + bo)) + bp)         corrections
//   h_i  = [y_i, smoother's mean, r_i]
//
// A linear head on h_i is thus a learned mix of the heads' labels and the smoother, plus
// corrections. It starts as the smoother alone or, without one, as the mean of the heads' labels.
//
// Keys and values of the usual attention (Vaswani et al., NeurIPS 2017) are linear in a_ij: their
// matrices are multiplied into u_h and Wo, once per point instead of once per neighbour. The
// encoder's We starts at zero: on fine scales an encoder learns places by heart before it helps.

#include <algorithm>

#include "backbone/among_neighbours.h"
#include "backbone/backbone.h"
#include "nn/linear.h"

namespace pegnn {
namespace {

// Those of the group Training are read by train/ and model/, which teach and ask such a network.
constexpr PartOption kOptions[] = {
    {.group = "Network",
     .name = "smoother",
     .standard = "kriging",
     .limits = {.words = "kriging|none"},
     .sentence = "What label_attention starts from and is told of: kriging from the same "
                 "neighbours, with a "
                 "covariance fitted to the training rows; none, nothing but labels and places.",
     .after = "aggregation"},
    {.group = "Network",
     .name = "among",
     .standard = 0,
     .limits = {0, 4},
     .sentence =
         "Layers of attention among the neighbours of a point in label_attention, before the point "
         "listens to them; each makes training several times as long.",
     .after = "smoother"},
    {.group = "Training",
     .name = "subsets",
     .standard = 0.5,
     .limits = {0.05, 1},
     .sentence =
         "A training step of label_attention sees a random part of the neighbours, at least this "
         "share of them.",
     .after = "patience"},
    {.group = "Training",
     .name = "thinning",
     .standard = 0.5,
     .limits = {0, 1},
     .sentence =
         "Share of the steps in which neighbours of label_attention come from a random part of the "
         "training points, or from beyond a block that the row lies in, so that it learns to "
         "predict far from its data too.",
     .after = "subsets"},
    {.group = "Training",
     .name = "far-members",
     .standard = 0,
     .limits = {0, 100},
     .sentence =
         "Further networks of label_attention that learn to predict far from the training points, "
         "without an encoder. They take over where a point lies in a gap between the training "
         "points or beyond them.",
     .after = "members"},
    {.group = "Training",
     .name = "far-steps",
     .standard = 0,
     .limits = {0, 1e9},
     .sentence =
         "Training steps of each far member at most; 0: those of <option:steps>, or where they "
         "follow from the rows half as many again, up to 800.",
     .after = "far-members"}};

template <class T>
class LabelAttentionBackbone final : public Backbone<T> {
 public:
  explicit LabelAttentionBackbone(const BackboneSpec& spec) : spec_(spec) {}

  std::int64_t width() const override { return spec_.heads + 1 + spec_.width; }
  std::int64_t hops() const override { return 1; }

  void plan(Builder builder) override {
    const std::int64_t w = spec_.width, context = spec_.heads * w, own = own_inputs();
    const double dropout = spec_.dropout;
    const Activation relu = spec_.activation;
    first_.plan(builder.inside("query.0"),
                {.in = own, .out = w, .activation = relu, .dropout = dropout});
    second_.plan(builder.inside("query.1"), {.in = w, .out = w});
    if (spec_.encoder > 0) {
      encoder_.plan(builder.inside("encoder"), {.in = spec_.encoder, .out = w, .bias = false});
    }
    base_.plan(builder.inside("base"), {.in = own, .out = w});
    edge_map_ = builder.parameter("edge.weight", w, kEdgeInputs);
    source_map_ = builder.parameter("source.weight", w, spec_.features + 1);
    probe_.plan(builder.inside("probe"), {.in = w, .out = context});
    correction_.plan(
        builder.inside("correction.0"),
        {.in = w + context + spec_.heads + own, .out = w, .activation = relu, .dropout = dropout});
    last_.plan(builder.inside("correction.1"), {.in = w, .out = w, .activation = relu});
    among_.plan(builder.inside("among"), spec_.part.whole("among"), w, spec_.heads);

    hidden_value_ = builder.work.nodes(w);
    encoder_value_ = builder.work.nodes(spec_.encoder > 0 ? w : 0);
    base_value_ = builder.work.nodes(w);
    probe_value_ = builder.work.nodes(context);
    joined_value_ = builder.work.nodes(w + context + spec_.heads + own);
    correction_value_ = builder.work.nodes(w);
    shares_ = builder.work.training_edges(spec_.heads);
    hidden_gradient_ = builder.work.gradients(w);
    base_gradient_ = builder.work.gradients(w);
    probe_gradient_ = builder.work.gradients(context);
    joined_gradient_ = builder.work.gradients(w + context + spec_.heads + own);
    correction_gradient_ = builder.work.gradients(w);
  }

  void initialise(Initialiser<T>& init) const override {
    for (const Linear<T>* layer : {&first_, &second_, &base_, &probe_, &correction_, &last_}) {
      layer->initialise(init);
    }
    const std::int64_t inputs = own_inputs() + kEdgeInputs + spec_.features + 1;
    init.fan_in(edge_map_, inputs);
    init.fan_in(source_map_, inputs);
    if (spec_.encoder > 0) init.constant(encoder_.weight(), 0);
    among_.initialise(init);
  }

  void start_head(Initialiser<T>& init, ParamSlot weight, ParamSlot bias) const override {
    init.constant(weight, 0);
    init.constant(bias, 0);
    const ParamSlot labels{weight.offset, 1, spec_.heads};
    const ParamSlot smoother{weight.offset + spec_.heads, 1, 1};
    if (spec_.part.word("smoother") != "none") {
      init.constant(smoother, 1);
    } else {
      init.constant(labels, 1.0 / static_cast<double>(spec_.heads));
    }
  }

  void forward(const Pass<T>& pass, const BackboneInput<T>& in, Mat<T> h) override {
    const std::int64_t n = in.x.rows;
    const CorrectionInputs value = correction_inputs(pass.work.nodes(joined_value_, n));
    const Mat<const T> own = own_columns(in.x);
    first_.forward(pass, own, pass.work.nodes(hidden_value_, n));
    query_forward(pass, in.x, value.query);
    base_.forward(pass, own, pass.work.nodes(base_value_, n));
    probe_.forward(pass, value.query, pass.work.nodes(probe_value_, n));
    T* const shares =
        pass.gradients != nullptr ? pass.work.edges(shares_, in.graph.edges()).data() : nullptr;
    attend(pass, in, shares, value);
    const std::int64_t heads = spec_.heads;
    pass.kernels.copy(pass.schedule, own, value.own);
    pass.kernels.copy(pass.schedule, value.labels, h.columns(0, heads));
    pass.kernels.copy(pass.schedule, smoothed_of(own), h.columns(heads, 1));
    correction_.forward(pass, pass.work.nodes(joined_value_, n),
                        pass.work.nodes(correction_value_, n));
    last_.forward(pass, pass.work.nodes(correction_value_, n), corrections(h));
  }

  void backward(const Pass<T>& pass, const BackboneInput<T>& in, Mat<const T> h, Mat<T> dh,
                Mat<T> dx) override {
    const std::int64_t n = in.x.rows, heads = spec_.heads;
    const Mat<T> joined = pass.work.nodes(joined_value_, n);
    const Mat<T> djoined = pass.work.nodes(joined_gradient_, n);
    const CorrectionInputs value = correction_inputs(joined), gradient = correction_inputs(djoined);
    const Mat<T> correction = pass.work.nodes(correction_value_, n);
    const Mat<T> dcorrection = pass.work.nodes(correction_gradient_, n);
    last_.backward(pass, correction, corrections(h), corrections(dh), dcorrection);
    correction_.backward(pass, joined, correction, dcorrection, djoined);
    pass.kernels.add(pass.schedule, dh.columns(0, heads), gradient.labels);
    const Mat<T> base = pass.work.nodes(base_value_, n), probe = pass.work.nodes(probe_value_, n);
    const Mat<T> dbase = pass.work.nodes(base_gradient_, n);
    const Mat<T> dprobe = pass.work.nodes(probe_gradient_, n);
    attend_backward(pass, in, gradient, dbase, dprobe);
    probe_.backward(pass, value.query, probe, dprobe, gradient.query, true);
    query_backward(pass, in.x, value.query, gradient.query, dx);

    const Mat<const T> own = own_columns(in.x);
    const bool wanted = dx.data != nullptr;
    const Mat<T> down = wanted ? own_columns(dx) : Mat<T>();
    const Mat<T> hidden = pass.work.nodes(hidden_value_, n);
    first_.backward(pass, own, hidden, pass.work.nodes(hidden_gradient_, n), down);
    base_.backward(pass, own, base, dbase, down, true);
    if (!wanted) return;
    pass.kernels.add(pass.schedule, gradient.own, down);
    pass.kernels.add(pass.schedule, dh.columns(heads, 1), smoothed_of(down));
  }

 private:
  // The columns of what the corrections are made from.
  struct CorrectionInputs {
    Mat<T> query, context, labels, own;
  };
  CorrectionInputs correction_inputs(Mat<T> joined) const {
    const std::int64_t w = spec_.width, context = spec_.heads * w;
    return {joined.columns(0, w), joined.columns(w, context),
            joined.columns(w + context, spec_.heads),
            joined.columns(w + context + spec_.heads, own_inputs())};
  }

  std::int64_t own_inputs() const { return spec_.features + kLabelInputs; }
  template <class U>
  Mat<U> own_columns(Mat<U> x) const {
    return x.columns(spec_.encoder, own_inputs());
  }
  template <class U>
  Mat<U> corrections(Mat<U> h) const {
    return h.columns(spec_.heads + 1, spec_.width);
  }
  // The column of what the smoother says.
  template <class U>
  static Mat<U> smoothed_of(Mat<U> own) {
    const std::int64_t mean = column_number(kSmootherColumns, "smoother.mean");
    return own.columns(own.cols - kLabelInputs + mean, 1);
  }

  Epilogue<T> query_epilogue(const Pass<T>& pass, std::int64_t rows) const {
    Epilogue<T> epilogue{pass.parameter(second_.bias()).data, spec_.activation, {}};
    if (spec_.encoder > 0) epilogue.base = pass.work.nodes(encoder_value_, rows);
    return epilogue;
  }

  void query_forward(const Pass<T>& pass, Mat<const T> x, Mat<T> query) {
    const std::int64_t n = x.rows;
    if (spec_.encoder > 0) {
      encoder_.forward(pass, x.columns(0, spec_.encoder), pass.work.nodes(encoder_value_, n));
    }
    pass.kernels.linear(pass.schedule, pass.work.nodes(hidden_value_, n),
                        pass.parameter(second_.weight()), query_epilogue(pass, n), query);
  }

  // Afterwards dquery is the gradient before the activation, which the encoder's part shares.
  void query_backward(const Pass<T>& pass, Mat<const T> x, Mat<const T> query, Mat<T> dquery,
                      Mat<T> dx) {
    const std::int64_t n = x.rows;
    pass.kernels.linear_backward(
        pass.schedule, pass.work.nodes(hidden_value_, n), pass.parameter(second_.weight()), query,
        query_epilogue(pass, n), dquery, pass.work.nodes(hidden_gradient_, n), false,
        pass.gradient(second_.weight()), pass.gradient(second_.bias()).data);
    if (spec_.encoder == 0) return;
    encoder_.backward(pass, x.columns(0, spec_.encoder), pass.work.nodes(encoder_value_, n), dquery,
                      dx.data != nullptr ? dx.columns(0, spec_.encoder) : Mat<T>());
  }

  void attend(const Pass<T>& pass, const BackboneInput<T>& in, T* shares,
              const CorrectionInputs& value) {
    const Mat<T> base = pass.work.nodes(base_value_, in.x.rows);
    const Mat<T> probe = pass.work.nodes(probe_value_, in.x.rows);
    const LabelAttention<T> how = attention(pass, in.labelled);
    if (among_.layers() == 0) {
      pass.kernels.label_attend(pass.schedule, in.graph.csr(), how, base, probe, shares,
                                value.context, value.labels);
    } else {
      pass.kernels.among_attend(pass.schedule, in.graph.csr(), how, among_.parameters(pass), base,
                                probe, shares, value.context, value.labels);
    }
  }

  void attend_backward(const Pass<T>& pass, const BackboneInput<T>& in,
                       const CorrectionInputs& gradient, Mat<T> dbase, Mat<T> dprobe) {
    const Mat<T> base = pass.work.nodes(base_value_, in.x.rows);
    const Mat<T> probe = pass.work.nodes(probe_value_, in.x.rows);
    const T* const shares = pass.work.edges(shares_, in.graph.edges()).data();
    const LabelAttention<T> how = attention(pass, in.labelled);
    if (among_.layers() == 0) {
      pass.kernels.label_attend_backward(pass.schedule, in.graph.csr(), how, base, probe, shares,
                                         gradient.context, gradient.labels, dbase, dprobe,
                                         pass.gradient(edge_map_), pass.gradient(source_map_));
    } else {
      pass.kernels.among_attend_backward(
          pass.schedule, in.graph.csr(), how, among_.parameters(pass), base, probe, shares,
          gradient.context, gradient.labels, dbase, dprobe, pass.gradient(edge_map_),
          pass.gradient(source_map_), among_.gradients(pass));
    }
  }

  LabelAttention<T> attention(const Pass<T>& pass, const Labelled<T>& labelled) const {
    return {.heads = spec_.heads,
            .edges = labelled.edges,
            .sources = labelled.sources,
            .edge_map = pass.parameter(edge_map_),
            .source_map = pass.parameter(source_map_),
            .dropout = {},
            .log_weights = labelled.log_weights};
  }

  BackboneSpec spec_;
  Linear<T> first_, second_, encoder_, base_, probe_, correction_, last_;
  AmongNeighbours<T> among_;
  ParamSlot edge_map_, source_map_;
  NodeSlot hidden_value_, encoder_value_, base_value_, probe_value_, joined_value_,
      correction_value_;
  NodeSlot hidden_gradient_, base_gradient_, probe_gradient_, joined_gradient_,
      correction_gradient_;
  EdgeSlot shares_;
};

}  // namespace

extern constinit const BackboneEntry label_attention_backbone{
    .info = {.name = "label_attention",
             .summary = "Attention to the nearest training points and their labels, starting from "
                        "kriging and learning corrections.",
             .source = "Vaswani et al., NeurIPS 2017, on PE-GNN's graph; docs/decisions/0018",
             .options = kOptions},
    .neighbourhood = "labelled",
    .reads = {.node = kSmootherColumns, .edge = kOffsetColumns},
    .encoder_first = true,
    .starts_well = true,
    .neighbours = 24,
    .make_float = [](const BackboneSpec& spec) -> std::unique_ptr<Backbone<float>> {
      return std::make_unique<LabelAttentionBackbone<float>>(spec);
    },
    .make_double = [](const BackboneSpec& spec) -> std::unique_ptr<Backbone<double>> {
      return std::make_unique<LabelAttentionBackbone<double>>(spec);
    }};

}  // namespace pegnn
