// What the address sanitizer is told in every target. A short memory of freed blocks and of callers
// makes a target of small inputs several times as fast.

extern "C" const char* __asan_default_options();  // NOLINT: the sanitizer's name for it
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=8:malloc_context_size=8:detect_stack_use_after_return=0";
}
