#pragma once
// What the command says on stderr. A full disk or a closed pipe there never stops a run, and
// nothing here asks for memory.

#include <string_view>

namespace pegnn {

// One line, below the progress line where there is one; `before` begins it.
void talk(std::string_view line, std::string_view before = {}) noexcept;

// Shows `text` as the progress line, in place of the last one. For terminals only.
void talk_progress(std::string_view text) noexcept;

// What comes next starts on a line of its own.
void end_progress() noexcept;

}  // namespace pegnn
