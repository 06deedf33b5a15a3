#pragma once
// Where the files that tests read lie; environment variables name other places.

#include <filesystem>

namespace pegnn::test {

// The root of the project.
std::filesystem::path source_folder();

// Larger real tables, which are not part of the project: PEGNN_DATA, or a folder beside the project.
// Tests skip where it does not exist.
std::filesystem::path data_folder();

// The text of the paper, likewise.
std::filesystem::path paper_file();

// Values from other people's programs: PEGNN_GOLDEN, or the project's own copy.
std::filesystem::path golden_file();

}  // namespace pegnn::test
