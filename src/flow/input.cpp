#include "flow/input.h"

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {

TableReader input_reader(const std::string& place, const ReadOptions& options) {
  if (place == "-") return TableReader("/dev/stdin", options, "standard input");
  return TableReader(place, options);
}

std::filesystem::path model_file(const std::string& place) {
  std::filesystem::path path(place);
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    if (std::filesystem::exists(path, ignored)) return path;
    throw Error(ErrorKind::resource,
                fmt::format("there is no model '{}'; give a folder made by `pegnn train`, or a "
                            "model file",
                            place));
  }
  std::filesystem::path file = path / "model.safetensors";
  if (std::filesystem::exists(file, ignored)) return file;
  const bool interrupted = std::filesystem::exists(path / "snapshot.safetensors", ignored);
  throw Error(
      ErrorKind::resource,
      fmt::format("'{}' holds no model.safetensors; {}", place,
                  interrupted ? "its training was interrupted: continue it with <option:resume>"
                              : "give a folder made by `pegnn train`, or a model file"));
}

}  // namespace pegnn
