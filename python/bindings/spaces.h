#pragma once
// Spaces by the words of the option `metric`.

#include <string>

#include "pegnn/error.h"
#include "pegnn/geo.h"

namespace pegnn::python {

// great-circle, planar or degrees; Error{usage} for another word.
inline Space space_of(const std::string& metric) {
  for (const Space space : {Space::sphere, Space::plane, Space::degrees}) {
    if (metric == name_of(space)) return space;
  }
  throw Error(ErrorKind::usage,
              "metric: '" + metric + "' is none of great-circle, planar, degrees");
}

}  // namespace pegnn::python
