#pragma once
// Does the training tasks of one model, and goes on with those that were interrupted.

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/array.h"
#include "compute/context.h"
#include "train/snapshot_file.h"
#include "train/task.h"

namespace pegnn {

class TaskRunner {
 public:
  // With `resume` the snapshot is read: tasks that were done are not done again, those that were
  // begun go on to the same bits. Errors of SnapshotFile. Data, context and `watched`, which may be
  // null (Trainer::watch), are borrowed.
  TaskRunner(const Dataset& data, const Dataset* watched, const Context& context,
             SnapshotFile::Fingerprints fingerprints);

  // The networks of the tasks, in their order; a task done before, by its key, is not done again.
  // `finished`, which may be empty, hears of every network in that order as soon as it is there and
  // all before it are. Several are trained side by side, each with its share of the threads, as far
  // as there is memory for them: the same bits. Progress and stop are the calling thread's alone.
  using Finished = std::function<void(std::int64_t task, const TrainedNetwork& network)>;
  Array<TrainedNetwork> run(Span<const TrainTask> tasks, const Finished& finished = {});

  // Writes down all that is done, before something else that may be stopped.
  void save() const;

 private:
  bool known(const TrainTask& task);
  // How many of them at a time.
  std::int64_t jobs_for(Span<const TrainTask* const> tasks) const;
  // May be called by several threads at a time.
  TrainedNetwork train(const TrainTask& task, const RunSettings& run,
                       const Backend<float>& backend);
  void take(const TrainTask& task, TrainedNetwork network);
  // `taken` hears that one more is known.
  void train_side_by_side(Span<const TrainTask* const> tasks, std::int64_t jobs,
                          const std::function<void()>& taken);

  const Dataset& data_;
  const Dataset* watched_;
  const Context& context_;
  SnapshotFile snapshot_;
  std::map<std::string, TrainedNetwork> trained_;  // by key
};

}  // namespace pegnn
