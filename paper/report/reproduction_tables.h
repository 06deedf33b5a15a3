#pragma once
// The tables of the paper with our numbers beside the published ones.

#include <string>

#include "paper/reproduction.h"

namespace pegnn {

// The whole table, why numbers are missing, and a chart for each data set, as a section of the page
// with the address `id`; nothing for a table without rows or columns.
std::string paper_table_html(const PaperTable& table, const std::string& id);

}  // namespace pegnn
