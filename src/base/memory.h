#pragma once
// Whether a large piece of memory can be had, asked before it is taken.

#include <string>

namespace pegnn {

// Bytes that can be had without swapping: what the machine has, what the container may take, what
// `ulimit -v` leaves, whichever is least. Infinite where the system tells nothing.
double free_memory();

// Error{memory} when `bytes` are more than can be had without swapping, where the system tells:
// better than being killed. `what` needs them: "gp on 60,000 rows"; `advice` is what helps.
void require_memory(double bytes, const std::string& what, const std::string& advice);

}  // namespace pegnn
