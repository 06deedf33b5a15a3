#pragma once
// The version of the library.

namespace pegnn {

// Semantic version of the library, the command, the Python module and the model format's writer.
const char* version();

}  // namespace pegnn
