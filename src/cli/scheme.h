#pragma once
// The arguments by which a user says which rows are held out, shared by evaluate and compare.

#include "cli/command.h"
#include "flow/scheme.h"

namespace pegnn {

struct SchemeArguments {
  SchemeRequest request;

  ArgumentGroup group();

  // Error{usage} for arguments that would be ignored.
  void check(const Session& session);
};

}  // namespace pegnn
