#pragma once
// A network's settings with all that is fitted before it is trained, and their choice by trial.

#include "base/array.h"
#include "train/fit.h"
#include "train/runs.h"

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

// The words of `--choose`. Error{usage} for one that is none of them.
std::vector<std::string> settings_to_choose(const Options& options);

struct Chosen {
  Setting setting;
  FinishedRun run;  // with these settings, on the split given
};

// Trains with the setting given, which was made for `rows`, and then, one after the other, with
// what `--choose` names switched to the other way; keeps each switch that lowers the error on the
// rows held back. Errors are compared in the target's units. With few rows held back only ranks are
// chosen, by what kriging makes of them. The log says what was chosen and by how much.
Chosen choose_setting(const Dataset& data, Span<const std::int64_t> rows, const Split& split,
                      Setting first, const Scaler* given, const Context& context, Runs& runs);

}  // namespace pegnn
