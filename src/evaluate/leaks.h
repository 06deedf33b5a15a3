#pragma once
// What would let a model see the answer: looked for before any is trained. Sentences name options
// neutrally (pegnn/option_names.h).

#include <string>
#include <vector>

#include "table/dataset.h"
#include "table/split.h"

namespace pegnn {

// Rows held out that stand at the place of a row trained on, however the place is written (180 and
// -180 degrees, any longitude at a pole), over all folds: a sentence with their number, or nothing.
// Their neighbour's label is theirs, or nearly so, and no new place will have such a neighbour.
std::string coincidence_warning(const Dataset& data, bool geographic, const Array<Split>& folds);

// A sentence for every feature that is the target in other clothes: a correlation (Pearson's or
// Spearman's) beyond 0.999 either way, or as many different values, repeated, each of which stands
// for one value of the target. Nothing for a constant target, or for fewer than 10 rows, where
// chance does that. At most 100,000 rows are looked at.
std::vector<std::string> copy_warnings(const Dataset& data);

}  // namespace pegnn
