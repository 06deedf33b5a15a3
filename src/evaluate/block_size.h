#pragma once
// How large spatial blocks should be when the user does not say.

#include <cstdint>
#include <string>

#include "pegnn/run.h"
#include "table/dataset.h"

namespace pegnn {

struct BlockSize {
  double size = 0;  // metres on the sphere, else coordinate units
  std::string why;  // "the range of the residuals of a linear model"
};

// The distance at which what features and trend leave unexplained is no longer alike: where the
// correlation of the residuals of a linear model, of the features and of a quadratic surface over
// the places, has sunk to a tenth of that of neighbours, by their variogram. Rows nearer to each
// other than that tell of each other, so smaller blocks would still flatter (Roberts et al.,
// Ecography 40, 2017).
//
// Made smaller until at least `fewest` blocks hold points, and never smaller than a quarter of the
// size the extent gives (geo/blocks.h), where blocks would be little more than single rows. The
// extent decides alone where no range can be found, as where there is no target. At most 50,000
// rows are looked at; the same rows give the same size. `space` is sphere or plane.
BlockSize choose_block_size(const Dataset& data, Space space, std::int64_t fewest,
                            const RunSettings& run);

}  // namespace pegnn
