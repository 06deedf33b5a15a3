#pragma once
// How often the test program has asked for memory, and for how much of it, counted by the operators
// in allocations.cpp. Not there under the sanitizers, which bring operators of their own.

#ifndef PEGNN_SANITIZED  // by tests/CMakeLists.txt
#define PEGNN_COUNTS_ALLOCATIONS

#include <atomic>

namespace pegnn::test {

extern std::atomic<long> allocations;
extern std::atomic<long long> allocated_bytes;

}  // namespace pegnn::test

#endif
