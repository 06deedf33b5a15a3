#pragma once
// Work on rows that is put off, so that what needs only its own rows is done together.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/thread_pool.h"

namespace pegnn {

// A chain of layers runs over blocks of rows in rounds. In a round a thread takes a few rows
// through all layers that look at nothing but these rows, while they are in its cache; only where a
// layer looks at other rows, threads wait for each other. So a training step of PE-GCN with two
// layers, some thirty calls, is six rounds over rows; with the sums at the end and Adam, eight.
//
// Rows are cut into slabs and these into blocks, by their number alone (and the most slabs
// allowed). A slab is taken by one thread, block after block in order, so that it can keep sums of
// its own; they are added in the order of the slabs. Results therefore do not depend on the number
// of threads.
//
// One caller at a time. Nothing is allocated once a schedule has been as long before.
class Schedule {
 public:
  // 128 rows of 128 numbers are 64 KB, which stay in the second-level cache from one layer to the
  // next, and 2,048 rows are sixteen blocks, which two to sixteen threads share evenly.
  static constexpr std::int64_t kBlockRows = 128;
  static constexpr std::int64_t kMostSlabs = 64;

  // How many slabs may have sums of this size: all, or so few that they stay below 256 MB, but not
  // fewer than four.
  static std::int64_t slabs_for(std::int64_t bytes) {
    constexpr std::int64_t kMostBytes = std::int64_t{256} << 20;
    return std::clamp<std::int64_t>(kMostBytes / std::max<std::int64_t>(1, bytes), 4, kMostSlabs);
  }

  explicit Schedule(const ThreadPool& pool, std::int64_t most_slabs = kMostSlabs)
      : pool_(pool), most_slabs_(most_slabs) {}
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  const ThreadPool& pool() const { return pool_; }

  // Rows of a slab where there are so many rows, and the number of slabs.
  std::int64_t slab_rows(std::int64_t rows) const {
    const std::int64_t blocks = (rows + kBlockRows - 1) / kBlockRows;
    return kBlockRows * std::max<std::int64_t>(1, (blocks + most_slabs_ - 1) / most_slabs_);
  }
  std::int64_t slabs(std::int64_t rows) const {
    return (rows + slab_rows(rows) - 1) / slab_rows(rows);
  }

  // f(begin, end) for every block. Of what calls put here before have written, it reads rows
  // [begin, end) alone. It is copied, must be trivial to copy, and must not throw.
  template <class F>
  void rows(std::int64_t n, F f) {
    if (n == 0) return;
    if (rounds_.empty() || rounds_.back().rows != n) open_round(n);
    add(f);
  }

  // The same for an f that reads other rows too: all that was put here before is done first. Calls
  // after it, up to the next `gather`, must not write what it reads of other rows.
  template <class F>
  void gather(std::int64_t n, F f) {
    if (n == 0) return;
    open_round(n);
    add(f);
  }

  // f(begin, end) over parts of [0, n), when everything else is done, in any order.
  template <class F>
  void at_the_end(std::int64_t n, F f) {
    last_.push_back({call<F>, keep(f), n});
  }

  // Memory that lives until the end of `run`, with any contents, on a cache line.
  template <class T>
  T* hold(std::int64_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(hold_bytes(static_cast<std::size_t>(count) * sizeof(T)));
  }

  // Does all of it.
  void run();

  // Throws away what was put here and not run, at the end of a scope that an error may leave.
  struct Discard {
    Schedule& schedule;
    ~Discard() { schedule.clear(); }
  };

  // Memory held, once a schedule has been run.
  std::int64_t bytes() const;

 private:
  using Call = void (*)(const void* function, std::int64_t begin, std::int64_t end);
  struct Task {
    Call call;
    const void* function;
    std::int64_t size;  // of the range of a task at the end
  };
  struct Round {
    std::int64_t rows;
    std::size_t first;  // of its tasks; they reach up to the next round's
  };

  template <class F>
  static void call(const void* function, std::int64_t begin, std::int64_t end) {
    (*static_cast<const F*>(function))(begin, end);
  }
  template <class F>
  const void* keep(const F& f) {
    static_assert(std::is_trivially_copyable_v<F> && alignof(F) <= kAlignment);
    return std::construct_at(hold<F>(1), f);
  }
  template <class F>
  void add(const F& f) {
    tasks_.push_back({call<F>, keep(f), 0});
  }
  void open_round(std::int64_t n) { rounds_.push_back({n, tasks_.size()}); }
  void* hold_bytes(std::size_t bytes);
  void clear() noexcept;
  void run_round(const Round& round, std::size_t last);
  void run_last();

  const ThreadPool& pool_;
  std::int64_t most_slabs_;
  std::vector<Task> tasks_, last_;
  std::vector<Round> rounds_;
  std::vector<AlignedBuffer<std::byte>> memory_;  // pieces, until one is large enough
  std::size_t used_ = 0;                          // of the last piece
};

}  // namespace pegnn
