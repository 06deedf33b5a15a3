#pragma once
// Names of fields and of options, which most formats do not tell apart by case.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace pegnn::gdal_module {

// Whether one of `names` is `name`, in any case.
inline bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& known) { return lower(known) == lower(name); });
}

}  // namespace pegnn::gdal_module
