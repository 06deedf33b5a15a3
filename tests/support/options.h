#pragma once
// Options of models that train in a blink.

#include <string>

#include "pegnn/options.h"
#include "pegnn/train.h"

namespace pegnn::test {

// A model by its name, with one member and nothing left to trials.
inline Options small_model(const std::string& name, std::int64_t steps = 20) {
  Options o = named_model(name);
  o.steps = steps;
  o.evaluate_every = 10;
  o.members = 1;
  o.part.set("far-members", 0);
  o.choose = "none";
  return o;
}

// The network that `--preset default` asks for, trials and members included, only shorter.
inline Options small_default(std::int64_t steps = 12, std::int64_t members = 2) {
  Options o = preset("default");
  o.steps = steps;
  o.evaluate_every = 6;
  o.members = members;
  o.part.set("far-members", 1);
  o.batch = 64;
  o.width = 16;
  o.combine = "none";
  return o;
}

// The same beside models of other kinds, as the preset has it.
inline Options small_combined(std::int64_t steps = 12, std::int64_t members = 2) {
  Options o = small_default(steps, members);
  o.combine = "auto";
  return o;
}

}  // namespace pegnn::test
