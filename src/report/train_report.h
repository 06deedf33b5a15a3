#pragma once
// The report of a training run.

#include <string>

#include "pegnn/table.h"
#include "pegnn/train.h"

namespace pegnn {

// The page for a finished run: figures, curves, maps and Moran's I of the residuals on the rows
// shown, every option. `command` is the line that repeats the run; empty: left out.
std::string train_report(const TrainResult& result, const Table& table, const std::string& command,
                         int threads);

}  // namespace pegnn
