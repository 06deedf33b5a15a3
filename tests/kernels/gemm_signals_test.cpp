// A signal that arrives inside a product must find a stack to run its handler on.

#if defined(__x86_64__) && defined(__linux__)

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/time.h>
#include <ucontext.h>

#include "kernels/cpu/gemm.h"

namespace pegnn {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool kThreadSanitizer = false;
#endif

std::uintptr_t stack_low = 0, stack_high = 0;
std::atomic<int> ticks{0}, off_stack{0};

void on_tick(int, siginfo_t*, void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pointer = static_cast<std::uintptr_t>(registers[REG_RSP]);
  ++ticks;
  if (pointer < stack_low || pointer >= stack_high) ++off_stack;
}

void find_stack() {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  void* low = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  stack_low = reinterpret_cast<std::uintptr_t>(low);
  stack_high = stack_low + size;
}

// A timer that ticks every 100 us on a stack of its own, so that a wrong stack pointer is counted
// here and does no harm.
class Ticking {
 public:
  Ticking() : stack_(1 << 16) {
    const stack_t own{.ss_sp = stack_.data(), .ss_flags = 0, .ss_size = stack_.size()};
    sigaltstack(&own, &stack_before_);
    struct sigaction action {};
    action.sa_sigaction = on_tick;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(SIGALRM, &action, &action_before_);
    const itimerval often{.it_interval = {0, 100}, .it_value = {0, 100}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~Ticking() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &action_before_, nullptr);
    sigaltstack(&stack_before_, nullptr);
  }

 private:
  std::vector<char> stack_;
  stack_t stack_before_{};
  struct sigaction action_before_ {};
};

TEST(GemmUnderSignals, LeavesTheStackPointerOnTheStack) {
  if (kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer delivers signals when it sees fit";
  find_stack();
  constexpr std::int64_t kRows = 48, kInner = 128, kColumns = 64;
  const std::vector<float> left(kRows * kInner, 0.5F), right(kInner * kColumns, 0.25F);
  std::vector<float> product(kRows * kColumns);
  ticks = off_stack = 0;
  {
    const Ticking ticking;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (std::chrono::steady_clock::now() < end) {
      // With sums of 128 terms or more, oneDNN before 3.12 leaves the stack.
      cpu::gemm(false, false, {left.data(), kRows, kInner}, {right.data(), kInner, kColumns},
                {product.data(), kRows, kColumns}, false);
    }
  }
  EXPECT_GT(ticks, 100);
  EXPECT_EQ(off_stack, 0);
  EXPECT_FLOAT_EQ(product[0], kInner * 0.125F);
}

}  // namespace
}  // namespace pegnn

#endif
