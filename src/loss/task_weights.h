#pragma once
// How the main loss and the auxiliary loss become one number.
//
//   lambda:       L = L_main + lambda L_aux                                        (Eq. 8)
//   uncertainty:  L = sum over tasks of L_t / (2 s_t^2) + r log s_t^2               (section 4.3.3)
//
// with s_t learned, stored as log s_t^2 and started at 0. The paper's text has r = 1/2 (log s); the
// published code has r = 1.

#include <cmath>
#include <string>

#include "nn/initialiser.h"
#include "nn/pass.h"
#include "pegnn/options.h"

namespace pegnn {

template <class T>
class TaskWeights {
 public:
  explicit TaskWeights(const Options& o)
      : lambda_(o.lambda),
        learned_(o.uncertainty_weights),
        regulariser_(o.uncertainty_form == "paper" ? 0.5 : 1.0) {}

  bool auxiliary() const { return learned_ || lambda_ > 0; }
  bool learned() const { return learned_; }

  void plan(Builder builder) {
    if (learned_) log_variance_ = builder.parameter("log_variance", 1, 2);
  }
  void initialise(Initialiser<T>& init) const {
    if (learned_) init.constant(log_variance_, 0);
  }

  struct Weights {
    double main = 1, auxiliary = 0;
  };
  // What the gradients of the two losses are multiplied with.
  Weights weights(const Pass<T>& pass) const {
    if (!learned_) return {1.0, lambda_};
    return {0.5 * std::exp(-log_variance(pass, 0)), 0.5 * std::exp(-log_variance(pass, 1))};
  }

  // The total loss; adds to the gradient of the learned weights when there are gradients.
  double combine(const Pass<T>& pass, double main, double auxiliary) const {
    const Weights w = weights(pass);
    if (!learned_) return w.auxiliary == 0 ? main : main + w.auxiliary * auxiliary;
    if (pass.gradients != nullptr) {
      T* gradient = pass.gradient(log_variance_).data;
      gradient[0] += static_cast<T>(regulariser_ - w.main * main);
      gradient[1] += static_cast<T>(regulariser_ - w.auxiliary * auxiliary);
    }
    return w.main * main + w.auxiliary * auxiliary +
           regulariser_ * (log_variance(pass, 0) + log_variance(pass, 1));
  }

  // The learned s_main and s_aux.
  double deviation(const Pass<T>& pass, int task) const {
    return std::exp(0.5 * log_variance(pass, task));
  }

 private:
  double log_variance(const Pass<T>& pass, int task) const {
    return static_cast<double>(pass.parameter(log_variance_).data[task]);
  }

  double lambda_;
  bool learned_;
  double regulariser_;
  ParamSlot log_variance_;
};

}  // namespace pegnn
