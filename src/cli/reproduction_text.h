#pragma once
// What `pegnn reproduce` prints and writes of its findings.

#include <string>

#include "paper/reproduction.h"

namespace pegnn {

// The tables for a terminal: ours, published, and the difference in per cent.
std::string reproduction_text(const Reproduction& found);

// Everything found, for other programs.
std::string reproduction_json(const Reproduction& found, const std::string& command_line);

}  // namespace pegnn
