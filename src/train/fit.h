#pragma once
// From rows to a model: options resolved, rows held back, scaler fitted, network or baseline
// trained.

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "compute/context.h"
#include "model/state.h"
#include "pegnn/train.h"
#include "table/dataset.h"
#include "table/split.h"

namespace pegnn {

struct Fit {
  ModelState state;
  std::vector<TrainProgress> curve;
  // Rows of `data` on which errors are shown.
  Array<std::int64_t> shown_rows;
  Array<double> observed, predicted;
  ShownRows shown = ShownRows::training;
  double seconds = 0;
};

// Fewest rows a model is trained on: one to predict, one to learn from, one to be its neighbour.
inline constexpr std::int64_t kFewestRows = 3;

// Validation rows never exceed this: enough to measure a root mean square error to a per cent, and
// a look costs less than half the steps between two (docs/decisions/0009).
inline constexpr std::int64_t kMostValidationRows = 8'192;

// Trains on the rows of `data`. With `given` the rows are scaled by it, else by a scaler fitted on
// the training rows (`--scale-over` matters only where there are test rows, which the caller has).
// The loss of a network on the rows of `watched` is measured as it learns (TrainProgress::watched);
// they decide nothing. Error{data} for fewer than kFewestRows rows, Error{usage} for weights where
// the model cannot weigh rows.
Fit fit_model(const Dataset& data, const Roles& roles, const Options& options, const Scaler* given,
              const RunSettings& run, const Dataset* watched = nullptr);

// The two halves of it. `split` says which rows train and which are held back; `fit.state` holds
// what both have in common and receives the rest; baselines find the scaler in it.
void fit_network(const Dataset& data, const Split& split, const Scaler* given,
                 const Dataset* watched, const Context& context, Fit& fit);
void fit_baseline(const Dataset& data, const Split& split, const Context& context, Fit& fit);

// The spacing of the rows and, with a smoother, their kriging model, for networks that listen to
// labels. `options` are resolved.
LabelModel fit_label_model(const Dataset& data, const Options& options, const Scaler& scaler,
                           const Context& context);

// Rows held back for early stopping, chosen by the seed of the options; none where they are not
// wanted or there are too few.
Split hold_back(std::int64_t rows, const Options& options, bool wanted);

// The same for far members, in whole blocks: rows whose neighbours are learned from do not tell how
// a network does where there are none.
struct HeldBlocks {
  Split rows;                 // the test rows are some of those in the blocks held back
  Array<std::int32_t> block;  // of every row; empty where rows are held back one by one
};
HeldBlocks hold_back_blocks(const Dataset& data, const Options& options, bool wanted);

// At most `most` of the rows, chosen by the seed, in their order.
Array<std::int64_t> some_rows(const Array<std::int64_t>& rows, std::int64_t most,
                              std::int64_t seed);

// What `--scaling`, `--ranks` and `--target-transform` ask of the scaler.
ScalerPlan scaling_of(const Options& options);

}  // namespace pegnn
