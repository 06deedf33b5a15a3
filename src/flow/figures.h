#pragma once
// The figures of an evaluation by the names they have in JSON.

#include "base/json_writer.h"
#include "pegnn/evaluate.h"

namespace pegnn {

// The members that an evaluation has as an object of "rows".
void write_evaluation(const Evaluation& evaluation, JsonWriter& json);

}  // namespace pegnn
