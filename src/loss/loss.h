#pragma once
// Losses: how far predictions are from what was observed, and the gradient of that.

#include <span>
#include <string>

#include "base/part.h"

namespace pegnn {

// What a loss says of one row.
struct RowLoss {
  double value;  // not negative; 0 where there is no error
  double slope;  // its derivative with respect to the prediction
};
// A loss is a function of the error of a row, the prediction less what was observed.
using LossFunction = RowLoss (*)(double error) noexcept;

// The mean over n rows, sum_i w_i l_i / n with l_i the loss of row i and w_i its weight, 1 for all
// where `weight` is empty; summed in double in row order. Writes the gradient with respect to each
// prediction times `scale` unless `gradient` is empty. No rows: 0.
//
// Division is by the number of rows: of weights that are 1 on average, batches drawn at random then
// give the gradient of all rows without bias, which the quotient by their own sum would not.
template <class T>
double mean_loss(LossFunction loss, std::span<const T> predicted, std::span<const T> observed,
                 std::span<const T> weight, double scale, std::span<T> gradient);

struct LossEntry {
  PartInfo info;
  LossFunction of_row;
};

std::span<const LossEntry* const> losses();

LossFunction find_loss(const std::string& name);

}  // namespace pegnn
