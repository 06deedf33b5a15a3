#pragma once
// How far each of several models has a say near the training points and far from them, by what they
// say of rows that they did not learn from.

#include "base/array.h"
#include "base/thread_pool.h"
#include "model/combination.h"
#include "table/dataset.h"
#include "train/companions.h"

namespace pegnn {

// The weights of the models that `held` has answers of, the first of them the network:
//
//   min over a >= 0, sum_m a_near,m = sum_m a_far,m = 1 of
//     sum_i u_i (y_i - sum_m ((1 - w_i) a_near,m + w_i a_far,m) p_im)^2 / v + 0.01 |a - network|^2
//
// w_i is the remoteness of row i: the probability that a row at its distance is one of those held
// out in blocks rather than one by one, to a power that is chosen by the error on folds left out.
// u_i is the weight of the row over the scale of the network's residuals at such a place and such a
// level, so that a few large values do not decide for all; rows held out near and far have the same
// say. From the squares of the network's residuals is taken what averaging its members will take
// (OutOfFold::averaged). Then a weight moves away from the network only as far as the evidence
// carries: by clamp(z - 1, 0, 1), z the mean gain of 32 cells over its standard error. Where too
// few rows are held out near or far, the network alone answers there. Source: Davies and van der
// Laan, Int. J. Biostatistics 12, 2016 (spatial super learner), with weights that follow the place.
Combination weigh_models(const Dataset& data, const OutOfFold& held, const ThreadPool& pool);

// What the models together say of the rows of `held`.
Array<double> weighed_answers(const OutOfFold& held, const Combination& combination);

}  // namespace pegnn
