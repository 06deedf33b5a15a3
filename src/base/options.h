#pragma once
// Reading and writing options by name, from the one description in
// pegnn/describe_options.h.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pegnn/options.h"

namespace pegnn {

// One option as text, for help pages, docs, reports and files. Its sentence names others as the
// command does.
struct OptionText {
  std::string group, name, value, allowed, sentence;
  bool is_switch = false;  // true or false
  bool is_word = false;    // quoted in TOML
  bool is_whole = false;   // a number without a fraction
};

// All options of `options` with their values, in the order of the description.
std::vector<OptionText> option_texts(const Options& options);

// Their names, in that order.
const std::vector<std::string>& option_names();

// Sets one option from text. `origin` begins the message: "<option:k>", "run.toml, line 3". Throws
// Error{usage} for an unknown name (with the nearest), a value that does not parse, or one outside
// its range.
void set_option(Options& options, std::string_view name, std::string_view value,
                std::string_view origin);

// `batch` -1 becomes the paper's number for a table of that many training rows.
void resolve_batch(Options& options, std::int64_t rows);

// `steps`, `members` and `learning-rate` 0 become what such a table is worth. `batch` is resolved.
void resolve_effort(Options& options, std::int64_t rows);

// The options as a TOML file with a comment on each: `--config` reads it back.
std::string options_toml(const Options& options);

}  // namespace pegnn
