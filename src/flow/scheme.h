#pragma once
// Which rows are held out, from what a user said of it.

#include <functional>
#include <string>
#include <string_view>

#include "pegnn/evaluate.h"
#include "pegnn/table.h"

namespace pegnn {

class Log;
struct TableRequest;

struct SchemeRequest {
  EvaluateSettings settings = {};
  std::string test_rows = {};  // a file of 0-based row numbers, one per line; empty: none
  SaidLength block = {};       // size of a block; 0: chosen from the data
  SaidLength buffer = {};      // 0: none
  std::string places = {};     // a table of places, as `read_input` takes it; empty: none
};

// Whether an option was given, by its name: "folds".
using WasGiven = std::function<bool(std::string_view)>;

// Settles what goes without saying: a share held out once is one fold, and a fold column has a fold
// for each value unless their number is said. Error{usage} for options that would be ignored: they
// are a misunderstanding.
void settle_scheme(SchemeRequest& request, const WasGiven& was_given);

// What the table is to be read with, so that the scheme can look at it.
void prepare_for_scheme(const SchemeRequest& request, TableRequest& table, ColumnChoice& choice);

// What it says of this table; reads the files of test rows and of places.
EvaluateSettings evaluate_settings(const SchemeRequest& request, const Table& table,
                                   const Roles& roles, bool drop_missing, Log& log);

}  // namespace pegnn
