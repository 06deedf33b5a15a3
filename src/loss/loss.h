#pragma once
// Losses: how far what a head says is from what was observed, and the gradient of that.

#include <cstdint>
#include <span>
#include <string>

#include "base/array.h"
#include "base/matrix.h"
#include "base/part.h"

namespace pegnn {

// The loss of one row: `raw` are the outputs of its head, in scaled units; writes the derivative
// with respect to each of them.
using RowLoss = double (*)(const double* raw, double observed, double* slope) noexcept;

struct LossEntry {
  PartInfo info;
  std::int64_t outputs = 1;  // of the heads that it fits
  RowLoss of_row;
};

// Most outputs of a head.
inline constexpr std::int64_t kMostOutputs = 128;

// The mean over n rows, sum_i w_i l_i / n with l_i the loss of row i and w_i its weight, 1 for all
// where `weight` is empty; summed in double in row order. Writes the gradient with respect to each
// output times `scale` unless `gradient` has no rows. No rows: 0.
//   predicted, gradient: n x loss.outputs
//
// Division is by the number of rows: of weights that are 1 on average, batches drawn at random then
// give the gradient of all rows without bias, which the quotient by their own sum would not.
template <class T>
double mean_loss(const LossEntry& loss, Mat<const T> predicted, Span<const T> observed,
                 Span<const T> weight, double scale, Mat<T> gradient);

Span<const LossEntry* const> losses();

const LossEntry& find_loss(const std::string& name);

}  // namespace pegnn
