#pragma once
// Numbers below the normal range count as zero while this object lives, on its thread.

namespace pegnn {

// Arithmetic on subnormal numbers takes some hundred cycles on many processors, and networks make
// them in plenty: shares of an attention that has settled on one neighbour, moments of weights
// whose gradients have died out. Every thread that takes part in a computation must have one, or
// none: else results depend on who computed them. Elsewhere than on x86 it does nothing.
class FlushSubnormals {
 public:
#if defined(__SSE__)
  FlushSubnormals() : before_(__builtin_ia32_stmxcsr()) {
    __builtin_ia32_ldmxcsr(before_ | kFlushToZero | kTakeAsZero);
  }
  ~FlushSubnormals() { __builtin_ia32_ldmxcsr(before_); }
#else
  FlushSubnormals() = default;
#endif
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
#if defined(__SSE__)
  static constexpr unsigned kFlushToZero = 0x8000, kTakeAsZero = 0x0040;  // of the MXCSR register
  unsigned before_;
#endif
};

}  // namespace pegnn
