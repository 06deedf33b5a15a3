#pragma once
// The kinds of models that there are, one file each: network_model.cpp, baseline_model.cpp,
// combined_model.cpp. For model_kind.cpp, which lists them.

#include <vector>

#include "model/model_kind.h"

namespace pegnn {

const ModelKind& network_kind();
std::vector<const ModelKind*> baseline_kinds();  // in the order of baselines.def
const ModelKind& combined_kind();

}  // namespace pegnn
