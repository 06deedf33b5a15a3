#pragma once
// The paper's tables and figures, put together from training runs.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paper/protocol.h"
#include "paper/reproduction.h"
#include "paper/runner.h"

namespace pegnn {

// What can be asked for: table1, table2, figure2, ..., figure5, speed.
std::span<const std::string_view> experiment_names();

// The data sets that an experiment needs.
std::vector<std::string_view> datasets_of(std::string_view experiment);

// Looks a run up; null: not done.
using FindRun = std::function<const RunResult*(const RunSpec&)>;

// The experiments of those names from the runs that `find` knows; what was not done is left open.
// Every run that belongs to them is asked for, so that the same call says which runs are needed.
// Data sets that are not in `sets` are left out.
Reproduction assemble(std::span<const std::string> experiments, const PaperSets& sets,
                      const Effort& effort, const FindRun& find);

}  // namespace pegnn
