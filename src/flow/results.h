#pragma once
// Evaluations and leagues as text: a table for people, JSON for programs.

#include <string>
#include <vector>

#include "pegnn/evaluate.h"

namespace pegnn {

// {"rows": [{"model": ..., "scheme": ..., "mse": ..., ...}]}
std::string evaluation_json(const std::vector<Evaluation>& rows);

// Columns aligned, one line per evaluation.
std::string evaluation_table(const std::vector<Evaluation>& rows);

// The same rows from the best down, with rank, verdict and what led to it; those of models that
// were not trained hold the reason under "error".
std::string comparison_json(const Comparison& comparison, const std::string& command);

// A ranked table of at most 100 columns, with lines above and below that say how it was made.
std::string comparison_table(const Comparison& comparison);

}  // namespace pegnn
