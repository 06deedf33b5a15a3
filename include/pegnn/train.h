#pragma once
// Training: a table becomes a model.

#include <cstdint>
#include <vector>

#include "pegnn/model.h"

namespace pegnn {

// Which rows a training run shows its errors on, the most telling ones it has.
enum class ShownRows {
  validation,  // held back for early stopping
  left_out,    // training rows, each left out of what it is predicted from
  training,    // training rows as they are: their errors say little of new places
};
const char* name_of(ShownRows rows);  // "validation", "left-out", "training"

struct TrainResult {
  Model model;
  std::vector<TrainProgress> curve;  // one entry per measurement
  // The table rows shown, where they lie, what was observed there and what the model predicts.
  std::vector<std::int64_t> shown_rows;
  std::vector<Point> points;
  std::vector<double> observed, predicted;
  ShownRows shown = ShownRows::training;
  double seconds = 0;
};

// Learns `roles.target` from the table (Algorithm 1 of the paper). Error{data} for a table that
// cannot be used, Error{usage} for options that contradict each other, Error{failure} when a loss
// is no longer a number, Error{interrupted} when `run.stop` said so (a network then keeps a
// snapshot).
TrainResult train(const Table& table, const Roles& roles, const Options& options, bool drop_missing,
                  const RunSettings& run);
// The same, letting go of the table as soon as it is no longer needed.
TrainResult train(Table&& table, const Roles& roles, const Options& options, bool drop_missing,
                  const RunSettings& run);

// Whether a run with these options keeps snapshots, by which it can be continued: networks do.
// Error{usage} for a model that is not known.
bool keeps_snapshots(const Options& options);

// One option as it was given. `origin` begins messages about it: "<option:k>", "run.toml, line
// 3"; empty: its name does.
struct GivenOption {
  std::string name, value, origin = {};
};

// What a model shall be, as it was said: the name of a preset, what a file of options changes of
// it, and what is changed of both.
struct OptionRequest {
  std::string preset = "default";
  std::vector<GivenOption> file = {}, given = {};
};

// The options asked for: preset, file and what is given are merged by name, the last word on an
// option counts, and what nobody named is as the preset has it for that model. `model` may be any
// name that `pegnn list` knows; a name stands for several options, and single ones beside it win.
// What was given by itself is not chosen (Options::choose). Error{usage} for unknown names, values
// out of range and options that contradict each other.
Options options_for(const OptionRequest& request);

// `options_for` a preset alone: default, paper or reference. A field that is changed afterwards
// changes itself and nothing else: ask for another model by its name.
Options preset(const std::string& name);

// `options_for` the model of that name under a preset: "pe-gcn", "gcn", "kriging", ...; see `pegnn
// list`. Error{usage} with the known names when there is none.
Options named_model(const std::string& name, const std::string& preset = "default");

}  // namespace pegnn
