#include "model/network.h"

#include <algorithm>

namespace pegnn {

template <class T>
Network<T>::Network(const Options& options, std::int64_t features)
    : features_(features),
      local_(find_part(backbones(), "backbone", options.backbone).local),
      labels_(local_ ? kLabelInputs : 0),
      task_weights_(options),
      encoder_(make_encoder<T>(options)),
      head_(make_head<T>(options.head)),
      loss_(find_loss<T>(options.loss)),
      auxiliary_loss_(find_loss<T>("mse")) {
  constant_ = features == 0 && encoder_->width() == 0 && !local_ ? 1 : 0;
  const std::int64_t in = features_ + constant_ + encoder_->width() + labels_;
  backbone_ = make_backbone<T>(options.backbone, backbone_spec(options, in));
  encoder_->plan({layout_, plan_, "encoder"});
  backbone_->plan({layout_, plan_, "backbone"});
  head_->plan({layout_, plan_, "head"}, backbone_->width());
  input_ = plan_.nodes(in);
  input_gradient_ = plan_.gradients(in);
  embedding_ = plan_.nodes(backbone_->width());
  embedding_gradient_ = plan_.gradients(backbone_->width());
  output_ = plan_.node_values();
  output_gradient_ = plan_.gradient_values();
  if (task_weights_.auxiliary()) {
    auxiliary_head_ = make_head<T>("moran");
    auxiliary_head_->plan({layout_, plan_, "moran"}, backbone_->width());
    task_weights_.plan({layout_, plan_, "tasks"});
    auxiliary_output_ = plan_.node_values();
    auxiliary_gradient_ = plan_.gradient_values();
  }
}

template <class T>
void Network<T>::initialise(std::uint64_t seed, std::span<T> parameters) const {
  std::fill(parameters.begin(), parameters.end(), T(0));
  Initialiser<T> init(seed, parameters);
  encoder_->initialise(init);
  backbone_->initialise(init);
  head_->initialise(init);
  if (auxiliary_head_) auxiliary_head_->initialise(init);
  task_weights_.initialise(init);
}

template <class T>
Mat<T> Network<T>::join_input(const Pass<T>& pass, const NetworkInput<T>& input) {
  const std::int64_t n = input.graph.nodes;
  const Mat<T> joined = work_.nodes(input_, n);
  for (std::int64_t i = 0; i < n; ++i) {
    if (constant_ > 0) joined(i, 0) = T(1);
    if (features_ > 0) std::copy_n(input.features.row(i), features_, joined.row(i));
    if (labels_ > 0)
      std::copy_n(input.labels.row(i), labels_, joined.row(i) + joined.cols - labels_);
  }
  const Mat<T> embedded = joined.columns(features_ + constant_, encoder_->width());
  encoder_->forward(pass, input.basis, embedded);
  return joined;
}

template <class T>
std::span<const T> Network<T>::forward(const Pass<T>& pass, const NetworkInput<T>& input) {
  const std::int64_t n = input.graph.nodes, outputs = input.outputs();
  const Mat<T> joined = join_input(pass, input);
  const Mat<T> h = work_.nodes(embedding_, n);
  backbone_->forward(pass, input.graph, joined, h);
  const Mat<T> asked = h.block(n - outputs, outputs);
  const Mat<T> out = work_.nodes(output_, outputs);
  head_->forward(pass, asked, out);
  if (auxiliary_head_ && pass.gradients != nullptr) {  // nobody asks for it in inference
    auxiliary_head_->forward(pass, asked, work_.nodes(auxiliary_output_, outputs));
  }
  return {out.data, static_cast<std::size_t>(outputs)};
}

template <class T>
std::span<const T> Network<T>::auxiliary_output(std::int64_t outputs) {
  if (!auxiliary_head_) return {};
  return {work_.nodes(auxiliary_output_, outputs).data, static_cast<std::size_t>(outputs)};
}

template <class T>
StepLosses Network<T>::heads_backward(const Pass<T>& pass, Mat<const T> h, Mat<T> dh,
                                      const NetworkTarget<T>& target) {
  const std::int64_t outputs = h.rows;
  const auto rows = static_cast<std::size_t>(outputs);
  const auto weights = task_weights_.weights(pass);
  StepLosses losses;
  const Mat<T> out = work_.nodes(output_, outputs);
  const Mat<T> dout = work_.nodes(output_gradient_, outputs);
  losses.main = loss_({out.data, rows}, target.outcome, weights.main, {dout.data, rows});
  head_->backward(pass, h, out, dout, dh, false);
  if (auxiliary_head_) {
    const Mat<T> daux = work_.nodes(auxiliary_gradient_, outputs);
    losses.auxiliary = auxiliary_loss_(auxiliary_output(outputs), target.local_moran,
                                       weights.auxiliary, {daux.data, rows});
    auxiliary_head_->backward(pass, h, work_.nodes(auxiliary_output_, outputs), daux, dh, true);
  }
  losses.total = task_weights_.combine(pass, losses.main, losses.auxiliary);
  return losses;
}

template <class T>
StepLosses Network<T>::step(const Pass<T>& pass, const NetworkInput<T>& input,
                            const NetworkTarget<T>& target) {
  const std::int64_t n = input.graph.nodes, outputs = input.outputs();
  forward(pass, input);
  const Mat<const T> joined = work_.nodes(input_, n);
  const Mat<const T> h = work_.nodes(embedding_, n);
  const Mat<T> dh = work_.nodes(embedding_gradient_, n);
  // Nodes that are not asked for matter only through those that are.
  for (std::int64_t i = 0; i < n - outputs; ++i) std::fill_n(dh.row(i), dh.cols, T(0));
  const StepLosses losses =
      heads_backward(pass, h.block(n - outputs, outputs), dh.block(n - outputs, outputs), target);

  const bool has_encoder = encoder_->width() > 0;
  const Mat<T> dinput = has_encoder ? work_.nodes(input_gradient_, n) : Mat<T>();
  backbone_->backward(pass, input.graph, joined, h, dh, dinput);
  if (has_encoder) {
    const std::int64_t first = features_ + constant_, width = encoder_->width();
    encoder_->backward(pass, input.basis, joined.columns(first, width),
                       dinput.columns(first, width));
  }
  return losses;
}

template class Network<float>;
template class Network<double>;

}  // namespace pegnn
