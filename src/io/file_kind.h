#pragma once
// Files that are plainly something other than a table of text, known by how they begin.

#include <optional>
#include <string>
#include <string_view>

namespace pegnn {

// What the file is and what to do about it ("a ZIP archive or spreadsheet; ..."); nothing when
// `first`, its first bytes, may begin a table.
std::optional<std::string> other_kind(std::string_view first);

}  // namespace pegnn
