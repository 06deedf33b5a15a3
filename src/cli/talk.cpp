#include "cli/talk.h"

#include <cstdio>
#include <initializer_list>

namespace pegnn {
namespace {

bool progress_line_open = false;

// The pieces at once where they are short, so that lines of several processes do not mix.
// fmt::print would throw where nothing can be written, and what is said is not worth a failed run;
// it would ask for memory too, of which there may be none left to say so.
void write(std::initializer_list<std::string_view> pieces, char (*shown)(char)) noexcept {
  char room[1024];
  std::size_t filled = 0;
  const auto flush = [&] {
    std::fwrite(room, 1, filled, stderr);
    filled = 0;
  };
  for (const std::string_view piece : pieces) {
    for (const char c : piece) {
      if (filled == sizeof room) flush();
      room[filled++] = shown(c);
    }
  }
  flush();
  std::fflush(stderr);
}

char as_it_is(char c) { return c; }

// Names and values from files stand in messages: none of them gives orders to a terminal.
char harmless(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool order = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
  return order ? '?' : c;
}

}  // namespace

void talk(std::string_view line, std::string_view before) noexcept {
  end_progress();
  write({before, line, "\n"}, harmless);
}

void talk_progress(std::string_view text) noexcept {
  write({"\r\x1b[K", text}, as_it_is);
  progress_line_open = true;
}

void end_progress() noexcept {
  if (progress_line_open) write({"\n"}, as_it_is);
  progress_line_open = false;
}

}  // namespace pegnn
