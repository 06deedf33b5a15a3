#pragma once
// Signals kept waiting on threads that are not to handle them.

namespace pegnn {

// Blocks signals on this thread for its lifetime; those that come are delivered at its end, or to a
// thread that does not hold them. The pool's workers and the thread that reads ahead for `pegnn
// predict` do, so that signals are handled by their caller. A new thread holds what its maker held:
// take one while it is made. Inside another one it costs nothing, else two system calls (0.4 us).
// Faults of the thread itself (SIGSEGV, SIGFPE, ...) are not held.
class HeldSignals {
 public:
  HeldSignals() noexcept;
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();
};

}  // namespace pegnn
