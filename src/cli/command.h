#pragma once
// A verb of the command line: what it takes, what it says of itself, what it does.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pegnn/part_option.h"

namespace pegnn {

class Session;

// One argument. `flags` is "TABLE" for a positional one, else "-o,--out". The value goes where
// `target` points: a bool is a switch, a list is written with commas.
struct Argument {
  std::string flags;
  std::string value;     // what the value is called in the help: "FILE", "N"
  std::string sentence;  // the default stands in it where there is one
  std::variant<bool*, std::string*, std::int64_t*, double*, std::vector<std::string>*> target;
  bool required = false;
  // "--json" or "--json FILE"; without a value it is "-". The word after it is its value when it
  // ends in ".json"; any other name is given as "--json=FILE".
  bool optional_value = false;
  Limits limits = {};  // a range for numbers, the words allowed for text

  bool positional() const { return flags.front() != '-'; }
  bool is_switch() const { return std::holds_alternative<bool*>(target); }
  // The long name: "--out".
  std::string name() const {
    const std::size_t comma = flags.find(',');
    return comma == std::string::npos ? flags : flags.substr(comma + 1);
  }
};

// The group that the options of pegnn/options.h follow.
inline constexpr std::string_view kModelGroup = "Model";

struct ArgumentGroup {
  std::string title;
  std::vector<Argument> arguments;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view summary() const = 0;   // one line for `pegnn --help`
  virtual std::string_view examples() const = 0;  // shown in its own help
  virtual std::vector<ArgumentGroup> arguments() = 0;
  // Whether --preset, --config and every option of pegnn/options.h belong to it.
  virtual bool takes_model_options() const { return false; }
  virtual void run(Session& session) = 0;
};

struct CommandEntry {
  std::string_view name;
  std::unique_ptr<Command> (*make)();
};

// In the order of `pegnn --help`.
std::span<const CommandEntry* const> commands();

}  // namespace pegnn
