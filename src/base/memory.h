#pragma once
// Whether a large piece of memory can be had, asked before it is taken.

#include <string>

namespace pegnn {

// Error{memory} when `bytes` are more than can be had without swapping, where the system tells:
// better than being killed. `what` needs them: "gp on 60,000 rows"; `advice` is what helps.
void require_memory(double bytes, const std::string& what, const std::string& advice);

}  // namespace pegnn
