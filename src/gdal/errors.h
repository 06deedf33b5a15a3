#pragma once
// What GDAL says when something fails, for our messages.

#include <string>

namespace pegnn::gdal_module {

// From now on GDAL prints nothing: its messages are kept for the thread that met them, the first
// error since `forget_errors`.
void collect_errors();
void forget_errors();

// Whether GDAL has reported an error since then.
bool failed();
// The last warning since then; empty without one.
const std::string& warning();
// What it said, as the end of a sentence; "GDAL gives no reason" when it said nothing.
std::string reason();

}  // namespace pegnn::gdal_module
