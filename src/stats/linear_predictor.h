#pragma once
// Linear predictors fitted by Newton's method, under any convex loss of each row.

#include <cstdint>
#include <functional>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"

namespace pegnn {

// A row's loss as a function of its predictor, with the first two derivatives.
struct RowLoss {
  double value = 0, slope = 0, curvature = 0;
};

// The coefficients b that minimise
//
//   sum_i w_i loss_i(x_i . b) / sum_i w_i + ridge / 2 sum_{c > 0} b_c^2
//
// The first column of x, which the ridge spares, is that of ones. Losses are convex, weights not
// negative and not all 0, ridge is positive.   x: rows x columns, weight: rows
using LossOfRow = std::function<RowLoss(std::int64_t row, double predictor)>;
Array<double> fit_linear_predictor(Mat<const double> x, Span<const double> weight,
                                   const LossOfRow& loss, double ridge, const ThreadPool& pool);

// Logistic regression: of rows that are of a kind (1) or not (0) the loss is minus the logarithm of
// the likelihood.
RowLoss logistic_loss(double predictor, bool of_the_kind);

// The scale of a Laplace distribution, whose logarithm is the predictor: e^p is the expected
// absolute residual.
RowLoss laplace_scale_loss(double predictor, double residual);

}  // namespace pegnn
