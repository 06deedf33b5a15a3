#pragma once
// What nodes and edges of a graph can be told beside features and encoder, by name: neighbourhoods
// tell it, backbones read it.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "base/array.h"

namespace pegnn {

struct InputColumns {
  Span<const std::string_view> node = {}, edge = {};

  friend bool operator==(const InputColumns& a, const InputColumns& b) {
    return std::ranges::equal(a.node, b.node) && std::ranges::equal(a.edge, b.edge);
  }
};

// The number of the column of that name, which must be listed.
std::int64_t column_number(Span<const std::string_view> columns, std::string_view name);

// Of copies of training points: the label, or 0 for a point that is asked for; and whether it is.
inline constexpr std::string_view kLabelColumns[] = {"label", "is_query"};

// What a smoother says of a point's label, and the logarithm of its variance.
inline constexpr std::string_view kSmootherColumns[] = {"smoother.mean", "smoother.log_variance"};

// How a labelled point lies: the offset in three components, the distance, its logarithm, whether
// it is the same place; and its weight in the smoother.
inline constexpr std::string_view kOffsetColumns[] = {
    "offset.x",     "offset.y",   "offset.z",       "distance",
    "log_distance", "same_place", "smoother.weight"};

inline constexpr std::int64_t kLabelInputs = std::ssize(kSmootherColumns);
inline constexpr std::int64_t kEdgeInputs = std::ssize(kOffsetColumns);

}  // namespace pegnn
