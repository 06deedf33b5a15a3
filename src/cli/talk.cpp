#include "cli/talk.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>

namespace pegnn {
namespace {

bool progress_line_open = false;

// The pieces at once where they are short, so that lines of several processes do not mix.
// fmt::print would throw where nothing can be written, and what is said is not worth a failed run;
// it would ask for memory too, of which there may be none left to say so.
void write(std::initializer_list<std::string_view> pieces) noexcept {
  char room[1024];
  std::size_t filled = 0;
  const auto flush = [&] {
    std::fwrite(room, 1, filled, stderr);
    filled = 0;
  };
  for (const std::string_view piece : pieces) {
    if (filled + piece.size() > sizeof room) flush();
    if (piece.size() > sizeof room) {
      std::fwrite(piece.data(), 1, piece.size(), stderr);
    } else {
      std::copy(piece.begin(), piece.end(), room + filled);  // not memcpy: an empty piece may be null
      filled += piece.size();
    }
  }
  flush();
  std::fflush(stderr);
}

}  // namespace

void talk(std::string_view line, std::string_view before) noexcept {
  end_progress();
  write({before, line, "\n"});
}

void talk_progress(std::string_view text) noexcept {
  write({"\r\x1b[K", text});
  progress_line_open = true;
}

void end_progress() noexcept {
  if (progress_line_open) write({"\n"});
  progress_line_open = false;
}

}  // namespace pegnn
