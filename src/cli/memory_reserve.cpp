#include "cli/memory_reserve.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace pegnn {
namespace {

// More than the cleaning up of any command takes.
constexpr std::size_t kReserve = 1 << 20;

std::atomic<void*> reserve{nullptr};

void open_reserve() {
  void* const kept = reserve.exchange(nullptr);
  if (kept == nullptr) throw std::bad_alloc();
  std::free(kept);
}

}  // namespace

void keep_memory_reserve() {
  reserve = std::malloc(kReserve);
  std::set_new_handler(open_reserve);
}

}  // namespace pegnn
