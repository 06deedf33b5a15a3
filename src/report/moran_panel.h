#pragma once
// What the report says about spatial structure left in the residuals.

#include <string>

#include "pegnn/stats.h"

namespace pegnn {

// The Moran scatter of the residuals beside I, its p-value and the counts of the quadrants; a
// sentence instead when `moran` has no rows or I is not a number.
std::string moran_row_html(const Moran& moran);

}  // namespace pegnn
