#pragma once
// What `pegnn reproduce` prints of its findings.

#include <string>

#include "paper/reproduction.h"

namespace pegnn {

// The tables for a terminal: ours, published, and the difference in per cent.
std::string reproduction_text(const Reproduction& found);

}  // namespace pegnn
