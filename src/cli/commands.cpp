#include "cli/command.h"

namespace pegnn {

#define COMMAND(name) extern const CommandEntry name##_command;
#include "cli/commands.def"
#undef COMMAND

std::span<const CommandEntry* const> commands() {
  static constexpr const CommandEntry* kList[] = {
#define COMMAND(name) &name##_command,
#include "cli/commands.def"
#undef COMMAND
  };
  return kList;
}

}  // namespace pegnn
