#pragma once
// What a folder holds of a data set, and what is missing there.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "paper/datasets.h"

namespace pegnn {

// Files that make up a data set or a part of it.
struct DatasetFiles {
  std::vector<std::filesystem::path> files;
  bool sources = false;  // in the form they were first published in; else one prepared table

  std::string name() const;  // for messages: the file, or the folder of several
};

// A data set may have a folder of its own in `folder`: FOLDER/election. Files are looked for there
// first.
std::filesystem::path own_folder(const DatasetEntry& entry, const std::filesystem::path& folder);

// The whole before a part, a prepared table before sources.
std::optional<DatasetFiles> find_dataset_files(const DatasetEntry& entry,
                                               const std::filesystem::path& folder);

// What there is to fetch for the whole; nothing where a prepared table of it is there.
std::vector<const SourceFile*> missing_sources(const DatasetEntry& entry,
                                               const std::filesystem::path& folder);

// Which files are missing, from where they come, where they go, and which option fetches them.
std::string how_to_get(const DatasetEntry& entry, const std::filesystem::path& folder);

}  // namespace pegnn
