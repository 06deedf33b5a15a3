#pragma once
// What is learned of labelled rows before a network attends to them.

#include "compute/context.h"
#include "neighbourhood/training_points.h"
#include "pegnn/options.h"
#include "table/dataset.h"
#include "table/scaler.h"

namespace pegnn {

// The spacing of the rows and, with a smoother, their kriging model. `options` are resolved.
LabelModel fit_label_model(const Dataset& data, const Options& options, const Scaler& scaler,
                           const Context& context);

}  // namespace pegnn
