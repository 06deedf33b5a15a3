#pragma once
// A training run as it is kept on the disk: the tasks that are done and those that were begun.

#include <filesystem>
#include <map>
#include <string>

#include "model/safetensors.h"
#include "train/train_state.h"

namespace pegnn {

struct Snapshot {
  std::string fingerprint;  // of data, options and version: a run continues only its own snapshot
  // By the keys of the tasks. Of those that are done the rows held back are not kept: the task says
  // which they are.
  std::map<std::string, TrainedNetwork> done;
  std::map<std::string, TrainState> begun;
};

// The snapshot as tensors, and back; Error{model} naming what does not fit or cannot be.
TensorFile to_tensors(const Snapshot& snapshot);
Snapshot snapshot_of(const TensorFile& file);

void save_snapshot(const Snapshot& snapshot, const std::filesystem::path& file);

// Error{model} when the file is damaged; Error{resource} when it cannot be read.
Snapshot load_snapshot(const std::filesystem::path& file);

}  // namespace pegnn
