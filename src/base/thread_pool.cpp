#include "base/thread_pool.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sched.h>

#include "base/assert.h"
#include "base/held_signals.h"

namespace pegnn {
namespace {

// True on a thread that is running a block: calls from there stay on it.
thread_local bool inside_block = false;

// More than machines have cores, and far fewer than the count of those in a round has room for.
constexpr int kMostThreads = 1024;

// How long a thread looks for new work before it sleeps. The calls of one training step follow each
// other within a few microseconds, and waking a sleeper takes about 50.
constexpr auto kSpin = std::chrono::microseconds(50);

void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Waits until `value` is no longer `old`: spinning first, then asleep.
template <class T>
void wait_while(const std::atomic<T>& value, T old) noexcept {
  const auto until = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 32; ++i) {
      if (value.load(std::memory_order_acquire) != old) return;
      pause();
    }
  } while (std::chrono::steady_clock::now() < until);
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

// The threads beside the caller's. A call opens a round; workers that are awake join it, and the
// caller, when no block is left, closes it and waits only for those that joined. A worker that the
// machine has no time for is not waited for: the caller does its share.
class ThreadPool::Team {
 public:
  // Where the system grants fewer threads than asked for, those it grants do the work.
  explicit Team(int workers) {
    workers_.reserve(static_cast<std::size_t>(workers));
    const HeldSignals held;  // a worker is born with them held, not a moment later
    try {
      while (workers-- > 0) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {  // those that run must not be left to run
    }
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    invoke_ = nullptr;  // a round without work: the end
    open_round();
    for (std::thread& worker : workers_) worker.join();
  }

  // Leaves something for the next worker that is awake.
  void leave(Call invoke, void* function) {
    PEGNN_ASSERT(background_.load(std::memory_order_relaxed) == kNothing,
                 "one BackgroundTask for each pool");
    background_invoke_ = invoke;
    background_function_ = function;
    background_.store(kLeft, std::memory_order_release);
  }

  // True when a worker has done what was left, false when none had begun: it is the caller's again.
  bool collect() {
    std::uint32_t left = kLeft;
    if (background_.compare_exchange_strong(left, kNothing, std::memory_order_acq_rel))
      return false;
    wait_while(background_, static_cast<std::uint32_t>(kBegun));
    background_.store(kNothing, std::memory_order_relaxed);
    if (background_error_) std::rethrow_exception(std::exchange(background_error_, nullptr));
    return true;
  }

  // False when another thread is using the team.
  bool run(std::int64_t blocks, Call invoke, void* function) {
    const std::unique_lock lock(in_use_, std::try_to_lock);
    if (!lock.owns_lock()) return false;
    invoke_ = invoke;
    function_ = function;
    blocks_ = blocks;
    next_.store(0, std::memory_order_relaxed);
    error_block_ = std::numeric_limits<std::int64_t>::max();
    open_round();
    take_blocks();
    state_.fetch_and(~kOpen, std::memory_order_acq_rel);
    for (;;) {
      const std::uint32_t left = left_.load(std::memory_order_acquire);
      if ((state_.load(std::memory_order_acquire) & kJoined) == 0) break;
      wait_while(left_, left);
    }
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return true;
  }

 private:
  // One word, so that a worker joins a round only while it is open: how many have joined, whether
  // it is open, and its number.
  static constexpr std::uint64_t kJoined = 0xFFFF, kOpen = 1 << 16;
  static constexpr int kNumberShift = 17;
  static_assert(kMostThreads <= kJoined);

  void open_round() {
    const std::uint64_t number = (state_.load(std::memory_order_relaxed) >> kNumberShift) + 1;
    state_.store((number << kNumberShift) | kOpen, std::memory_order_release);
    state_.notify_all();
  }

  void work() noexcept {
    const HeldSignals held;           // signals are the caller's business
    for (std::uint64_t done = 0;;) {  // number of the last round this worker took part in
      take_background();
      std::uint64_t state = state_.load(std::memory_order_acquire);
      if ((state & kOpen) == 0 || state >> kNumberShift == done) {
        wait_while(state_, state);
        continue;
      }
      if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) continue;
      if (invoke_ == nullptr) return;
      done = state >> kNumberShift;
      take_blocks();
      state_.fetch_sub(1, std::memory_order_acq_rel);
      left_.fetch_add(1, std::memory_order_release);
      left_.notify_one();
    }
  }

  void take_background() noexcept {
    std::uint32_t left = kLeft;
    if (background_.load(std::memory_order_relaxed) != kLeft ||
        !background_.compare_exchange_strong(left, kBegun, std::memory_order_acq_rel)) {
      return;
    }
    inside_block = true;
    try {
      background_invoke_(background_function_, 0);
    } catch (...) {
      background_error_ = std::current_exception();
    }
    inside_block = false;
    background_.store(kDone, std::memory_order_release);
    background_.notify_one();
  }

  void take_blocks() noexcept {
    inside_block = true;
    for (std::int64_t b; (b = next_.fetch_add(1, std::memory_order_relaxed)) < blocks_;) {
      try {
        invoke_(function_, b);
      } catch (...) {
        const std::lock_guard lock(error_mutex_);
        if (b < error_block_) {
          error_block_ = b;
          error_ = std::current_exception();
        }
      }
    }
    inside_block = false;
  }

  std::vector<std::thread> workers_;
  std::mutex in_use_, error_mutex_;
  // Written by the caller while no worker is in a round, read by all during it.
  Call invoke_ = nullptr;
  void* function_ = nullptr;
  std::int64_t blocks_ = 0;
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::uint64_t> state_{0};
  std::atomic<std::uint32_t> left_{0};  // raised whenever a worker leaves a round
  std::exception_ptr error_;
  std::int64_t error_block_ = 0;
  // What was left to be done beside the rounds.
  static constexpr std::uint32_t kNothing = 0, kLeft = 1, kBegun = 2, kDone = 3;
  std::atomic<std::uint32_t> background_{kNothing};
  Call background_invoke_ = nullptr;
  void* background_function_ = nullptr;
  std::exception_ptr background_error_;
};

int available_cores() noexcept {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    return std::max(1, CPU_COUNT(&allowed));
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads)
    : threads_(std::min(threads > 0 ? threads : available_cores(), kMostThreads)),
      team_(threads_ > 1 ? std::make_unique<Team>(threads_ - 1) : nullptr) {}

ThreadPool::ThreadPool(ThreadPool&&) noexcept = default;
ThreadPool& ThreadPool::operator=(ThreadPool&&) noexcept = default;
ThreadPool::~ThreadPool() = default;

void ThreadPool::run(std::int64_t blocks, Call invoke, void* function) const {
  const bool alone = !team_ || blocks <= 1 || inside_block;
  if (!alone && team_->run(blocks, invoke, function)) return;
  for (std::int64_t b = 0; b < blocks; ++b) invoke(function, b);
}

void ThreadPool::BackgroundTask::start(Call invoke, void* function) {
  PEGNN_ASSERT(!started_, "one thing at a time");
  invoke_ = invoke;
  function_ = function;
  started_ = true;
  if (pool_.team_) pool_.team_->leave(invoke, function);
}

void ThreadPool::BackgroundTask::wait() {
  if (!std::exchange(started_, false)) return;
  if (!pool_.team_ || !pool_.team_->collect()) invoke_(function_, 0);
}

ThreadPool::BackgroundTask::~BackgroundTask() {
  if (!started_ || !pool_.team_) return;
  try {
    pool_.team_->collect();
  } catch (...) {  // who wants to hear of it calls wait
  }
}

}  // namespace pegnn
