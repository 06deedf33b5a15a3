#pragma once
// What a network learned as tensors of a model file, one for each parameter of each member.

#include "model/safetensors.h"
#include "model/state.h"

namespace pegnn {

void add_network(const ModelState& state, TensorFile& file);
// Training rows included. Error{model} when a tensor does not fit the network that the options
// describe.
void read_network(const TensorFile& file, const SharedRows& shared, ModelState& state);

}  // namespace pegnn
