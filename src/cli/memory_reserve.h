#pragma once
// Memory kept back for the moment when there is none, and what happens when that is gone too.

namespace pegnn {

inline constexpr const char* kNotEnoughMemory =
    "not enough memory; fewer rows, a smaller --batch or a machine with more will do";

// From here on a request for memory that cannot be met is met from a reserve, once; after that it
// throws std::bad_alloc as ever. What is then cleaned up may need some: destructors of other
// people's containers ask for memory (nlohmann's JSON does). Where they get none the process ends
// at once, with the message and the exit code of exhausted memory; only temporaries are then left,
// for the next run to take away.
void keep_memory_reserve();

}  // namespace pegnn
