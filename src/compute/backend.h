#pragma once
// What arithmetic runs on: memory, the kernels that work on it, and the queue that they are put on.

#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/schedule.h"
#include "base/thread_pool.h"
#include "kernels/kernels.h"

namespace pegnn {

// Numbers that kernels read and write, given out by a backend.
template <class T>
using Buffer = AlignedBuffer<T>;

// The host's: kernels, and threads that do what is put on a queue. A value that is copied freely;
// it borrows the pool, which must outlive all copies. Why it is no more: docs/decisions/0035.
template <class T>
struct Backend {
  const Kernels<T>& kernels;
  const ThreadPool& pool;

  // Memory for so many numbers, zero.
  Buffer<T> buffer(std::int64_t size) const { return Buffer<T>(size); }
  // Makes a buffer at least as large; if it was smaller, its contents become zero.
  void grow(Buffer<T>& buffer, std::int64_t size) const {
    if (buffer.size() < size) buffer.resize(size);
  }

  // A queue for one network at work, whose gradients take so many bytes: each slab of rows has sums
  // of its own.
  Schedule queue(std::int64_t gradient_bytes = 0) const {
    return Schedule(pool, Schedule::slabs_for(gradient_bytes));
  }
};

// The fastest one of this build on these threads.
template <class T>
Backend<T> best_backend(const ThreadPool& pool) {
  return {best_kernels<T>(), pool};
}

}  // namespace pegnn
