#include "paper/report/figure_parts.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"

namespace pegnn {

bool any_plottable(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), plottable);
}

Series series_of(const std::string& name, int colour, const std::vector<double>& x,
                 const std::vector<double>& y) {
  Series series{name, colour, {}, {}};
  const std::size_t n = std::min(x.size(), y.size());
  series.x.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
  series.y.assign(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(n));
  return series;
}

std::string sentences(const std::string& caption, const std::string& note) {
  return note.empty() ? caption : caption + " " + note;
}

std::string not_run(const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format(" Not run: {}.", join(names, ", "));
}

}  // namespace pegnn
