#pragma once
// How a baseline that takes a while tells where it stands.

#include <chrono>
#include <cstdint>
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

  // After each step with its loss: tells the caller now and then, keeps the curve.
  // Error{interrupted} when the caller wants to stop.
  void step(double loss);
  // The same where there is nothing to count; to be called at least every second or so.
  void check() const;

  std::int64_t steps_taken() const { return taken_; }
  const std::vector<TrainProgress>& curve() const { return curve_; }

 private:
  const RunSettings& run_;
  Log& log_;
  std::chrono::steady_clock::time_point start_;
  std::int64_t steps_ = 0, taken_ = 0;
  std::vector<TrainProgress> curve_;
};

}  // namespace pegnn
