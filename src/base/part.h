#pragma once
// What every part in a `.def` list says of itself, and how one is found by name.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/part_option.h"

namespace pegnn {

// Shown by `pegnn list`, in the docs and in error messages.
struct PartInfo {
  std::string_view name;                     // what the user types
  std::string_view summary;                  // one sentence
  std::string_view source;                   // where the method comes from
  std::span<const PartOption> options = {};  // that no other part has
};

template <class Entry>
std::vector<std::string> part_names(std::span<const Entry* const> list) {
  std::vector<std::string> names;
  for (const Entry* entry : list) names.emplace_back(entry->info.name);
  return names;
}

// The entry called `name`; Error{usage} with the nearest and all known names when there is none.
template <class Entry>
const Entry& find_part(std::span<const Entry* const> list, std::string_view kind,
                       std::string_view name) {
  for (const Entry* entry : list) {
    if (entry->info.name == name) return *entry;
  }
  throw Error(ErrorKind::usage, unknown_word(kind, name, part_names(list)));
}

}  // namespace pegnn
