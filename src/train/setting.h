#pragma once
// A network's options with all that is fitted before it is trained.

#include <cstdint>

#include "base/array.h"
#include "compute/context.h"
#include "neighbourhood/training_points.h"
#include "pegnn/options.h"
#include "table/dataset.h"
#include "table/scaler.h"

namespace pegnn {

struct Setting {
  Options options;  // resolved
  Scaler scaler;
  LabelModel labels;  // of networks that listen to labels
};

// Options resolved for those rows, the scaler fitted on them unless it is given, and what is known
// of their labels.
Setting make_setting(const Dataset& data, Span<const std::int64_t> rows, const Options& options,
                     const Scaler* given, const Context& context);

// The options with what those rows decide filled in.
Options resolved_for(const Dataset& data, Span<const std::int64_t> rows, const Options& options,
                     const Context& context);

// What `--scaling`, `--ranks` and `--target-transform` ask of the scaler.
ScalerPlan scaling_of(const Options& options);

}  // namespace pegnn
