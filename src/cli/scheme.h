#pragma once
// The arguments by which a user says which rows are held out, shared by evaluate and compare.

#include <cstdint>
#include <string>

#include "cli/command.h"
#include "pegnn/evaluate.h"
#include "pegnn/table.h"

namespace pegnn {

class SchemeArguments {
 public:
  ArgumentGroup group();

  // Error{usage} for arguments that would be ignored: they are a misunderstanding.
  void check(const Session& session);

  // What they say of this table; reads the file of --test-rows.
  EvaluateSettings settings(const Table& table, const Roles& roles, bool drop_missing) const;

 private:
  EvaluateSettings settings_;
  std::string test_rows_;
  double block_km_ = 0;
};

}  // namespace pegnn
