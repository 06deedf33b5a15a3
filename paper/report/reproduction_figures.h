#pragma once
// The figures of the paper, drawn from our runs: maps and test errors, spread over training runs,
// sensitivity to k and batch size, weights learned from uncertainty. Each gives a section of the
// page; nothing when it holds nothing to draw.

#include <string>

#include "paper/reproduction.h"

namespace pegnn {

std::string figure2_html(const Figure2& figure);
std::string figure3_html(const Figure3& figure);
std::string figure4_html(const Figure4& figure);
std::string figure5_html(const Figure5& figure);

}  // namespace pegnn
