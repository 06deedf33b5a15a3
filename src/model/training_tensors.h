#pragma once
// The rows that a model learned from as tensors of its file, and what tensors of models are checked
// for.

#include <cstdint>
#include <string>

#include "base/array.h"
#include "model/safetensors.h"
#include "model/state.h"

namespace pegnn {

// Borrowed from `state`.
void add_training(const ModelState& state, TensorFile& file);
// Error{model} for places that cannot be and for numbers that are not finite. Rows that are not
// there are those of `shared`, and stay out of `state`; returns how many there are.
std::int64_t read_training(const TensorFile& file, const SharedRows& shared, ModelState& state);

// Error{model} unless the tensor is a matrix of that shape.
void expect_shape(const TensorFile& file, const std::string& name,
                  const Array<std::int64_t>& shape);
// Error{model} unless all are.
void expect_finite(const TensorFile& file, const std::string& name, Span<const float> values);

}  // namespace pegnn
