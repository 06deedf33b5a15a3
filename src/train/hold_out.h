#pragma once
// Rows held back from training: to say when to stop, and how far an answer may be believed.

#include <cstdint>

#include "base/array.h"
#include "pegnn/options.h"
#include "table/dataset.h"
#include "table/split.h"

namespace pegnn {

// Fewest rows a model is trained on: one to predict, one to learn from, one to be its neighbour.
inline constexpr std::int64_t kFewestRows = 3;

// Validation rows never exceed this: enough to measure a root mean square error to a per cent, and
// a look costs less than half the steps between two (docs/decisions/0009).
inline constexpr std::int64_t kMostValidationRows = 8'192;

// Rows held back for early stopping, chosen by the seed of the options; none where they are not
// wanted or there are too few.
Split hold_back(std::int64_t rows, const Options& options, bool wanted = true);

// The same for far members, in whole blocks: rows whose neighbours are learned from do not tell how
// a network does where there are none.
struct HeldBlocks {
  Split rows;                 // the test rows are some of those in the blocks held back
  Array<std::int32_t> block;  // of every row; empty where rows are held back one by one
};
HeldBlocks hold_back_blocks(const Dataset& data, const Options& options);

}  // namespace pegnn
