#pragma once
// Whether this is a build with sanitizers: tests that count their tries take fewer there.

namespace pegnn::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace pegnn::test
