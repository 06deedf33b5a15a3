#pragma once
// What GDAL says when something fails, for our messages.

#include <string>

namespace pegnn::gdal_module {

// From now on GDAL prints nothing: its messages are kept, the first error since `forget_errors`.
void collect_errors();
void forget_errors();

// Whether GDAL has reported an error since then.
bool failed();
// What it said, as the end of a sentence; "GDAL gives no reason" when it said nothing.
std::string reason();

}  // namespace pegnn::gdal_module
