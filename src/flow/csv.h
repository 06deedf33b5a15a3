#pragma once
// Fields to be added to the rows of a table, written as its file is.

#include <string>
#include <string_view>

#include "pegnn/table.h"

namespace pegnn {

// A column name, in quotes where the file needs them.
std::string csv_name(const Table& table, std::string_view name);

// `digits` significant digits with the file's decimal mark; empty for NaN.
std::string csv_number(const Table& table, double value, int digits);
// The same at the end of `text`, for many.
void append_csv_number(const Table& table, double value, int digits, std::string& text);

}  // namespace pegnn
