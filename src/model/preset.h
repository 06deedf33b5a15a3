#pragma once
// Bundles of options with a name.

#include <span>
#include <string>

#include "base/part.h"
#include "pegnn/options.h"

namespace pegnn {

struct PresetEntry {
  PartInfo info;
  Options (*make)();  // what holds if nothing else is said
  // What holds where another model than that of `make` is named; null: the same.
  Options (*make_other)() = nullptr;
};

std::span<const PresetEntry* const> presets();

// What the name of a model stands for: "network" and baselines for themselves; a backbone's name
// for that network without encoder, "pe-" before it for the same with one.
struct ModelName {
  std::string model;          // of Options::model
  std::string backbone = {};  // empty: the name says nothing of it, nor of an encoder
  bool encoded = false;
};

// Error{usage} with the known names for any other word; `origin` begins the message.
ModelName model_named(const std::string& name, const std::string& origin);

// Checks every option that names a part against the lists of parts, and options against each other.
// Throws Error{usage}.
void check_options(const Options& options);

}  // namespace pegnn
