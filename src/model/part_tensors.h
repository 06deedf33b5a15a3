#pragma once
// The parts of a model made of others as tensors of its file.
//
//   metadata "pegnn.part.<p>"       the description of part p = 0, 1, ... (description.h)
//   part.<p>.<name>                 its tensors, named as in a file of its own; rows that are
//                                   those of the whole are left out
//   combination.weights             F64, [2, parts]  near, far
//   combination.remoteness          F64, [1, 5]      intercept, by_distance, by_gap, power, spacing

#include "model/safetensors.h"
#include "model/state.h"

namespace pegnn {

// Number of the first format that has parts.
inline constexpr int kPartsFormat = 3;

// Whether a file says that it holds parts.
bool has_parts(const TensorFile& file);

void add_parts(const ModelState& state, TensorFile& file);
// Training rows included. Error{model} for parts that do not fit together, and for tensors and
// descriptions that belong to none of them.
void read_parts(const TensorFile& file, ModelState& state);

// The training rows that parts share.
inline SharedRows shared_rows(const ModelState& whole) {
  const TrainingPoints rows = whole.training();
  return {rows.points, rows.features};
}

}  // namespace pegnn
