#pragma once
// The files of a finished training run: model, options, measurements, report.

#include <string>

#include "flow/output_folder.h"
#include "pegnn/table.h"
#include "pegnn/train.h"

namespace pegnn {

// Whether a report is written, and what it says of the run.
struct ReportRequest {
  bool wanted = true;
  std::string command = {};  // the line that repeats the run; empty: left out
  int threads = 0;           // as in RunSettings; changes no byte
};

// All of them appear, or none does. Of `table` the report needs the name alone. Error{resource}
// when they cannot be written.
void write_train_files(const TrainResult& result, const Table& table, const ReportRequest& report,
                       const OutputFolder& folder);

}  // namespace pegnn
