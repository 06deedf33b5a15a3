#pragma once
// From rows to a model: options resolved, rows held back, scaler fitted, the model trained.

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "compute/context.h"
#include "model/state.h"
#include "pegnn/train.h"
#include "table/dataset.h"
#include "table/split.h"

namespace pegnn {

// What one network of an ensemble says of the rows it held back.
struct HeldFold {
  bool far = false;  // rows were held back in whole blocks, as far members do, else one by one
  Options options;   // of the network: its seed says which rows those are
  Array<std::int64_t> rows;
  Array<std::int32_t> groups;  // the block of each row; empty: each by itself
  Array<double> predicted;     // in the target's units, with corrections as far as they are kept
};

struct Fit {
  ModelState state;
  std::vector<HeldFold> folds;  // of the networks of an ensemble, members before far members
  std::vector<TrainProgress> curve;
  // Rows of `data` on which errors are shown.
  Array<std::int64_t> shown_rows;
  Array<double> observed, predicted;
  ShownRows shown = ShownRows::training;
  double seconds = 0;
};

// Trains on the rows of `data`. With `given` the rows are scaled by it, else by a scaler fitted on
// the training rows (`--scale-over` matters only where there are test rows, which the caller has).
// The loss of a network on the rows of `watched` is measured as it learns (TrainProgress::watched);
// they decide nothing. Error{data} for fewer than kFewestRows rows, Error{usage} for weights where
// the model cannot weigh rows.
Fit fit_model(const Dataset& data, const Roles& roles, const Options& options, const Scaler* given,
              const RunSettings& run, const Dataset* watched = nullptr);

// What it leaves to the kind of model (ModelTraits::learner). `split` says which rows train and
// which are held back; `fit.state` holds what all kinds have in common and receives the rest.
void fit_network(const Dataset& data, Split split, const Scaler* given, const Dataset* watched,
                 const Context& context, Fit& fit);
// A network weighed by place against models of other kinds (--combine).
void fit_combined(const Dataset& data, Split split, const Scaler* given, const Dataset* watched,
                  const Context& context, Fit& fit);
void fit_baseline(const Dataset& data, Split split, const Scaler* given, const Dataset* watched,
                  const Context& context, Fit& fit);

}  // namespace pegnn
