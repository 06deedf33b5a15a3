#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace pegnn {

void assertion_failed(const char* condition, const char* reason, const char* file,
                      int line) noexcept {
  std::fprintf(stderr, "pegnn: internal error at %s:%d: %s (%s); please report this\n", file, line,
               reason, condition);
  std::abort();
}

}  // namespace pegnn
