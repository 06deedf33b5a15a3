#pragma once
// Words of the command line become a command and a session.

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/session.h"

namespace pegnn {

struct ParsedCommand {
  std::unique_ptr<Command> command;  // null: only `message` is to be printed
  std::string message;               // help or version
};

// Error{usage} with the nearest known word for anything not understood.
ParsedCommand parse_command_line(int count, const char* const* words, Session& session);

}  // namespace pegnn
