#include "train/task_runner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "base/memory.h"
#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "train/room.h"
#include "train/side_by_side.h"
#include "train/trainer.h"

namespace pegnn {
namespace {

// A file that was tampered with must not be believed.
void check_network(const TrainTask& task, const TrainedNetwork& network, std::int64_t held,
                   const std::string& file) {
  const Setting& s = task.setting;
  const auto parameters = Network<float>(s.options, s.scaler.width()).layout().size();
  const auto fits = [&](const Array<float>& answers) {
    return answers.empty() || answers.size() == held;
  };
  const HeldAnswers& h = network.held;
  if (network.parameters.size() == parameters && h.predicted.size() == held && fits(h.smooth) &&
      h.gaps.size() == h.smooth.size()) {
    return;
  }
  throw Error(ErrorKind::model,
              fmt::format("{}: what it holds of '{}' is not of this model", file, task.key));
}

// Says of which rows the answers are.
void name_rows(const HeldBlocks& rows, HeldAnswers& held) {
  held.rows = rows.rows.test;
  held.groups = rows.block.empty() ? Array<std::int32_t>() : gather(rows.block, held.rows);
}

}  // namespace

TaskRunner::TaskRunner(const Dataset& data, const Dataset* watched, const Context& context,
                       SnapshotFile::Fingerprints fingerprints)
    : data_(data),
      watched_(watched),
      context_(context),
      snapshot_(context.run.snapshot, context.run.resume, std::move(fingerprints)) {}

// Trained by this run or by the one that it continues.
bool TaskRunner::known(const TrainTask& task) {
  if (trained_.contains(task.key)) return true;
  std::optional<TrainedNetwork> network = snapshot_.done(task.key);
  if (!network) return false;
  const HeldBlocks rows = task.rows(data_);
  check_network(task, *network, rows.rows.test.size(), snapshot_.path().string());
  name_rows(rows, network->held);
  trained_[task.key] = std::move(*network);
  return true;
}

// Each takes as much as one alone: where they would take more than half of what is free, fewer.
std::int64_t TaskRunner::jobs_for(Span<const TrainTask* const> tasks) const {
  constexpr double kMostOfFree = 0.5;
  const auto most = std::min<std::int64_t>(context_.pool.threads(), tasks.size());
  if (most < 2) return most;
  double bytes = 0;
  for (const TrainTask* task : tasks) {
    const Setting& s = task->setting;
    bytes = std::max(bytes, training_bytes(s.options, data_.rows(), s.scaler.width()));
  }
  return static_cast<std::int64_t>(
      std::clamp(kMostOfFree * free_memory() / bytes, 1.0, static_cast<double>(most)));
}

TrainedNetwork TaskRunner::train(const TrainTask& task, const RunSettings& run,
                                 const Backend<float>& backend) {
  const Setting& s = task.setting;
  HeldBlocks rows = task.rows(data_);
  Trainer trainer(data_, s.scaler, s.options, rows.rows.train, rows.rows.test, s.labels, backend,
                  task.shared ? task.shared->get(data_, s, context_.backend) : nullptr);
  rows.rows.train = {};  // of millions of rows it is large
  if (watched_ != nullptr) trainer.watch(*watched_, s.scaler);
  if (auto state = snapshot_.begun(task.key)) {
    trainer.restore(std::move(*state), snapshot_.path());
  }
  RunSettings settings = run;
  if (run.progress && !task.part.empty()) {
    settings.progress = [&](TrainProgress p) {
      p.part = task.part;
      run.progress(p);
    };
  }
  KeepState keep;
  if (snapshot_.keeps()) {
    keep = [&](const TrainState& state, bool diverged) {
      snapshot_.store(task.key, state, diverged);
    };
  }
  trainer.run(settings, keep);
  TrainedNetwork network = trainer.finished();
  name_rows(rows, network.held);
  snapshot_.finish(task.key, network);
  return network;
}

void TaskRunner::take(const TrainTask& task, TrainedNetwork network) {
  context_.log.detail(fmt::format("work memory of the network: {} MB",
                                  format_short(static_cast<double>(network.work_bytes) / 1e6, 3)));
  trained_[task.key] = std::move(network);
}

void TaskRunner::train_side_by_side(Span<const TrainTask* const> tasks, std::int64_t jobs,
                                    const std::function<void()>& taken) {
  Array<TrainedNetwork> networks(tasks.size());
  const SideBySide all{.tasks = tasks.size(),
                       .jobs = jobs,
                       .work =
                           [&](std::int64_t i, const RunSettings& own) {
                             const ThreadPool pool(own.threads);
                             networks[i] = train(*tasks[i], own, best_backend<float>(pool));
                           },
                       .finished =
                           [&](std::int64_t i) {
                             take(*tasks[i], std::move(networks[i]));
                             taken();
                           }};
  try {
    if (run_side_by_side(all, context_.run)) return;
  } catch (...) {
    // What others have done since the last save is kept, too; the error to tell is the first one.
    try {
      save();
    } catch (const std::exception& error) {
      context_.log.warn(fmt::format("the snapshot could not be written: {}", error.what()));
    }
    throw;
  }
  save();
  throw Error(ErrorKind::interrupted, fmt::format("stopped between two networks{}",
                                                  snapshot_.keeps() ? kHowToContinue : ""));
}

void TaskRunner::save() const {
  if (snapshot_.keeps()) snapshot_.save();
}

Array<TrainedNetwork> TaskRunner::run(Span<const TrainTask> tasks, const Finished& finished) {
  Array<const TrainTask*> open;
  for (const TrainTask& task : tasks) {
    if (!known(task)) open.push_back(&task);
  }
  Array<TrainedNetwork> networks;
  const auto pass_on = [&] {
    while (networks.size() < tasks.size() && trained_.contains(tasks[networks.size()].key)) {
      networks.push_back(trained_.at(tasks[networks.size()].key));
      if (finished) finished(networks.size() - 1, networks.back());
    }
  };
  pass_on();
  // What they share is found by all threads together, before each goes on with its own.
  for (const TrainTask* task : open) {
    if (task->shared) task->shared->get(data_, task->setting, context_.backend);
  }
  if (const std::int64_t jobs = jobs_for(open); jobs > 1) {
    train_side_by_side(open, jobs, pass_on);
    return networks;
  }
  for (const TrainTask* task : open) {
    take(*task, train(*task, context_.run, context_.backend));
    pass_on();
  }
  return networks;
}

}  // namespace pegnn
