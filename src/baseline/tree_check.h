#pragma once
// Whether stored trees may be handed to the tree library, which trusts what it loads: it follows
// links between nodes wherever they lead.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pegnn {

// What is wrong with a model in XGBoost's UBJSON, as an end of the sentence "is damaged: ...";
// nothing when it is a sum of regression trees on `columns` numbers that can be loaded and asked
// without harm, in time that its size bounds, and whose predictions are finite.
std::optional<std::string> fault_of_trees(std::span<const std::uint8_t> model,
                                          std::int64_t columns);

}  // namespace pegnn
