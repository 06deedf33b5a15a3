#pragma once
// What a computation may use: made once from RunSettings where the library is entered, and passed
// down by reference.

#include "base/thread_pool.h"
#include "compute/backend.h"
#include "pegnn/log.h"
#include "pegnn/run.h"

namespace pegnn {

// Starts the threads. The log of the settings is borrowed.
struct Context {
  explicit Context(const RunSettings& settings)
      : run(settings), log(run.logger()), pool(run.threads), backend(best_backend<float>(pool)) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const RunSettings run;  // progress, stop and snapshots
  Log& log;
  const ThreadPool pool;
  const Backend<float> backend;  // on that pool
};

}  // namespace pegnn
