#pragma once
// The state of a run between two steps: enough to continue to the same bits.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/array.h"
#include "model/safetensors.h"
#include "pegnn/run.h"

namespace pegnn {

// Answers to rows held back, scaled.
struct HeldAnswers {
  Array<float> predicted;
  Array<float> smooth,
      gaps;  // the smoother's answers, and gap_share of each row; with one only
};

// One training run of several: of a member, or to try out settings.
struct FinishedRun {
  Array<float> parameters;
  HeldAnswers held;
  std::int64_t steps = 0, best_step = 0;
  double best_validation = 0;  // NaN: no rows were held back
  std::vector<TrainProgress> curve;
};

// Random numbers need no state of their own: they depend on the step.
struct Snapshot {
  std::string fingerprint;  // of data, options and version: a run continues only its own snapshot
  // The same without the learning rate. The snapshot of a run that has diverged carries it in place
  // of the first, so that a run with another rate may continue there. Not stored by itself.
  std::string diverged_fingerprint;
  std::int64_t step = 0;  // steps taken
  std::int64_t looks_without_gain = 0;
  std::int64_t best_step = 0;
  double best_validation = 0;  // NaN: no look yet
  double sums[3] = {0, 0, 0};  // losses since the last report: total, main, auxiliary
  std::int64_t summed = 0;
  Array<float> parameters, first_moment, second_moment, best_parameters, averaged;
  Array<FinishedRun> done;  // before this one, in order
  std::vector<TrainProgress> curve;
};

// The snapshot as tensors, and back; Error{model} naming what does not fit or cannot be.
TensorFile to_tensors(const Snapshot& snapshot);
Snapshot snapshot_of(const TensorFile& file);

void save_snapshot(const Snapshot& snapshot, const std::filesystem::path& file);

// Error{model} when the file is damaged; Error{resource} when it cannot be read.
Snapshot load_snapshot(const std::filesystem::path& file);

}  // namespace pegnn
