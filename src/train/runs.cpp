#include "train/runs.h"

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "train/trainer.h"

namespace pegnn {
namespace {

// A file that was tampered with must not be believed.
void check_run(const FinishedRun& run, const Options& options, std::int64_t features,
               std::int64_t held, const std::string& file) {
  const auto parameters = Network<float>(options, features).layout().size();
  const auto fits = [&](const Array<float>& answers) {
    return answers.empty() || answers.size() == held;
  };
  const HeldAnswers& h = run.held;
  if (run.parameters.size() == parameters && h.predicted.size() == held && fits(h.smooth) &&
      h.gaps.size() == h.smooth.size()) {
    return;
  }
  throw Error(ErrorKind::model, file + ": a finished run is not one of this model");
}

}  // namespace

Runs::Runs(const Context& context, std::string fingerprint, std::string diverged_fingerprint,
           const Dataset* watched)
    : context_(context), watched_(watched) {
  history_.fingerprint = std::move(fingerprint);
  history_.diverged_fingerprint = std::move(diverged_fingerprint);
  const RunSettings& run = context.run;
  if (!run.resume) return;
  Snapshot loaded = load_snapshot(run.snapshot);
  if (loaded.fingerprint != history_.fingerprint &&
      loaded.fingerprint != history_.diverged_fingerprint) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' belongs to a run on other data or with other options; resume "
                            "with the same ones, or start anew with <option:overwrite>",
                            run.snapshot.string()));
  }
  known_ = std::move(loaded.done);
  loaded.done.clear();
  resumed_ = std::move(loaded);
}

const FinishedRun& Runs::train(const Dataset& data, const Scaler& scaler, const Options& options,
                               const Split& split, const LabelModel& labels,
                               const std::string& part) {
  const RunSettings& run = context_.run;
  const std::int64_t number = next_++;
  if (number < known_.size()) {
    check_run(known_[number], options, scaler.width(), split.test.size(), run.snapshot.string());
    history_.done.push_back(std::move(known_[number]));
    return history_.done.back();
  }
  Trainer trainer(data, scaler, options, split.train, split.test, labels, context_.backend);
  if (watched_ != nullptr) trainer.watch(*watched_, scaler);
  if (resumed_ && number == known_.size()) {
    trainer.restore(std::move(*resumed_), run.snapshot);
    resumed_.reset();
  }
  RunSettings settings = run;
  if (run.progress && !part.empty()) {
    settings.progress = [&](TrainProgress p) {
      p.part = part;
      run.progress(p);
    };
  }
  trainer.run(settings, history_);
  context_.log.detail(
      fmt::format("work memory of the network: {} MB",
                  format_short(static_cast<double>(trainer.work_bytes()) / 1e6, 3)));
  history_.done.push_back(trainer.finished());
  return history_.done.back();
}

}  // namespace pegnn
