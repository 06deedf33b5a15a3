#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

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

void JsonOutput::open(bool overwrite) {
  if (wanted()) output_ = std::make_unique<Output>(place_, overwrite, print);
}

void JsonOutput::emit(const std::string& text, const std::string& json) {
  settle(json);
  commit(text);
}

void JsonOutput::settle(const std::string& json) {
  if (!output_) return;
  if (output_->to_stream()) {
    json_ = json;
    return;
  }
  output_->write(json);
  output_->settle();
}

void JsonOutput::commit(const std::string& text) {
  if (output_) output_->commit();
  print(output_ && output_->to_stream() ? json_ : text);
}

}  // namespace pegnn
