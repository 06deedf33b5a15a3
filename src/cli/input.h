#pragma once
// Tables and models as they are named on the command line.

#include <filesystem>
#include <string>

#include "pegnn/table.h"

namespace pegnn {

// What the help says of a table.
inline constexpr const char* kTableSentence =
    "CSV file with a header line, plain or gzip; - is standard input.";

// The table in a file, or on standard input ("-").
Table input_table(const std::string& place, const ReadOptions& options = {});

// The same, to be read piece by piece.
TableReader input_reader(const std::string& place, const ReadOptions& options = {});

// A model is a folder made by `pegnn train`, or a model file. Error{resource} when it is neither.
std::filesystem::path model_file(const std::string& place);

}  // namespace pegnn
