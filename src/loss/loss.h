#pragma once
// Losses: how far predictions are from what was observed, and the gradient of that.

#include <span>
#include <string>

#include "base/part.h"

namespace pegnn {

// The mean loss over all rows, summed in double in row order; writes its gradient with respect to
// each prediction times `scale` unless `gradient` is empty. No rows: 0.
template <class T>
using LossFunction = double (*)(std::span<const T> predicted, std::span<const T> observed,
                                double scale, std::span<T> gradient);

// The same where each row counts as much as its weight: sum_i w_i l_i / n with l_i the loss of row
// i alone. Division is by the number of rows: of weights that are 1 on average, batches drawn at
// random then give the gradient of all rows without bias, which the quotient by their own sum would
// not. Without weights it is `loss` itself.
template <class T>
double weighted_loss(LossFunction<T> loss, std::span<const T> predicted,
                     std::span<const T> observed, std::span<const T> weight, double scale,
                     std::span<T> gradient);

struct LossEntry {
  PartInfo info;
  LossFunction<float> of_float;
  LossFunction<double> of_double;
};

std::span<const LossEntry* const> losses();

template <class T>
LossFunction<T> find_loss(const std::string& name);

}  // namespace pegnn
