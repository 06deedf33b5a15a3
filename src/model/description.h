#pragma once
// The description of a model in its file: options, columns, scaler and where it comes from, as
// JSON. What takes room stands in tensors.

#include <string>

namespace pegnn {

struct ModelState;

std::string describe_model(const ModelState& state);

// Fills in what the description holds: all but points, features, ranks and what was learned.
// Error{model} naming the field that is missing or cannot be used.
void read_description(const std::string& text, const std::string& source, ModelState& state);

}  // namespace pegnn
