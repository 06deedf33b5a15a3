#pragma once
// Models made of models: how the answers of the parts are weighed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/array.h"
#include "model/remoteness.h"
#include "pegnn/options.h"

namespace pegnn {

struct ModelState;

inline constexpr std::int64_t kMostParts = 16;

// With the share w of `remoteness` at a place, part m has the weight (1 - w) near[m] + w far[m]
// there.
struct Combination {
  Array<double> near, far;  // one for each part; none below 0, those of each sum up to 1
  Remoteness remoteness;
};

// Whether models of other kinds are to answer beside the network that these options ask for: where
// `combine` says so, of networks that say a mean and hold rows back both one by one and in blocks.
bool combines(const Options& options);

// Why a state with parts cannot be used, if it cannot: parts that are too many, have parts
// themselves or do not speak of the same columns as the whole; weights or a remoteness that are
// none; no training points to be remote from.
std::optional<std::string> misfit_of(const ModelState& state);

// A model of these parts. Of the first that sees every feature that any of them sees it has the
// options, columns, scaler and training rows; parts let go of rows that are the same, and of those
// that they do not need. Error{usage} where they do not fit together.
ModelState combine(std::vector<ModelState> parts, Combination combination);

}  // namespace pegnn
