#pragma once
// From rows to a model: options resolved, rows held back, scaler fitted, network trained.

#include <cstdint>
#include <vector>

#include "model/state.h"
#include "pegnn/run.h"
#include "table/dataset.h"

namespace pegnn {

struct Fit {
  ModelState state;
  std::vector<TrainProgress> curve;
  // Rows of `data`: the validation rows; without any, at most kMostValidationRows training rows.
  std::vector<std::int64_t> shown_rows;
  std::vector<double> observed, predicted;
  bool shown_are_validation = false;
  double seconds = 0;
};

// Fewest rows a network is trained on: one to predict, one to learn from, one to be its neighbour.
inline constexpr std::int64_t kFewestRows = 3;

// Validation rows never exceed this: enough to measure an error to a per cent, and the cost of a
// look stays bounded.
inline constexpr std::int64_t kMostValidationRows = 50'000;

// Trains on the rows of `data`. With `given` the rows are scaled by it, else by a scaler fitted on
// the training rows (`--scale-over` matters only where there are test rows, which the caller has).
// Error{data} for fewer than kFewestRows rows.
Fit fit_model(const Dataset& data, const Roles& roles, const Options& options, const Scaler* given,
              const RunSettings& run);

// `--scaling` as an enumerator.
Scaling scaling_of(const Options& options);

}  // namespace pegnn
