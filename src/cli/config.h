#pragma once
// Options from a TOML file.

#include <filesystem>
#include <string>
#include <vector>

namespace pegnn {

struct ConfigEntry {
  std::string name, value;
  std::string origin;  // "run.toml, line 3, k": begins a message about it
};

struct Config {
  std::string preset = "default";
  std::vector<ConfigEntry> entries;
};

// The options that the file names, and its preset. Tables group nothing: `[Graph]` and no table at
// all mean the same. Error{usage} with file and line for TOML that does not parse, an unknown
// option or a list; Error{resource} when the file cannot be read.
Config read_config(const std::filesystem::path& file);

}  // namespace pegnn
