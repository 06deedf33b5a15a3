#pragma once
// Signals kept waiting while code runs that no signal handler may interrupt.

namespace pegnn {

// Blocks signals on this thread for its lifetime; those that come are delivered at its end. Inside
// another one it costs nothing, else two system calls (0.4 us): hold them around a whole step
// rather than around each of its products. Faults of the thread itself (SIGSEGV, SIGFPE, ...) are
// not held.
class HeldSignals {
 public:
  HeldSignals() noexcept;
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();
};

}  // namespace pegnn
