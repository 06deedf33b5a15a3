#include "baseline/progress.h"

#include <limits>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {

FitProgress::FitProgress(const RunSettings& run)
    : run_(run), log_(run.logger()), start_(std::chrono::steady_clock::now()) {}

void FitProgress::step(double loss, double validation) {
  ++taken_;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  curve_.push_back({.step = taken_,
                    .steps = steps_,
                    .loss = loss,
                    .main = loss,
                    .auxiliary = std::numeric_limits<double>::quiet_NaN(),
                    .validation = validation,
                    .seconds = seconds,
                    .measured = true});
  if (run_.progress) run_.progress(curve_.back());
  check();
}

void FitProgress::best(std::int64_t step, double validation) {
  best_step_ = step;
  best_validation_ = validation;
}

void FitProgress::check() const {
  if (run_.stopped()) {
    throw Error(ErrorKind::interrupted, fmt::format("stopped after step {}", taken_));
  }
}

}  // namespace pegnn
