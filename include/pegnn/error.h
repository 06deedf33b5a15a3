#pragma once
// The one exception type of the library, and what each kind of failure means to the caller.

#include <stdexcept>
#include <string>

#include "pegnn/option_names.h"

namespace pegnn {

// What went wrong, from the caller's side. The value is also the exit code of the command.
enum class ErrorKind {
  failure = 1,   // training or prediction went wrong at run time (for instance a loss became NaN)
  usage = 2,     // an option or argument is wrong
  data = 3,      // a table cannot be used as it is
  model = 4,     // a model file or snapshot is damaged, truncated or of a newer format
  resource = 5,  // disk or device: cannot read, cannot write, disk full
  memory = 6,    // not enough memory
  interrupted = 130  // stopped by the user
};

// Thrown for everything the user can fix. The message names the file, row, column and value seen,
// the values allowed, and the option that helps.
class Error : public std::runtime_error {
 public:
  // `message` may name options neutrally; what() names them as the command does.
  Error(ErrorKind kind, const std::string& message);
  ErrorKind kind() const { return kind_; }

  // The message as users of another front end are to read it.
  std::string message(OptionStyle style) const;
  // As it was given, to become part of another one.
  const char* neutral() const noexcept { return neutral_.what(); }

 private:
  ErrorKind kind_;
  std::runtime_error neutral_;  // a text whose copies ask for no memory
};

}  // namespace pegnn
