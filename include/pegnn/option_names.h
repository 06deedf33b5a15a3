#pragma once
// How messages name options. The library names them neutrally, "<option:learning-rate>", and each
// front end shows them as its users write them.

#include <string>
#include <string_view>

namespace pegnn {

enum class OptionStyle {
  command,  // --learning-rate; -o for the option `out`
  python,   // learning_rate; lambda_ and fit_, as these words are taken; file for `out`
};

// One option, by its name: "learning-rate".
std::string option_name(std::string_view name, OptionStyle style);

// A text that names options neutrally, with their names in that style.
std::string with_options(std::string_view text, OptionStyle style);

}  // namespace pegnn
