#pragma once
// Models made of models, for tests.

#include <string>
#include <utility>
#include <vector>

#include "model/combination.h"
#include "model/state.h"
#include "pegnn/model.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn::test {

// Near its points the first part says the most, far from them the last.
inline Combination by_place(std::int64_t parts) {
  Combination c;
  const auto count = static_cast<double>(parts * (parts + 1) / 2);
  for (std::int64_t p = 0; p < parts; ++p) {
    c.near.push_back(static_cast<double>(parts - p) / count);
    c.far.push_back(static_cast<double>(p + 1) / count);
  }
  c.remoteness = {.intercept = -1, .by_distance = 2, .by_gap = 1, .power = 2, .spacing = 50'000};
  return c;
}

// Each trained on the same table.
inline ModelState combined_state(const std::vector<Options>& parts, std::size_t rows = 60) {
  std::vector<ModelState> states;
  for (const Options& options : parts) {
    states.push_back(
        train(smooth_table(rows), smooth_roles(), options, false, {.threads = 1}).model.state());
  }
  return combine(std::move(states), by_place(std::ssize(parts)));
}

inline ModelState combined_state(const std::vector<std::string>& names, std::size_t rows = 60) {
  std::vector<Options> parts;
  for (const std::string& name : names) parts.push_back(small_model(name));
  return combined_state(parts, rows);
}

}  // namespace pegnn::test
