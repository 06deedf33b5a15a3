#include "model/network.h"

#include <algorithm>
#include <numeric>

#include "base/array.h"

namespace pegnn {
template <class T>
Network<T>::Network(const Options& options, std::int64_t features)
    : features_(features),
      task_weights_(options),
      encoder_(make_encoder<T>(options)),
      head_(make_head<T>(options.head)),
      loss_(find_loss(options.loss)),
      auxiliary_loss_(find_loss("mse")) {
  const BackboneEntry& entry = find_part(backbones(), "backbone", options.backbone);
  columns_ = std::ssize(entry.reads.node);
  constant_ = features == 0 && encoder_->width() == 0 && columns_ == 0 ? 1 : 0;
  const std::int64_t in = features_ + constant_ + encoder_->width() + columns_;
  const bool encoder_first = entry.encoder_first;
  (encoder_first ? features_at_ : encoder_at_) =
      encoder_first ? encoder_->width() : features_ + constant_;
  BackboneSpec spec = backbone_spec(options);
  spec.in = in;
  spec.encoder = encoder_->width();
  spec.features = features_;
  backbone_ = make_backbone<T>(options.backbone, spec);
  encoder_->plan({layout_, plan_, "encoder"});
  backbone_->plan({layout_, plan_, "backbone"});
  head_->plan({layout_, plan_, "head"}, backbone_->width());
  input_ = plan_.nodes(in);
  input_gradient_ = plan_.gradients(in);
  embedding_ = plan_.nodes(backbone_->width());
  embedding_gradient_ = plan_.gradients(backbone_->width());
  output_ = plan_.node_values(head_->outputs());
  output_gradient_ = plan_.gradient_values(head_->outputs());
  if (task_weights_.auxiliary()) {
    auxiliary_head_ = make_head<T>("moran");
    auxiliary_head_->plan({layout_, plan_, "moran"}, backbone_->width());
    task_weights_.plan({layout_, plan_, "tasks"});
    auxiliary_output_ = plan_.node_values();
    auxiliary_gradient_ = plan_.gradient_values();
  }
}

template <class T>
void Network<T>::initialise(std::uint64_t seed, Span<T> parameters) const {
  std::fill(parameters.begin(), parameters.end(), T(0));
  Initialiser<T> init(seed, parameters);
  encoder_->initialise(init);
  backbone_->initialise(init);
  head_->initialise(init);
  backbone_->start_head(init, head_->weight(), head_->bias());
  if (auxiliary_head_) auxiliary_head_->initialise(init);
  task_weights_.initialise(init);
}

template <class T>
void Network<T>::join_rows(const Pass<T>& pass, const NetworkInput<T>& input, std::int64_t first,
                           Mat<T> out) {
  const auto copy = [&](Mat<const T> from, std::int64_t at) {
    pass.kernels.copy(pass.schedule, from.block(first, out.rows), out.columns(at, from.cols));
  };
  if (constant_ > 0) pass.kernels.fill(pass.schedule, T(1), out.columns(0, 1));
  if (features_ > 0) copy(input.features, features_at_);
  if (columns_ > 0) copy(input.columns, out.cols - columns_);
  const std::int64_t width = encoder_->width();
  if (width == 0) return;
  encoder_->forward(pass, input.basis.block(first, out.rows), out.columns(encoder_at_, width));
}

template <class T>
Mat<T> Network<T>::join_input(const Pass<T>& pass, const NetworkInput<T>& input) {
  const std::int64_t n = input.graph.nodes;
  const Mat<T> joined = work_.nodes(input_, n);
  if (input.degree_only == 0) {
    join_rows(pass, input, 0, joined);
    return joined;
  }
  const std::int64_t queries = input.outputs(), before = n - queries - input.degree_only;
  join_rows(pass, input, 0, joined.block(0, before));
  join_rows(pass, input, before, joined.block(n - queries, queries));
  // Any finite number would do.
  pass.kernels.fill(pass.schedule, T(0), joined.block(before, input.degree_only));
  return joined;
}

template <class T>
void Network<T>::put_forward(const Pass<T>& pass, const NetworkInput<T>& input) {
  const std::int64_t n = input.graph.nodes, outputs = input.outputs();
  const Mat<T> joined = join_input(pass, input);
  const Mat<T> h = work_.nodes(embedding_, n);
  backbone_->forward(pass, {input.graph, joined, input.labelled}, h);
  const Mat<T> queries = h.block(n - outputs, outputs);
  head_->forward(pass, queries, work_.nodes(output_, outputs));
  if (auxiliary_head_ && pass.gradients != nullptr) {  // nobody asks for it in inference
    auxiliary_head_->forward(pass, queries, work_.nodes(auxiliary_output_, outputs));
  }
}

template <class T>
Mat<const T> Network<T>::forward(const Pass<T>& pass, const NetworkInput<T>& input) {
  const Schedule::Discard discard{pass.schedule};
  put_forward(pass, input);
  pass.schedule.run();
  return work_.nodes(output_, input.outputs());
}

template <class T>
Span<const T> Network<T>::auxiliary_output(std::int64_t outputs) {
  if (!auxiliary_head_) return {};
  return {work_.nodes(auxiliary_output_, outputs).data, outputs};
}

template <class T>
Mat<const T> Network<T>::encoded(const NetworkInput<T>& input) {
  const std::int64_t n = input.graph.nodes, outputs = input.outputs();
  return work_.nodes(input_, n).block(n - outputs, outputs).columns(encoder_at_, encoder_->width());
}

template <class T>
Mat<const T> Network<T>::embedding(const NetworkInput<T>& input) {
  const std::int64_t n = input.graph.nodes, outputs = input.outputs();
  return work_.nodes(embedding_, n).block(n - outputs, outputs);
}

template <class T>
Span<const T> Network<T>::run_auxiliary(const Pass<T>& pass, const NetworkInput<T>& input) {
  if (!auxiliary_head_) return {};
  const Schedule::Discard discard{pass.schedule};
  auxiliary_head_->forward(pass, embedding(input), work_.nodes(auxiliary_output_, input.outputs()));
  pass.schedule.run();
  return auxiliary_output(input.outputs());
}

// The loss of a block is a mean over its rows: their share of all rows makes it a part of the
// whole.
template <class T>
void Network<T>::put_loss(const Pass<T>& pass, const LossEntry& loss, Mat<const T> predicted,
                          Span<const T> observed, Span<const T> row_weight, double weight,
                          Mat<T> gradient, SlabLosses& sums) {
  const std::int64_t n = predicted.rows, slab_rows = pass.schedule.slab_rows(n);
  sums.fill(0);
  double* const slab_sums = sums.data();
  pass.schedule.rows(n, [=, of = &loss](std::int64_t begin, std::int64_t end) noexcept {
    const std::int64_t count = end - begin;
    const double share = static_cast<double>(count) / static_cast<double>(n);
    const Span<const T> rows = row_weight.empty() ? row_weight : row_weight.subspan(begin, count);
    slab_sums[begin / slab_rows] +=
        share * mean_loss<T>(*of, predicted.block(begin, count), observed.subspan(begin, count),
                             rows, weight * share, gradient.block(begin, count));
  });
}

template <class T>
void Network<T>::put_heads_backward(const Pass<T>& pass, Mat<const T> h, Mat<T> dh,
                                    const NetworkTarget<T>& target) {
  const auto weights = task_weights_.weights(pass);
  const Mat<T> out = work_.nodes(output_, h.rows), dout = work_.nodes(output_gradient_, h.rows);
  put_loss(pass, loss_, out, target.outcome, target.weight, weights.main, dout, main_losses_);
  head_->backward(pass, h, out, dout, dh, false);
  if (!auxiliary_head_) return;
  const Mat<T> aux = work_.nodes(auxiliary_output_, h.rows);
  const Mat<T> daux = work_.nodes(auxiliary_gradient_, h.rows);
  put_loss(pass, auxiliary_loss_, aux, target.local_moran, {}, weights.auxiliary, daux,
           auxiliary_losses_);
  auxiliary_head_->backward(pass, h, aux, daux, dh, true);
}

template <class T>
StepLosses Network<T>::step(const Pass<T>& pass, const NetworkInput<T>& input,
                            const NetworkTarget<T>& target) {
  const Schedule::Discard discard{pass.schedule};
  const std::int64_t n = input.graph.nodes, outputs = input.outputs();
  put_forward(pass, input);
  const Mat<const T> joined = work_.nodes(input_, n);
  const Mat<const T> h = work_.nodes(embedding_, n);
  const Mat<T> dh = work_.nodes(embedding_gradient_, n);
  put_heads_backward(pass, h.block(n - outputs, outputs), dh.block(n - outputs, outputs), target);
  // Nodes that are not asked for matter only through those that are.
  pass.kernels.fill(pass.schedule, T(0), dh.block(0, n - outputs));

  const bool has_encoder = encoder_->width() > 0;
  const Mat<T> dinput = has_encoder ? work_.nodes(input_gradient_, n) : Mat<T>();
  backbone_->backward(pass, {input.graph, joined, input.labelled}, h, dh, dinput);
  if (has_encoder) {
    const std::int64_t first = encoder_at_, width = encoder_->width();
    encoder_->backward(pass, input.basis, joined.columns(first, width),
                       dinput.columns(first, width));
  }
  pass.schedule.run();

  StepLosses losses;
  losses.main = std::accumulate(main_losses_.begin(), main_losses_.end(), 0.0);
  losses.auxiliary = std::accumulate(auxiliary_losses_.begin(), auxiliary_losses_.end(), 0.0);
  losses.total = task_weights_.combine(pass, losses.main, losses.auxiliary);
  return losses;
}

template class Network<float>;
template class Network<double>;

}  // namespace pegnn
