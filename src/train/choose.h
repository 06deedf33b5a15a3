#pragma once
// Settings of a network chosen by trial.

#include <cstdint>
#include <string>
#include <vector>

#include "base/array.h"
#include "train/task_runner.h"

namespace pegnn {

// The words of `--choose`. Error{usage} for one that is none of them.
std::vector<std::string> settings_to_choose(const Options& options);

// Trains in few steps with the setting given, which was made for `rows`, and, side by side, with
// each of what `--choose` names switched to the other way; keeps every switch that lowers the error
// on the `held` rows held back by more than chance explains. Errors are compared in the target's
// units. With few such rows only ranks are chosen, by what kriging makes of them. The log says what
// was chosen and by how much. Returns the task of the first member with what was chosen.
TrainTask choose_setting(const Dataset& data, Span<const std::int64_t> rows, std::int64_t held,
                         Setting first, const Scaler* given, const Context& context,
                         TaskRunner& runner);

}  // namespace pegnn
