#pragma once
// The folder a training run writes into: made when the run begins, taken away again when the run
// fails before anything worth keeping is in it.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/folder_lock.h"
#include "pegnn/run.h"

namespace pegnn {

class OutputFolder {
 public:
  // Error{usage} when a file that the run will write is there already (`further` names those beyond
  // a run's own) and neither `overwrite` nor a snapshot to resume from; Error{resource} when the
  // folder cannot be made or written, or another run writes into it. Until the run takes its first
  // steps, what an earlier one left there stays as it is.
  OutputFolder(std::filesystem::path folder, bool overwrite, bool resume,
               const std::vector<std::string>& further = {});
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  std::filesystem::path model() const { return folder_ / "model.safetensors"; }
  std::filesystem::path options() const { return folder_ / "options.toml"; }
  std::filesystem::path metrics() const { return folder_ / "metrics.jsonl"; }
  std::filesystem::path report() const { return folder_ / "report.html"; }
  std::filesystem::path snapshot() const { return folder_ / "snapshot.safetensors"; }

  // There is a snapshot, and the user wants to continue from it.
  bool resumes() const { return resumes_; }

  // Adds every measurement to metrics.jsonl as it comes, so that a long run can be watched.
  void log_progress(RunSettings& run);

  // The run is done: its snapshot is no longer needed.
  void finish();

 private:
  void refuse_existing(bool overwrite, bool resume, const std::vector<std::string>& further) const;
  void make_folder();
  void remove_leftovers() const;
  void begin();

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  // folders this run made, the innermost first
  std::optional<FolderLock> lock_;
  std::filesystem::file_time_type old_snapshot_;  // when the one found here was written
  bool resumes_ = false, begun_ = false, finished_ = false;
};

// One line of JSON per measurement.
std::string metrics_line(const TrainProgress& progress);
std::string metrics_lines(const std::vector<TrainProgress>& curve);

}  // namespace pegnn
