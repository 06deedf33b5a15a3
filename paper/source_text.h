#pragma once
// Text of source files as it comes: its first line, the whole of it, numbers with thousands commas.

#include <filesystem>
#include <string>

namespace pegnn {

// The whole file, unpacked when it is gzip.
std::string unpacked_text(const std::filesystem::path& file);

// The first line without its end; empty when the file is.
std::string first_line(const std::filesystem::path& file);

// `text` without the commas inside double quotes: "54,487" becomes "54487".
std::string without_quoted_commas(std::string text);

}  // namespace pegnn
