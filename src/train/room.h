#pragma once
// What training a network takes of memory, known before it begins.

#include <cstdint>

#include "pegnn/options.h"

namespace pegnn {

// Bytes at most: work memory for a batch, and what grows with the training rows. `options` are
// resolved, `features` those of a scaled row.
double training_bytes(const Options& options, std::int64_t rows, std::int64_t features);

// Error{memory} when they cannot be had: better said now than to be killed an hour later.
void require_room(const Options& options, std::int64_t rows, std::int64_t features);

}  // namespace pegnn
