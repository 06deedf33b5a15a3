#pragma once
// CSV tables and models as they are named on the command line.

#include <filesystem>
#include <string>

#include "pegnn/table.h"

namespace pegnn {

// The CSV table in a file, or on standard input ("-").
TableReader input_reader(const std::string& place, const ReadOptions& options = {});

// A model is a folder made by `pegnn train`, or a model file. Error{resource} when it is neither.
std::filesystem::path model_file(const std::string& place);

}  // namespace pegnn
