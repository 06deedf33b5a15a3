#pragma once
// Fetches what a folder lacks of a data set.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "paper/datasets.h"

namespace pegnn {

struct FetchSettings {
  // Of the file that is on its way: bytes that have come, and of how many (0: not known).
  std::function<void(const std::string& file, std::int64_t now, std::int64_t of)> progress = {};
  std::function<bool()> stop = {};  // true ends it
};

// Where a file comes from: its own address, or MIRROR/DATASET/FILE where the environment variable
// PEGNN_DATA_MIRROR gives a mirror.
std::string address_of(const DatasetEntry& entry, const SourceFile& file);

// Puts the missing sources into the data set's own folder in `folder`; files that are there stay as
// they are. Returns how many came. Errors as in `download`.
std::int64_t fetch_dataset(const DatasetEntry& entry, const std::filesystem::path& folder,
                           const FetchSettings& settings, Log& log);

}  // namespace pegnn
