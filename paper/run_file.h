#pragma once
// The outcome of a training run as a file of JSON, so that it need not be trained again.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "paper/training_run.h"

namespace pegnn {

// Appears whole or not at all. Error{resource} when it cannot be written.
void save_run(const RunSpec& spec, const RunResult& result, const std::filesystem::path& file);

// Nothing when the file is not there, or is not one of these.
std::optional<RunResult> load_run(const std::filesystem::path& file);
// The same for text in memory.
std::optional<RunResult> parse_run(std::string_view text);

}  // namespace pegnn
