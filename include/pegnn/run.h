#pragma once
// How a computation runs, as opposed to what it computes: nothing here changes a result.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

namespace pegnn {

class Log;

// Where a training run stands.
struct TrainProgress {
  std::int64_t step = 0, steps = 0;
  // Mean over the steps since the last report; NaN where not measured.
  double loss = 0, main = 0, auxiliary = 0;
  double validation = std::numeric_limits<double>::quiet_NaN();
  // The loss on rows that are only watched, in scaled units; NaN where there are none.
  double watched = std::numeric_limits<double>::quiet_NaN();
  // The learned task deviations under uncertainty weights, else NaN.
  double sigma_main = std::numeric_limits<double>::quiet_NaN();
  double sigma_auxiliary = std::numeric_limits<double>::quiet_NaN();
  double seconds = 0;     // of training, those before an interruption included
  bool measured = false;  // this call carries new figures, not only the step
  std::string part = {};  // of networks trained in turn or side by side: "member 2 of 8"; or empty
};

struct RunSettings {
  int threads = 0;                                          // 0: all cores; changes the speed only
  Log* log = nullptr;                                       // null: silent
  std::function<void(const TrainProgress&)> progress = {};  // may be empty; by the calling thread
  std::function<bool()> stop = {};                          // the same; asked again and again
  std::filesystem::path snapshot = {};                      // empty: none is kept
  std::int64_t snapshot_every = 500;                        // steps
  bool resume = false;                                      // continue from the snapshot

  Log& logger() const;  // `log`, or one that discards everything
  bool stopped() const { return stop && stop(); }
};

}  // namespace pegnn
