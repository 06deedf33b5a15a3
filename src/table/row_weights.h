#pragma once
// Weights of rows: how much each of them counts in training.

#include "base/array.h"
#include "pegnn/table.h"

namespace pegnn {

// Weights beyond these bounds, other than 0, are mistakes; between them no sum of weights and no
// quotient of two leaves the range of a double.
inline constexpr double kLeastWeight = 1e-100, kMostWeight = 1e100;

// Error{data} for a weight that is negative, infinite or beyond those bounds. Missing ones are not
// judged here, 0 is allowed.
void check_weights(const Table& table, const Column& weight);

// Divides positive weights by their mean; equal ones, which say nothing, become none at all.
void bring_to_mean_one(Array<double>& weights);

}  // namespace pegnn
