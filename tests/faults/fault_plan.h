#pragma once
// What the preload library is told to do, and what it tells of it.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace pegnn::torture {

enum class Kind : std::uint8_t {
  none,         // counts only
  allocation,   // the n-th request for memory is refused
  write,        // the n-th call that writes fails: no space left, or an error of the device
  short_write,  // the n-th write takes half of the bytes, as it may
  signal,       // the n-th call that writes is interrupted by a signal (EINTR)
  kill,         // the process is killed before the n-th call that writes
  torn          // the n-th write puts half of the bytes down, then the process is killed
};

// One page of a file, shared with whoever started the process: it survives any end. The layout is
// read by tests/faults/preload.py.
struct Report {
  std::atomic<std::int64_t> allocations;  // counted so far
  std::atomic<std::int64_t> writes;
  std::atomic<std::int64_t> fired;  // faults handed out
  char call[64];                    // the first one that was: "fsync"
  char target[448];                 // the file, or the size of the memory
  char module[256];   // whose code asked, the innermost that is not the C or C++ library
  char places[1024];  // where in it, and who called that: "MODULE ADDRESS" per line
};

// True when this call is to fail. `call` and `target` go into the report.
bool allocation_fails(std::size_t size, const void* caller) noexcept;
// Where all requests from the n-th on are to fail, memory is exhausted, not gone: what is given
// back from then on can be had again, which is what a program cleans up with.
void note_released(std::size_t size) noexcept;
bool released_serves(std::size_t size) noexcept;
// The fault for this call, `none` for most.
Kind write_fault(const char* call, int descriptor, const char* path) noexcept;

}  // namespace pegnn::torture

// Switches for programs that are tortured in parts (Python): counting stops and starts, and the
// next fault is set anew, with all counts at 0.
extern "C" {
void pegnn_torture_arm(int armed);
void pegnn_torture_plan(const char* plan);
std::int64_t pegnn_torture_fired();
}
