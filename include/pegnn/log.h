#pragma once
// How the library talks: notes and warnings go to a Log the caller supplies; nothing is printed.

#include <string>
#include <string_view>

#include "pegnn/option_names.h"

namespace pegnn {

// Receives what the library has to say. Implementations must accept calls from one thread at a
// time; the library never logs from inside a parallel region.
class Log {
 public:
  virtual ~Log() = default;
  // Ordinary facts a user wants to see once: the columns guessed, the rows used.
  virtual void note(std::string_view text) = 0;
  // Something is likely not what the user meant, but the run goes on.
  virtual void warn(std::string_view text) = 0;
  // Detail for `-v`.
  virtual void detail(std::string_view text) = 0;
  // False where details are thrown away, so that those that take work are not made.
  virtual bool wants_detail() const { return true; }
  // How those who read it write options.
  virtual OptionStyle option_style() const { return OptionStyle::command; }
  // An option in a text for this log, by its name.
  std::string option(std::string_view name) const { return option_name(name, option_style()); }
};

// Discards everything.
Log& silent_log();

}  // namespace pegnn
