#pragma once
// Whether this is a build with sanitizers: tests that count their tries take fewer there.

namespace pegnn::test {

#ifdef PEGNN_SANITIZED  // by tests/CMakeLists.txt
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace pegnn::test
