#pragma once
// The training runs that make up one model, one after the other: settings that are tried out, and
// members. Together they can be interrupted and resumed like a single one.

#include <optional>
#include <string>

#include "train/fit.h"
#include "train/snapshot.h"

namespace pegnn {

class Runs {
 public:
  // With `resume` the snapshot is read: runs that were finished are not trained again.
  // Error{usage} when it belongs to other data or options, for which `fingerprint` stands, or
  // `diverged_fingerprint` where such a run failed (snapshot.h); errors of load_snapshot.
  // The context and `watched`, which may be null, are borrowed.
  Runs(const Context& context, std::string fingerprint, std::string diverged_fingerprint,
       const Dataset* watched);

  // Trains a network on split.train; rows of split.test decide when to stop. `options` are
  // resolved.
  const FinishedRun& train(const Dataset& data, const Scaler& scaler, const Options& options,
                           const Split& split, const LabelModel& labels, const std::string& part);

 private:
  const Context& context_;
  const Dataset* watched_;
  Snapshot history_;                 // what every snapshot says of the runs before its own
  std::optional<Snapshot> resumed_;  // the run that was interrupted
  Array<FinishedRun> known_;         // from the snapshot
  std::int64_t next_ = 0;
};

}  // namespace pegnn
