#pragma once
// Values on their way into JSON and out of it.

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/options.h"

namespace pegnn {

// JSON has no NaN: an undefined figure is null.
inline nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

// A whole number of 64 bits, or nothing. Asked for one, the library would take fractions too, and
// convert what is too large to anything.
inline std::optional<std::int64_t> whole_number(const nlohmann::ordered_json& value) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost) return std::nullopt;
  return value.get<std::int64_t>();
}

// The value of an option: a word, true or false, a number.
inline nlohmann::ordered_json typed(const OptionText& option) {
  if (option.is_word) return option.value;
  return nlohmann::ordered_json::parse(option.value);
}

}  // namespace pegnn
