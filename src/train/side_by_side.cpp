#include "train/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/array.h"
#include "base/held_signals.h"
#include "base/thread_pool.h"

namespace pegnn {
namespace {

// How often the caller asks whether to stop while no task has anything to say.
constexpr auto kAskEvery = std::chrono::milliseconds(10);

// Ends a task behind one that has failed.
struct BrokenOff {};

// What ends a task asks for no memory, of which there may be none left.
class Crew {
 public:
  Crew(const SideBySide& what, const RunSettings& run)
      : what_(what),
        run_(run),
        threads_(run.threads > 0 ? run.threads : available_cores()),
        failed_(what.tasks),
        done_(what.tasks, 0),
        errors_(what.tasks) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    for (std::thread& worker : workers_) worker.join();
  }

  // False when the system grants no thread at all.
  bool start() {
    const HeldSignals held;  // signals are the caller's business
    const std::lock_guard lock(mutex_);
    try {
      workers_.reserve(static_cast<std::size_t>(what_.jobs));
      while (std::ssize(workers_) < what_.jobs) {
        workers_.emplace_back([this] { work(); });
        ++running_;
      }
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    return running_ > 0;
  }

  // Until all have ended: passes on what they say, and asks whether to stop.
  bool listen() {
    std::unique_lock lock(mutex_);
    for (bool all_ended = false; !all_ended;) {
      if (said_.empty() && running_ > 0) {
        run_.stop ? static_cast<void>(spoken_.wait_for(lock, kAskEvery)) : spoken_.wait(lock);
      }
      all_ended = running_ == 0;
      const std::vector<TrainProgress> heard = std::exchange(said_, {});
      std::int64_t done = told_;  // all before are
      while (done < what_.tasks && done_[done] != 0) ++done;
      lock.unlock();
      pass_on(heard, done);
      lock.lock();
    }
    if (own_error_) std::rethrow_exception(own_error_);
    if (failed_ < what_.tasks) std::rethrow_exception(errors_[failed_.load()]);
    return !stopping_;
  }

 private:
  void work() noexcept {
    const HeldSignals held;
    for (std::int64_t task; (task = next()) < what_.tasks;) {
      try {
        what_.work(task, settings_of(task));
        end(task, nullptr);
      } catch (...) {
        end(task, std::current_exception());
      }
    }
    const std::lock_guard lock(mutex_);
    --running_;
    spoken_.notify_one();
  }

  // The next task to begin, or the number of all when there is none.
  std::int64_t next() {
    const std::lock_guard lock(mutex_);
    return stopping_ || failed_ < what_.tasks ? what_.tasks : std::min(next_++, what_.tasks);
  }

  RunSettings settings_of(std::int64_t task) {
    RunSettings own = run_;
    own.threads = share_of_threads(threads_, task, what_.tasks, what_.jobs);
    own.log = nullptr;
    if (run_.progress) {
      own.progress = [this](const TrainProgress& p) { say(p); };
    }
    own.stop = [this, task] {
      if (stopping_) return true;  // asked first: who is stopped keeps what it has
      if (task > failed_) throw BrokenOff();
      return false;
    };
    return own;
  }

  void say(const TrainProgress& progress) {
    const std::lock_guard lock(mutex_);
    // A step without figures need not wait for a caller who is busy.
    if (!progress.measured && !said_.empty()) return;
    said_.push_back(progress);
    spoken_.notify_one();
  }

  void end(std::int64_t task, std::exception_ptr error) noexcept {
    const std::lock_guard lock(mutex_);
    if (error) {
      failed_ = std::min(failed_.load(), task);
      errors_[task] = std::move(error);
    } else {
      done_[task] = 1;
    }
    spoken_.notify_one();
  }

  // `done`: so many tasks are, from the first on.
  void pass_on(const std::vector<TrainProgress>& heard, std::int64_t done) {
    if (own_error_) return;
    try {
      for (const TrainProgress& progress : heard) run_.progress(progress);
      while (told_ < done) what_.finished(told_++);
      if (!stopping_ && run_.stopped()) stopping_ = true;
    } catch (...) {
      own_error_ = std::current_exception();
      const std::lock_guard lock(mutex_);
      failed_ = -1;
    }
  }

  const SideBySide& what_;
  const RunSettings& run_;
  const int threads_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::int64_t> failed_;  // the first that has: those behind it end; -1: all do
  std::mutex mutex_;                  // of what follows
  std::condition_variable spoken_;
  std::vector<TrainProgress> said_;
  Array<char> done_;
  Array<std::exception_ptr> errors_;
  std::int64_t next_ = 0;
  std::int64_t running_ = 0;  // threads
  // The caller's own.
  std::int64_t told_ = 0;  // of so many tasks that they are done
  std::exception_ptr own_error_;
  std::vector<std::thread> workers_;
};

}  // namespace

int share_of_threads(int threads, std::int64_t task, std::int64_t tasks, std::int64_t jobs) {
  const std::int64_t last = tasks % jobs;  // so many are done beside each other at the end
  const bool at_the_end = task >= tasks - last;
  const std::int64_t beside = at_the_end ? last : jobs;
  const std::int64_t place = at_the_end ? task - (tasks - last) : task % jobs;
  const std::int64_t share = threads / beside + (place < threads % beside ? 1 : 0);
  return static_cast<int>(std::max<std::int64_t>(1, share));
}

bool run_side_by_side(const SideBySide& what, const RunSettings& run) {
  Crew crew(what, run);
  if (crew.start()) return crew.listen();
  for (std::int64_t task = 0; task < what.tasks; ++task) {
    what.work(task, run);
    what.finished(task);
  }
  return true;
}

}  // namespace pegnn
