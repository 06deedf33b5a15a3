#pragma once
// The page of a reproduction: the paper's tables and figures with our numbers beside them.

#include <string>

#include "paper/reproduction.h"

namespace pegnn {

// One self-contained HTML page. What `found` does not hold has no place on it; numbers missing from
// a table are a dash with the reason below. `command_line` is the line that repeats it; empty: left
// out.
std::string reproduction_page(const Reproduction& found, const std::string& command_line);

}  // namespace pegnn
