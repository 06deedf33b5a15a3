#pragma once
// What is known of labelled training rows, as tensors of the model file.

#include "model/safetensors.h"
#include "model/state.h"

namespace pegnn {

void add_label_model(const ModelState& state, TensorFile& file);
// Error{model} for numbers that no label model can have.
void read_label_model(const TensorFile& file, ModelState& state);

}  // namespace pegnn
