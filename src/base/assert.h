#pragma once
// PEGNN_ASSERT for what cannot happen: a bug of ours, never of the user. Kept in every build.

namespace pegnn {

[[noreturn]] void assertion_failed(const char* condition, const char* reason, const char* file,
                                   int line) noexcept;

}  // namespace pegnn

#define PEGNN_ASSERT(condition, reason) \
  ((condition) ? (void)0 : ::pegnn::assertion_failed(#condition, reason, __FILE__, __LINE__))
