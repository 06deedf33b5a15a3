#pragma once
// What the command says on stderr. A full disk or a closed pipe there never stops a run.

#include <string_view>

namespace pegnn {

// One line, below the progress line where there is one.
void talk(std::string_view line);

// Shows `text` as the progress line, in place of the last one. For terminals only.
void talk_progress(std::string_view text);

// What comes next starts on a line of its own.
void end_progress();

}  // namespace pegnn
