#include "pegnn/option_names.h"

#include <algorithm>

#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr std::string_view kBegin = "<option:";
constexpr char kEnd = '>';

bool in_a_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

std::string python_name(std::string_view name) {
  if (name == "out") return "file";
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '_');
  const bool taken = name == "lambda" || name == "fit";  // by the language, and by estimators
  return taken ? text + '_' : text;
}

}  // namespace

std::string option(std::string_view name) {
  std::string text(kBegin);
  text += name;
  return text + kEnd;
}

std::string option_name(std::string_view name, OptionStyle style) {
  if (style == OptionStyle::python) return python_name(name);
  return name == "out" ? "-o" : "--" + std::string(name);
}

std::string with_options(std::string_view text, OptionStyle style) {
  std::string shown;
  while (true) {
    const std::size_t begin = text.find(kBegin);
    shown += text.substr(0, begin);
    if (begin == std::string_view::npos) return shown;
    text.remove_prefix(begin);
    const auto* const past = std::find_if_not(text.begin() + kBegin.size(), text.end(), in_a_name);
    const std::string_view name(text.begin() + kBegin.size(), past);
    if (name.empty() || past == text.end() || *past != kEnd) {  // somebody else's words
      shown += kBegin;
      text.remove_prefix(kBegin.size());
    } else {
      shown += option_name(name, style);
      text = {past + 1, text.end()};
    }
  }
}

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(with_options(message, OptionStyle::command)),
      kind_(kind),
      neutral_(message) {}

std::string Error::message(OptionStyle style) const { return with_options(neutral(), style); }

}  // namespace pegnn
