#pragma once
// Where a file is, as the user says it, as GDAL wants it and as messages show it.

#include <string>

namespace pegnn::gdal_module {

// For GDAL: what is in an archive is reached through it.
std::string gdal_place(const std::string& place);

// For messages: without a password.
std::string shown_place(const std::string& place);

// Error{resource} for a file that is not there or cannot be read. Connections and the like are left
// to GDAL.
void require_file(const std::string& place);

// What to say of a vector source that GDAL did not open: Error{data} for a file, Error{resource}
// for a connection.
[[noreturn]] void fail_open(const std::string& place);

}  // namespace pegnn::gdal_module
