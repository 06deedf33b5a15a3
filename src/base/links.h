#pragma once
// Symbolic links in the place of a file that is to be written.

#include <filesystem>

namespace pegnn {

// What `file` leads to, whether or not that is there; `file` itself when it is no link.
// Error{resource} when links lead in a circle. A file that replaces what a link leads to leaves the
// link as it is.
std::filesystem::path behind_links(std::filesystem::path file);

}  // namespace pegnn
