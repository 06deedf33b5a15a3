#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {

void print(std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) throw ClosedPipe{};
  throw Error(ErrorKind::resource,
              fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

Output::Output(std::string place, bool overwrite) : place_(std::move(place)) {
  if (to_stdout()) return;
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(place_, ignored);
  if (std::filesystem::is_directory(status)) {
    throw Error(ErrorKind::usage, fmt::format("'{}' is a folder; name a file in it", place_));
  }
  if (std::filesystem::is_regular_file(status) && !overwrite) {
    throw Error(ErrorKind::usage, fmt::format("'{}' exists; --overwrite replaces it", place_));
  }
  const bool file = std::filesystem::is_regular_file(status) || !std::filesystem::exists(status);
  if (file) const AtomicFile probe(place_);
}

void Output::write(std::string_view text) {
  if (to_stdout()) return print(text);
  if (!file_) file_ = std::make_unique<AtomicFile>(place_);
  file_->write(text);
}

void Output::settle() {
  if (file_) file_->settle();
}

void Output::commit() {
  if (file_) file_->commit();
}

void JsonOutput::open(bool overwrite) {
  if (wanted()) output_ = std::make_unique<Output>(place_, overwrite);
}

void JsonOutput::emit(const std::string& text, const std::string& json) {
  settle(json);
  commit(text);
}

void JsonOutput::settle(const std::string& json) {
  if (!output_) return;
  if (output_->to_stdout()) {
    json_ = json;
    return;
  }
  output_->write(json);
  output_->settle();
}

void JsonOutput::commit(const std::string& text) {
  if (output_) output_->commit();
  print(output_ && output_->to_stdout() ? json_ : text);
}

}  // namespace pegnn
