#pragma once
// The style sheet of the report.

#include <string>

namespace pegnn {

std::string style_sheet();

}  // namespace pegnn
