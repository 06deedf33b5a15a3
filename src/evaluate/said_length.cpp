// Lengths that a user gives, in kilometres or in the unit of the coordinates.

#include <fmt/core.h>

#include "base/text.h"
#include "geo/length.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "table/roles.h"

namespace pegnn {

double length_of(const SaidLength& said, const Roles& roles, const std::string& what) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::usage, why); };
  const std::string in_km = option(what + "-km"), in_units = option(what + "-size");
  if (said.km > 0 && said.size > 0) {
    refuse(fmt::format("{} and {} say the same in two units; give one of them", in_km, in_units));
  }
  if (said.size > 0) {
    if (roles.geographic) {
      refuse(fmt::format("{} is in the unit of x and y, but {} are longitude and latitude; give {}",
                         in_units, describe_coordinates(roles), in_km));
    }
    return said.size;
  }
  if (!(said.km > 0)) return 0;
  const double metres = metres_per_unit(roles.geographic ? Space::sphere : Space::plane, roles.crs);
  if (!(metres > 0)) {
    refuse(fmt::format(
        "{} {}: what {} are in is not known, so nobody can say how much a kilometre is. Say it by "
        "<option:crs> (<option:crs> EPSG:...), or give {} in the table's own unit: {} if that is "
        "metres",
        in_km, format_number(said.km), describe_coordinates(roles), in_units,
        format_number(1000 * said.km)));
  }
  return 1000 * said.km / metres;
}

}  // namespace pegnn
