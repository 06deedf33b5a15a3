#pragma once
// The pages of `--help`, 80 columns wide, made from what commands and options say of themselves.

#include <span>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "pegnn/train.h"

namespace pegnn {

// `pegnn --help`.
std::string overview_page();

// `pegnn NAME --help`; `groups` are all its arguments, those shared by the commands included.
// Options of the model have the values that `asked` gives them.
std::string command_page(std::string_view name, const Command& command,
                         std::span<const ArgumentGroup> groups, const OptionRequest& asked);

// `text` in lines of 80 columns.
std::string wrapped(std::string_view text);

// "  term      text", the text wrapped and indented; a long term stands on a line of its own.
std::string help_row(std::string_view term, std::string_view text);

}  // namespace pegnn
