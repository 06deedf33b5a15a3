#pragma once
// The page of a league: models in order, what they leave unexplained and where.

#include <string>

#include "pegnn/evaluate.h"
#include "pegnn/table.h"

namespace pegnn {

// One self-contained HTML page: bars with deviations, residual Moran's I, the table, residual maps
// of the best models in one set of colours, warnings. `source` is the table's name, `command` the
// line that repeats the league; empty: left out.
std::string league_page(const Comparison& comparison, const std::string& source, const Roles& roles,
                        const std::string& command);

}  // namespace pegnn
