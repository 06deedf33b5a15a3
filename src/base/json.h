#pragma once
// Values on their way into JSON.

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/options.h"

namespace pegnn {

// JSON has no NaN: an undefined figure is null.
inline nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

// The value of an option: a word, true or false, a number.
inline nlohmann::ordered_json typed(const OptionText& option) {
  if (option.is_word) return option.value;
  return nlohmann::ordered_json::parse(option.value);
}

}  // namespace pegnn
