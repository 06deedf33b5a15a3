#pragma once
// What a model file holds, as text and as JSON.

#include <string>

#include "pegnn/model.h"

namespace pegnn {

// A page for people, with every option.
std::string model_text(const ModelInfo& info);
std::string model_json(const ModelInfo& info);

}  // namespace pegnn
