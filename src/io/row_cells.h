#pragma once
// The cells of one row of a delimited file, from the text that a table keeps of it.

#include <string>
#include <string_view>
#include <vector>

namespace pegnn {

// Without quotes and surrounding spaces. `row` has been read without error: its quotes are closed.
// `cells` is filled anew; what it holds is used again.
void split_row(std::string_view row, char delimiter, std::vector<std::string>& cells);

}  // namespace pegnn
