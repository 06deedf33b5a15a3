// Operators for the memory of every test program; they only count.

#include "support/allocations.h"

#ifdef PEGNN_COUNTS_ALLOCATIONS

#include <cstdlib>
#include <new>

std::atomic<long> pegnn::test::allocations{0};
std::atomic<long long> pegnn::test::allocated_bytes{0};

namespace {

void* counted(void* memory, std::size_t size) {
  ++pegnn::test::allocations;
  pegnn::test::allocated_bytes += static_cast<long long>(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

#include "support/counted_new.inc"

#endif
