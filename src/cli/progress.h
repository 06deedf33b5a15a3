#pragma once
// How a long run shows itself on stderr: one line that moves on a terminal, else a line now and
// then.

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "pegnn/run.h"

namespace pegnn {

// Of networks that are trained side by side a terminal shows one, until it is done or has long said
// nothing, and the last word of each; elsewhere each has its lines.
class ProgressDisplay {
 public:
  ProgressDisplay();
  void operator()(const TrainProgress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  // One of the networks.
  struct Part {
    TrainProgress last;  // the last one with figures
    double rate = 0;     // steps per second, smoothed
    std::int64_t rate_step = 0;
    double rate_seconds = 0;
    double next_line = 0;  // seconds at which the next line is due when not on a terminal

    void update_rate(const TrainProgress& progress);
    std::string line(const TrainProgress& progress) const;
  };
  bool shown(const TrainProgress& progress);

  bool terminal_;
  int width_ = 80;
  std::map<std::string, Part> parts_;
  std::string shown_;        // on a terminal
  Clock::time_point heard_;  // of it, last
};

// Rows of a table on their way through, by how many are done.
class RowProgress {
 public:
  RowProgress();
  // `seconds` since the first row.
  void operator()(std::int64_t rows, double seconds);

 private:
  bool terminal_;
  double next_;  // seconds at which it is to show itself again
};

// Cells of a raster on their way, by how many of all are done.
class CellProgress {
 public:
  explicit CellProgress(std::int64_t cells);
  // `doing` is "predicting" or the like.
  void operator()(const char* doing, std::int64_t done);
  // What comes next starts on a line of its own.
  void end() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t cells_;
  bool terminal_, shown_ = false;
  double next_;  // seconds at which it is to show itself again
  const char* doing_ = "";
  double began_ = 0;  // seconds at which this began to be done
};

}  // namespace pegnn
