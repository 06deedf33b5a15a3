#include "flow/output.h"

#include <filesystem>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {

Output::Output(std::string place, bool overwrite, TextStream stream)
    : place_(std::move(place)), stream_(std::move(stream)) {
  if (to_stream()) return;
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(place_, ignored);
  if (std::filesystem::is_directory(status)) {
    throw Error(ErrorKind::usage, fmt::format("'{}' is a folder; name a file in it", place_));
  }
  if (std::filesystem::is_regular_file(status) && !overwrite) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' exists; <option:overwrite> replaces it", place_));
  }
  const bool file = std::filesystem::is_regular_file(status) || !std::filesystem::exists(status);
  if (file) const AtomicFile probe(place_);
}

void Output::write(std::string_view text) {
  if (to_stream()) return stream_(text);
  if (!file_) file_ = std::make_unique<AtomicFile>(place_);
  file_->write(text);
}

void Output::settle() {
  if (file_) file_->settle();
}

void Output::commit() {
  if (file_) file_->commit();
}

}  // namespace pegnn
