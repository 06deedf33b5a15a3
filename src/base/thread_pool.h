#pragma once
// Threads for blocks of work.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace pegnn {

// Runs independent blocks on a fixed number of threads. Blocks are cut by the caller and do not
// depend on the number of threads, so results do not either. Calls are never nested: a call from
// inside a block runs its blocks on the calling thread, in order; so does a call while another
// thread uses the pool. Threads without work spin for a moment, then sleep, so that a machine busy
// with other things is not held up (docs/decisions/0011).
class ThreadPool {
 public:
  // 0: all cores this process may use. The calling thread is one of them.
  explicit ThreadPool(int threads = 1);
  ThreadPool(ThreadPool&&) noexcept;
  ThreadPool& operator=(ThreadPool&&) noexcept;
  ~ThreadPool();

  int threads() const { return threads_; }

  // Calls f(b) once for every b in [0, blocks), in any order. If blocks throw, the exception of the
  // lowest of them is rethrown; other blocks may or may not have been called.
  template <class F>
  void for_each(std::int64_t blocks, F&& f) const {
    using Function = std::remove_reference_t<F>;
    run(blocks, &call<Function>, const_cast<void*>(static_cast<const void*>(std::addressof(f))));
  }

  // Cuts [0, n) into blocks of `block` rows, the last one shorter, and calls f(begin, end).
  template <class F>
  void for_blocks(std::int64_t n, std::int64_t block, F&& f) const {
    for_each((n + block - 1) / block,
             [&](std::int64_t b) { f(b * block, std::min(n, (b + 1) * block)); });
  }

  // A background task: done beside the calls that follow, by a thread that they then do without.
  // With one thread, or where all are busy, `wait` does it. Where it calls this pool it runs on its
  // thread alone, or, done by `wait`, on all. One at a time for each pool, which must outlive it.
  class BackgroundTask {
   public:
    explicit BackgroundTask(const ThreadPool& pool) : pool_(pool) {}
    BackgroundTask(const BackgroundTask&) = delete;
    BackgroundTask& operator=(const BackgroundTask&) = delete;
    // Without `wait`, what nobody has begun is not done; what was begun is waited for, and its
    // error is lost.
    ~BackgroundTask();

    // f() is called once; `f` must live until `wait`.
    template <class F>
    void start(F& f) {
      start([](void* function, std::int64_t) { (*static_cast<F*>(function))(); },
            const_cast<void*>(static_cast<const void*>(std::addressof(f))));
    }
    // Returns when it is done, or at once when nothing was started. Rethrows its error.
    void wait();

   private:
    friend class ThreadPool;
    void start(void (*invoke)(void*, std::int64_t), void* function);

    const ThreadPool& pool_;
    void (*invoke_)(void*, std::int64_t) = nullptr;
    void* function_ = nullptr;
    bool started_ = false;
  };

 private:
  using Call = void (*)(void* function, std::int64_t block);
  class Team;

  template <class Function>
  static void call(void* function, std::int64_t block) {
    (*static_cast<Function*>(function))(block);
  }

  void run(std::int64_t blocks, Call invoke, void* function) const;

  int threads_;
  std::unique_ptr<Team> team_;  // null for one thread
};

// Cores this process may run on.
int available_cores() noexcept;

}  // namespace pegnn
