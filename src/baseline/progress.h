#pragma once
// How a baseline that takes a while tells where it stands.

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "pegnn/log.h"
#include "pegnn/run.h"

namespace pegnn {

class FitProgress {
 public:
  explicit FitProgress(const RunSettings& run);

  Log& log() const { return log_; }

  // How many steps are to come, at most.
  void expect(std::int64_t steps) { steps_ = steps; }

  // After each step, with its loss on the training rows and on the rows held back, NaN where not
  // known: keeps the curve and tells the caller. Error{interrupted} when the caller wants to stop.
  void step(double loss, double validation = std::numeric_limits<double>::quiet_NaN());
  // What was kept, where held rows decided: the state after that step, with that loss on them.
  void best(std::int64_t step, double validation);
  // Error{interrupted} when the caller wants to stop, where there is nothing to count; to be called
  // at least every second or so.
  void check() const;

  std::int64_t steps_taken() const { return taken_; }
  std::int64_t best_step() const { return best_step_ < 0 ? taken_ : best_step_; }
  double best_validation() const { return best_validation_; }  // NaN: no held rows decided
  const std::vector<TrainProgress>& curve() const { return curve_; }

 private:
  const RunSettings& run_;
  Log& log_;
  std::chrono::steady_clock::time_point start_;
  std::int64_t steps_ = 0, taken_ = 0, best_step_ = -1;
  double best_validation_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<TrainProgress> curve_;
};

}  // namespace pegnn
