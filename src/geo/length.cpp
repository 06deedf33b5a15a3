#include "geo/length.h"

#include <cmath>

#include "base/text.h"

namespace pegnn {
namespace {

// Thousands are written out: "30,000", not "3e+04".
std::string figure(double length, int digits) {
  const bool large = length >= 1000 && length < 1e12;
  return large ? format_count(std::llround(length)) : format_short(length, digits);
}

}  // namespace

double metres_per_unit(Space space, const Crs& crs) {
  if (space == Space::sphere) return 1;
  return space == Space::plane && crs.known() && !crs.geographic ? crs.metres_per_unit : 0;
}

std::string length_text(double length, double metres_per_unit, int digits) {
  if (!(metres_per_unit > 0)) return figure(length, digits) + " units";
  const double metres = length * metres_per_unit;
  return metres < 1000 ? figure(metres, digits) + " m" : figure(metres / 1000, digits) + " km";
}

}  // namespace pegnn
