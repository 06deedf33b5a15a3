#pragma once
// What arithmetic runs on: a table of kernels and the threads that they are given.

#include "base/thread_pool.h"
#include "kernels/kernels.h"

namespace pegnn {

// A value that is copied freely; it borrows the pool, which must outlive all copies.
template <class T>
struct Backend {
  const Kernels<T>& kernels;
  const ThreadPool& pool;
};

// The fastest one of this build on these threads.
template <class T>
Backend<T> best_backend(const ThreadPool& pool) {
  return {best_kernels<T>(), pool};
}

}  // namespace pegnn
