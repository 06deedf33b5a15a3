#pragma once
// The snapshot of a run while it lasts: what is known of its tasks, in one file.

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "train/snapshot.h"

namespace pegnn {

// Tasks that run side by side may store their states at any time: the file always holds the last
// state of each, and those that are done.
class SnapshotFile {
 public:
  // Data, options and version of a run; and the same without the learning rate, which takes its
  // place once a task has diverged, so that a run with another rate may go on from there.
  struct Fingerprints {
    std::string run, diverged;
  };

  // With `resume` the file is read; Error{usage} when it belongs to another run, errors of
  // load_snapshot. An empty path keeps nothing.
  SnapshotFile(std::filesystem::path file, bool resume, Fingerprints fingerprints);

  const std::filesystem::path& path() const { return file_; }
  bool keeps() const { return !file_.empty(); }

  // What is known of a task, if anything is.
  std::optional<TrainedNetwork> done(const std::string& key) const;
  std::optional<TrainState> begun(const std::string& key) const;

  // Writes the file with the state of a task, the last one where it has `diverged`.
  void store(const std::string& key, const TrainState& state, bool diverged);
  // The next file will say that a task is done.
  void finish(const std::string& key, const TrainedNetwork& network);
  void save() const;

 private:
  std::filesystem::path file_;
  Fingerprints fingerprints_;
  mutable std::mutex mutex_;  // of the file, too
  Snapshot snapshot_;
};

}  // namespace pegnn
