#pragma once
// Bundles of options with a name.

#include <span>
#include <string>

#include "base/part.h"
#include "pegnn/options.h"

namespace pegnn {

struct PresetEntry {
  PartInfo info;
  Options (*make)();
};

std::span<const PresetEntry* const> presets();

// Error{usage} with the known names when there is no such preset.
Options preset_options(const std::string& name);

// `--model NAME`: "network" and baselines as they are; a backbone's name is that network without
// encoder, "pe-" before it the same with one (grid, unless `options` names another). Error{usage}
// with the known names for any other word.
void choose_model(Options& options, const std::string& name);

// `--backbone NAME` beside a preset: the label-aware network is trained in a way of its own, so
// that naming another under the default preset, or that one under plain options, changes more than
// the name. Does not check the name.
void choose_backbone(Options& options, const std::string& name);

// Checks every option that names a part against the lists of parts, and options against each other.
// Throws Error{usage}.
void check_options(const Options& options);

}  // namespace pegnn
