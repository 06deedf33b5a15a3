#pragma once
// Which names are no files: connections and what lies in GDAL's own file systems.

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>

namespace pegnn {

// "PG:dbname=city", "/vsizip/...": a word and a colon, or the beginning of such a file system, and
// no file of that name. C: is a drive.
inline bool is_connection(const std::string& place) {
  std::error_code ignored;
  if (std::filesystem::exists(place, ignored)) return false;
  if (place.starts_with("/vsi")) return true;
  const std::size_t colon = place.find(':');
  if (colon == std::string::npos || colon < 2) return false;
  return std::all_of(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace pegnn
