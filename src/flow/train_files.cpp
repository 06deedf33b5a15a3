#include "flow/train_files.h"

#include "base/atomic_file.h"
#include "base/options.h"
#include "model/safetensors.h"
#include "model/state.h"
#include "report/train_report.h"

namespace pegnn {

void write_train_files(const TrainResult& result, const Table& table, const ReportRequest& report,
                       const OutputFolder& folder) {
  FilesTogether files;
  write_tensors(to_tensors(result.model.state()), files.add(folder.model()));
  files.add(folder.options(), options_toml(result.model.info().options));
  files.add(folder.metrics(), metrics_lines(result.curve));
  if (report.wanted) {
    files.add(folder.report(), train_report(result, table, report.command, report.threads));
  }
  files.commit();
}

}  // namespace pegnn
