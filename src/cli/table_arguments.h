#pragma once
// The arguments by which a user names a table and says what kind of file is written, shared by
// several commands.

#include <vector>

#include "cli/command.h"
#include "flow/row_output.h"
#include "flow/table_input.h"

namespace pegnn {

struct TableArguments {
  TableRequest request;

  Argument argument();
  // How a layer is read and what coordinates are in.
  ArgumentGroup group(bool with_to_crs = true);
};

struct FormatArguments {
  FileFormat chosen;

  // To stand behind the argument that names the file.
  std::vector<Argument> arguments();
};

}  // namespace pegnn
