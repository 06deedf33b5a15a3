#pragma once
// Independent tasks on threads of their own, while the calling thread speaks with the outside.

#include <cstdint>
#include <functional>

#include "pegnn/run.h"

namespace pegnn {

// Tasks 0, 1, ..., `tasks` - 1, begun in this order, at most `jobs` at a time.
struct SideBySide {
  std::int64_t tasks = 0, jobs = 1;
  // Does one of them, on a thread of its own. `own` has its share of the threads, tells how far it
  // is, and says when to stop; it has no log.
  std::function<void(std::int64_t task, const RunSettings& own)> work;
  // Hears that one is done; in the order of tasks, so perhaps later than it is.
  std::function<void(std::int64_t task)> finished;
};

// Does them. `run.progress`, `run.stop` and `finished` are called by the calling thread alone, all
// that a task told before it was done is passed on before `finished`.
//
// Where `run.stop` says so, all are told to stop and none is begun; false when they then end
// without an error, else true. A task that throws ends those behind it, whose `own.stop` throws;
// those before it go on, as one of them may throw as well: out comes the error of the first in
// order, as if they had been done one after the other. What `run.progress` and the like throw ends
// all of them and comes out.
bool run_side_by_side(const SideBySide& what, const RunSettings& run);

// Threads of `task` where `threads` are shared: all alike, but those that are left when the others
// are done share them among themselves.
int share_of_threads(int threads, std::int64_t task, std::int64_t tasks, std::int64_t jobs);

}  // namespace pegnn
