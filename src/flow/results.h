#pragma once
// Evaluations and leagues: a table or a page for people, JSON for programs, columns for the rows
// of a table.

#include <string>
#include <vector>

#include "io/gdal.h"
#include "pegnn/evaluate.h"

namespace pegnn {

// {"rows": [{"model": ..., "scheme": ..., "mse": ..., ...}]}
std::string evaluation_json(const std::vector<Evaluation>& rows);

// Columns aligned, one line per evaluation.
std::string evaluation_table(const std::vector<Evaluation>& rows);

// What was predicted of the rows of a table while they were held out: fold, from 1, pred and
// residual; nothing for rows that never were. Without an evaluation the names and kinds alone.
std::vector<AddedColumn> held_out_columns();
std::vector<AddedColumn> held_out_columns(const Evaluation& evaluation, const Table& table,
                                          const std::string& target);

// The same rows from the best down, with rank, verdict and what led to it; those of models that
// were not trained hold the reason under "error".
std::string comparison_json(const Comparison& comparison, const std::string& command);

// The league as one HTML page; `source` is the table's name.
std::string comparison_page(const Comparison& comparison, const std::string& source,
                            const Roles& roles, const std::string& command);

// A ranked table of at most 100 columns, with lines above and below that say how it was made.
std::string comparison_table(const Comparison& comparison);

}  // namespace pegnn
