#pragma once
// The folder a training run writes into: made when the run begins, taken away again when the run
// fails before anything worth keeping is in it.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flow/folder_lock.h"
#include "pegnn/run.h"

namespace pegnn {

// Folders made on the way to one. Those that are still empty when it goes are taken away.
class MadeFolders {
 public:
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders();
  // Error{resource} when it cannot be made.
  void make(const std::filesystem::path& folder);

 private:
  std::vector<std::filesystem::path> made_;  // the innermost first
};

// A file put aside, in case it is wanted again; only a plain one.
class SetAside {
 public:
  explicit SetAside(const std::filesystem::path& file);
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;
  ~SetAside();  // it is gone, unless it was put back
  // False when it is there and stays there.
  bool take();
  void put_back() noexcept;
  bool holds() const { return descriptor_ >= 0; }

 private:
  std::filesystem::path file_, aside_;
  int descriptor_ = -1;  // keeps it from being taken for a leftover
};

class OutputFolder {
 public:
  // Error{usage} when a file that the run will write is there already (`further` names those beyond
  // a run's own) and neither `overwrite` nor a snapshot to resume from; Error{resource} when the
  // folder cannot be made or written, something else has the name of a file, or another run writes
  // into it. The log of a killed run stands in nobody's way. Until the run takes its first
  // steps, what an earlier one left there stays as it is.
  OutputFolder(std::filesystem::path folder, bool overwrite, bool resume,
               const std::vector<std::string>& further = {});
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  const std::filesystem::path& model() const { return model_; }
  const std::filesystem::path& options() const { return options_; }
  const std::filesystem::path& metrics() const { return metrics_; }
  const std::filesystem::path& report() const { return report_; }
  const std::filesystem::path& snapshot() const { return snapshot_; }

  // There is a snapshot, and the user wants to continue from it.
  bool resumes() const { return resumes_; }

  // Adds every measurement to metrics.jsonl as it comes, so that a long run can be watched. Those
  // of networks trained side by side come mixed; the file of a finished run is that of its first.
  void log_progress(RunSettings& run);

  // The run is done: its snapshot is no longer needed.
  void finish();

 private:
  void refuse_other_kinds() const;
  void refuse_existing(bool overwrite, bool resume, const std::vector<std::string>& further) const;
  void begin();

  // Ready made: the end of a run must not ask for memory.
  std::filesystem::path folder_, model_, options_, metrics_, report_, snapshot_;
  SetAside old_metrics_, old_snapshot_;  // of an earlier run, in case this one fails
  MadeFolders made_;
  std::optional<FolderLock> lock_;
  std::filesystem::file_time_type snapshot_time_;  // when the one found here was written
  bool resumes_ = false, begun_ = false, finished_ = false;
  bool logs_ = false;  // measurements go into metrics.jsonl as they come
};

// One line of JSON per measurement.
std::string metrics_line(const TrainProgress& progress);
std::string metrics_lines(const std::vector<TrainProgress>& curve);

}  // namespace pegnn
