#pragma once
// Memory kept back for the moment when there is none.

namespace pegnn {

// From here on a request for memory that cannot be met is met from a reserve, once; after that it
// throws std::bad_alloc as ever. What is then cleaned up may need some: destructors of other
// people's containers ask for memory (nlohmann's JSON does), and end the process where they get
// none.
void keep_memory_reserve();

}  // namespace pegnn
