#include "train/runs.h"

#include <fmt/core.h>

#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "train/trainer.h"

namespace pegnn {

Runs::Runs(const RunSettings& run, std::string fingerprint) : run_(run) {
  book_.fingerprint = std::move(fingerprint);
  if (!run.resume) return;
  Snapshot loaded = load_snapshot(run.snapshot);
  if (loaded.fingerprint != book_.fingerprint) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' belongs to a run on other data or with other options; resume "
                            "with the same ones, or start anew with --overwrite",
                            run.snapshot.string()));
  }
  known_ = std::move(loaded.done);
  loaded.done.clear();
  resumed_ = std::move(loaded);
}

const FinishedRun& Runs::train(const Dataset& data, const Scaler& scaler, const Options& options,
                               const Split& split, const LabelModel& labels,
                               const std::string& part, const ThreadPool& pool) {
  const std::size_t number = next_++;
  if (number < known_.size()) {
    book_.done.push_back(std::move(known_[number]));
    return book_.done.back();
  }
  Trainer trainer(data, scaler, options, split.train, split.test, labels, pool);
  if (resumed_ && number == known_.size()) {
    trainer.restore(std::move(*resumed_), run_.snapshot);
    resumed_.reset();
  }
  RunSettings settings = run_;
  if (run_.progress && !part.empty()) {
    settings.progress = [&](TrainProgress p) {
      p.part = part;
      run_.progress(p);
    };
  }
  trainer.run(settings, book_);
  if (run_.log != nullptr) {
    run_.log->detail(fmt::format("work memory of the network: {} MB",
                                 format_short(static_cast<double>(trainer.work_bytes()) / 1e6, 3)));
  }
  book_.done.push_back(trainer.finished());
  return book_.done.back();
}

}  // namespace pegnn
