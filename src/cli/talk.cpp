#include "cli/talk.h"

#include <cstdio>
#include <string>

#include <fmt/core.h>

namespace pegnn {
namespace {

bool progress_line_open = false;

// fmt::print would throw where nothing can be written; what is said is not worth a failed run.
void write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void talk(std::string_view line) {
  end_progress();
  write(fmt::format("{}\n", line));
}

void talk_progress(std::string_view text) {
  write(fmt::format("\r\x1b[K{}", text));
  progress_line_open = true;
}

void end_progress() {
  if (progress_line_open) write("\n");
  progress_line_open = false;
}

}  // namespace pegnn
