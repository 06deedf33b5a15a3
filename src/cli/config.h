#pragma once
// Options from a TOML file.

#include <filesystem>

#include "pegnn/train.h"

namespace pegnn {

// The options that the file names, as those of a file, and its preset. Tables group nothing:
// `[Graph]` and no table at all mean the same. Error{usage} with file and line for TOML that does
// not parse, an unknown option or a list; Error{resource} when the file cannot be read.
OptionRequest read_config(const std::filesystem::path& file);

}  // namespace pegnn
