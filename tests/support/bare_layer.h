#pragma once
// One layer of a backbone without activation, in double on the reference kernels, with parameters
// set by hand.

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "backbone/backbone.h"

namespace pegnn::test {

class BareLayer {
 public:
  // All parameters start at zero. `graph` must outlive the layer.
  BareLayer(const std::string& name, BackboneSpec spec, const Graph& graph)
      : graph_(graph), in_(spec.in), pool_(1) {
    spec.layers = 1;
    spec.activation = Activation::identity;
    backbone_ = make_backbone<double>(name, spec);
    backbone_->plan({layout_, plan_, "layer"});
    work_.reserve(best_backend<double>(pool_), plan_, graph.nodes, graph.edges(), true);
    parameters_.resize(layout_.size());
    gradients_.resize(layout_.size());
  }

  // A parameter by its name within the layer, row by row.
  void set(const std::string& name, std::initializer_list<double> values) {
    const ParamSlot slot = find(name);
    if (slot.size() != static_cast<std::int64_t>(values.size())) {
      throw std::runtime_error(name + " has another size");
    }
    std::copy(values.begin(), values.end(), parameters_.data() + slot.offset);
  }

  std::vector<double> forward(std::vector<double> x) {
    x_ = std::move(x);
    y_.assign(static_cast<std::size_t>(graph_.nodes * backbone_->width()), 0.0);
    backbone_->forward(pass(), {graph_, x_mat()}, y_mat());
    schedule_.run();
    return y_;
  }

  // The gradient of the input for that of the last result.
  std::vector<double> backward(std::vector<double> dy) {
    std::vector<double> dx(x_.size());
    backbone_->backward(pass(), {graph_, x_mat()}, y_mat(),
                        Mat<double>(dy.data(), graph_.nodes, backbone_->width()),
                        Mat<double>(dx.data(), graph_.nodes, in_));
    schedule_.run();
    return dx;
  }

 private:
  ParamSlot find(const std::string& name) const {
    for (const NamedParam& p : layout_.entries()) {
      if (p.name == "layer.0." + name) return p.slot;
    }
    throw std::runtime_error("no parameter called " + name);
  }
  Pass<double> pass() {
    return {.kernels = reference::kernels<double>(),
            .schedule = schedule_,
            .work = work_,
            .parameters = parameters_.data(),
            .gradients = gradients_.data()};
  }
  Mat<double> x_mat() { return {x_.data(), graph_.nodes, in_}; }
  Mat<double> y_mat() { return {y_.data(), graph_.nodes, backbone_->width()}; }

  const Graph& graph_;
  std::int64_t in_;
  ThreadPool pool_;
  Schedule schedule_{pool_};
  std::unique_ptr<Backbone<double>> backbone_;
  ParamLayout layout_;
  WorkPlan plan_;
  Workspace<double> work_;
  AlignedBuffer<double> parameters_, gradients_;
  std::vector<double> x_, y_;
};

}  // namespace pegnn::test
