#pragma once
// Which rows are held out, from what a user said of it.

#include <functional>
#include <string>
#include <string_view>

#include "pegnn/evaluate.h"
#include "pegnn/table.h"

namespace pegnn {

struct SchemeRequest {
  EvaluateSettings settings = {};
  std::string test_rows = {};  // a file of 0-based row numbers, one per line; empty: none
  double block_km = 0;         // size of a block; 0: chosen from the data
};

// Whether an option was given, by its name: "folds".
using WasGiven = std::function<bool(std::string_view)>;

// Settles what goes without saying: a share held out once is one fold. Error{usage} for options
// that would be ignored: they are a misunderstanding.
void settle_scheme(SchemeRequest& request, const WasGiven& was_given);

// What it says of this table; reads the file of test rows.
EvaluateSettings evaluate_settings(const SchemeRequest& request, const Table& table,
                                   const Roles& roles, bool drop_missing);

}  // namespace pegnn
