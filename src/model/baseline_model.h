#pragma once
// Baselines as models: what one is made with.

#include "baseline/baseline.h"
#include "model/state.h"

namespace pegnn {

// The entry that `state.options.model` names: the state is of a baseline.
const BaselineEntry& baseline_entry(const ModelState& state);
BaselineSpec baseline_spec(const ModelState& state);

}  // namespace pegnn
