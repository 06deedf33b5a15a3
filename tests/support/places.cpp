#include "support/places.h"

#include <cstdlib>

namespace pegnn::test {
namespace {

std::filesystem::path named_or(const char* variable, const std::filesystem::path& otherwise) {
  const char* const named = std::getenv(variable);
  return named != nullptr && *named != '\0' ? std::filesystem::path(named) : otherwise;
}

}  // namespace

std::filesystem::path source_folder() { return PEGNN_SOURCE_DIR; }

std::filesystem::path data_folder() {
  return named_or("PEGNN_DATA", source_folder() / "../shared/data");
}

std::filesystem::path paper_file() { return source_folder() / "../shared/paper/pe-gnn.tex"; }

std::filesystem::path golden_file() {
  return named_or("PEGNN_GOLDEN", source_folder() / "tests/golden/pyg_gpytorch.json");
}

}  // namespace pegnn::test
