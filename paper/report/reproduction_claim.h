#pragma once
// What the tables say of the paper's claim: the positional encoder lowers the error.

#include <string>

#include "paper/reproduction.h"

namespace pegnn {

// How many times lower the error is with the positional encoder than without, ours and published,
// by backbone and data set: a panel; nothing when we have no backbone with both.
std::string claim_html(const PaperTable& table);

}  // namespace pegnn
