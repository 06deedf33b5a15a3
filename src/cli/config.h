#pragma once
// Options from a TOML file.

#include <filesystem>
#include <string>
#include <string_view>

#include "pegnn/train.h"

namespace pegnn {

// The options that the file names, as those of a file, and its preset. Tables group nothing:
// `[Graph]` and no table at all mean the same. Error{usage} with file and line for TOML that does
// not parse, an unknown option or a list; Error{resource} when the file cannot be read.
OptionRequest read_config(const std::filesystem::path& file);
// The same for text in memory; `source` is the file's name in messages.
OptionRequest parse_config(std::string_view text, const std::string& source);

}  // namespace pegnn
