#pragma once
// The findings of `pegnn reproduce` for other programs.

#include <string>

#include "paper/reproduction.h"

namespace pegnn {

// Everything found; figures that are not there are null.
std::string reproduction_json(const Reproduction& found, const std::string& command_line);

}  // namespace pegnn
