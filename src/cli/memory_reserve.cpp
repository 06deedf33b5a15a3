#include "cli/memory_reserve.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

#include <cxxabi.h>
#include <unistd.h>

#include "cli/talk.h"
#include "pegnn/error.h"

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

// An exception that may not leave where it was thrown.
[[noreturn]] void end_at_once() {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  if (thrown != nullptr && *thrown == typeid(std::bad_alloc)) {
    talk(kNotEnoughMemory, "pegnn: ");
    ::_exit(static_cast<int>(ErrorKind::memory));
  }
  std::abort();
}

}  // namespace

void keep_memory_reserve() {
  reserve = std::malloc(kReserve);
  std::set_new_handler(open_reserve);
  std::set_terminate(end_at_once);
}

}  // namespace pegnn
