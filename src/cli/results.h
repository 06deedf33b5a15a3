#pragma once
// Evaluations as text: a table for people, JSON for programs.

#include <string>
#include <vector>

#include "pegnn/evaluate.h"

namespace pegnn {

// {"rows": [{"model": ..., "scheme": ..., "mse": ..., ...}]}
std::string evaluation_json(const std::vector<Evaluation>& rows);

// Columns aligned, one line per evaluation.
std::string evaluation_table(const std::vector<Evaluation>& rows);

}  // namespace pegnn
